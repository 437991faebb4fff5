import type { Component } from './component.ts';
import { buildCost, type BuildCost } from './estimate.ts';
import type { MirrorPaths } from './paths.ts';
import { findRecord, recipeOf, type MirrorRecord } from './records.ts';

/** A component to build, unless the mirror has it. */
export interface Job {
  readonly component: Component;
  readonly recipe: string;
  readonly present: MirrorRecord | undefined;
  readonly cost: BuildCost;
}

export async function createJob(paths: MirrorPaths, component: Component): Promise<Job> {
  const recipe = recipeOf(component);
  const present = await findRecord(paths, component, recipe);
  return { component, recipe, present, cost: present ? NO_COST : await buildCost(component) };
}

const NO_COST: BuildCost = { cpuSeconds: 0, packages: 0 };

/**
 * Sorts jobs: the userland first, because other images build on it, then the longest job, because it determines the total
 * time. The others keep the order of the catalog, small ones first.
 */
export function inBuildOrder(jobs: readonly Job[]): Job[] {
  const longest = jobs.toSorted((a, b) => b.cost.cpuSeconds - a.cost.cpuSeconds)[0];
  const rank = (job: Job) => (job.component.name === 'userland' ? 0 : job === longest ? 1 : 2);
  return jobs.toSorted((a, b) => rank(a) - rank(b));
}
