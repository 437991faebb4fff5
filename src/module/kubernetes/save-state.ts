import { saveState, type StateInput } from '../../task/kubernetes/save-state.ts';
import { defineModule, type Module } from '../module.ts';

/** What was applied is known here and in the cluster. */
export const saveStateModule = (input: StateInput): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Keep what was applied',
    plan: ({ task }) => task(saveState, { folder: input.folder }),
  });
