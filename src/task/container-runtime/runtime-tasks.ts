import { chain, on, withCleanup } from '../../plan/fragment.ts';
import type { Step } from '../../step/contract/step.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { allNodes } from '../host-groups.ts';
import { defineTask, type Task, type TaskContext } from '../task.ts';

/** The steps that install and uninstall a container runtime on a node. */
export interface RuntimeSteps {
  /** As in the names of its tasks: "crio". */
  readonly name: string;
  readonly title: string;
  readonly install: (ctx: TaskContext) => readonly Step[];
  /** They remove only what kubexm installed, whatever the cluster file says now. */
  readonly uninstall: readonly Step[];
}

/** The tasks of a container runtime. */
export interface RuntimeTasks {
  readonly install: Task;
  readonly uninstall: Task;
}

export const runtimeTasks = ({ name, title, install, uninstall }: RuntimeSteps): RuntimeTasks => ({
  install: defineTask({
    name: `install-${name}`,
    title: `Install ${title}`,
    needs: { registryLogins: true },
    plan: (ctx) => {
      const nodes = allNodes(ctx.hosts);
      return withCleanup(chain(nodes, install(ctx)), on(nodes, clearStaging));
    },
  }),
  uninstall: defineTask({
    name: `uninstall-${name}`,
    title: `Uninstall ${title}`,
    plan: ({ hosts }) => chain(allNodes(hosts), uninstall),
  }),
});
