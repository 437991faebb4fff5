import type { GenericStep } from '../../src/step/contract/part.ts';
import { defineStep, type Step, type StepSpec } from '../../src/step/contract/step.ts';

/** A part that writes a file and restores the previous content on rollback. */
export const fakeFile = (path: string, content: string): GenericStep => ({
  key: `file:${path}`,
  summary: `write ${path}`,
  precheck: async ({ runner }) => {
    const found = await runner.read(path);
    if (found === content) return { done: true };
    return {
      done: false,
      because: found === undefined ? `${path} does not exist` : `${path} differs`,
      diff: `-${found ?? ''}\n+${content}`,
    };
  },
  remember: async ({ runner }) => (await runner.read(path)) ?? null,
  run: ({ runner }) => runner.write({ path, content, mode: 0o600, owner: 'root:root' }),
  rollback: async ({ runner }, before) => {
    if (typeof before === 'string') await runner.write({ path, content: before, mode: 0o600, owner: 'root:root' });
    else await runner.run({ text: `rm -f ${path}`, display: `rm -f ${path}` });
  },
});

/** A step that writes one or more files; the first is named after the step. */
export const fakeStep = (name: string, spec: Partial<StepSpec> = {}, files = 1): Step =>
  defineStep({
    name,
    summary: `do ${name}`,
    parts: () => Array.from({ length: files }, (_, at) => fakeFile(at === 0 ? `/${name}` : `/${name}.${at}`, name)),
    ...spec,
  });
