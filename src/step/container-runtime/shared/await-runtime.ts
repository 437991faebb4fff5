import { sh } from '../../../runner/command.ts';
import { waitUntil } from '../../common/wait-until.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Waits until a container runtime responds over CRI, as the kubelet uses it. */
export const awaitRuntime = (name: string): Step =>
  defineStep({
    name: `${name}.answer`,
    summary: `Wait for ${name}`,
    parts: () => [
      waitUntil({
        key: 'wait:runtime',
        summary: `${name} responds`,
        condition: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v crictl)" ] && timeout 10 crictl version >/dev/null`,
        timeoutMs: 60_000,
      }),
    ],
  });
