import type { Host } from '../../common/host.ts';
import { sh } from '../../runner/command.ts';
import { waitUntil } from '../common/wait-until.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';

/** Waits until the node is Ready. */
export const awaitNode = (first: Host): Step =>
  defineStep({
    name: 'node.await-ready',
    summary: 'Wait until the node is ready',
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) => [
      waitUntil({
        key: 'wait:node-ready',
        summary: `${host.name} is ready`,
        condition: isReady(host.name),
        timeoutMs: TEN_MINUTES - 10_000,
        on: first,
      }),
    ],
  });

const TEN_MINUTES = 600_000;

/** Prints the reason if the node is not Ready. */
const isReady = (node: string) => {
  const path = '{range .status.conditions[?(@.type=="Ready")]}{.status} {.message}{end}';
  return sh`said=$(${kubectl(sh`get node ${node} -o ${`jsonpath=${path}`}`)} 2>&1); case $said in 'True '*) ;; *) echo "$said"; exit 1;; esac`;
};
