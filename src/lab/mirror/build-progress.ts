import type { ReportProgress } from '../../common/progress.ts';
import type { BuildContext } from './build-context.ts';
import type { Job } from './build-job.ts';
import { approximately, startEstimate } from './estimate.ts';

/** Collects the progress of concurrent builds. */
export interface BuildProgress {
  /** The callbacks through which one build reports its progress. */
  callbacks(job: Job): Required<Pick<BuildContext, 'report' | 'onPackage'>>;
  finish(job: Job): void;
}

/** Reports how many components are done, the remaining time, and the latest activity. */
export function trackProgress(jobs: readonly Job[], report: ReportProgress): BuildProgress {
  const estimate = startEstimate(jobs.map(({ cost }) => cost));
  let finished = jobs.filter(({ present }) => present).length;
  let remaining = approximately(estimate.remainingSeconds());
  let updated = performance.now();
  const show = ({ component: { name, version } }: Job, detail: string) => {
    if (performance.now() - updated > UPDATE_MS) {
      remaining = approximately(estimate.remainingSeconds());
      updated = performance.now();
    }
    const task = `Building the mirror (${finished} of ${jobs.length} components done, ${remaining} left)`;
    report({ task, detail: `${name} ${version}: ${detail}` });
  };
  return {
    callbacks: (job) => {
      let packages = 0;
      return {
        report: (detail) => show(job, detail),
        onPackage: () => {
          packages++;
          estimate.advance(jobs.indexOf(job), COMPILING * (packages / job.cost.packages));
        },
      };
    },
    finish: (job) => {
      finished++;
      estimate.advance(jobs.indexOf(job), 1);
    },
  };
}

/** The share of a build that compiling takes; the rest is linking and packing. */
const COMPILING = 0.9;

/** The remaining time is updated only this often, so that it does not flicker. */
const UPDATE_MS = 15_000;
