import { provideLocalPackages, withdrawLocalPackages } from '../../task/infrastructure/local-packages.ts';
import { defineModule } from '../module.ts';

const named = { name: 'infrastructure', title: 'Packages of the system for hosts without a network' };

export const provideSystemPackages = defineModule({ ...named, plan: ({ task }) => task(provideLocalPackages) });

export const withdrawSystemPackages = defineModule({ ...named, plan: ({ task }) => task(withdrawLocalPackages) });
