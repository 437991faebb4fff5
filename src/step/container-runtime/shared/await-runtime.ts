import { sh } from '../../../runner/command.ts';
import { waitUntil } from '../../common/wait-until.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** A container runtime answers as the kubelet asks. */
export const awaitRuntime = (name: string): Step =>
  defineStep({
    name: `${name}.answer`,
    summary: `Wait until ${name} answers`,
    parts: () => [
      waitUntil({
        key: 'wait:runtime',
        summary: `${name} answers`,
        condition: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v crictl)" ] && timeout 10 crictl version >/dev/null`,
        timeoutMs: 60_000,
      }),
    ],
  });
