import { undo } from '../undo/undo.ts';
import type { Step } from './step.ts';

export const reverse = (step: Step): Step => undo(step.name, `Undo: ${step.summary}`);
