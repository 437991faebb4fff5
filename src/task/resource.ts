import type { PlanFragment } from '../plan/fragment.ts';

/** A file on the machine kubexm runs on. */
export interface LocalFile {
  readonly name: string;
  readonly path: string;
}

/** Something that must be on this machine before it can go anywhere else. */
export interface ResourceHandle {
  /** Where it is once its plan has run; known before that. */
  readonly files: readonly LocalFile[];
  /** The steps that bring it here; they look first. */
  ensure(): PlanFragment;
}
