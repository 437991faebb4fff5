import type { LabStatus } from '../../lab/status.ts';
import type { Console } from '../console.ts';
import { megabytes } from './text.ts';

/** Prints the machines of labs as a table. */
export async function printLabStatus(labs: readonly LabStatus[], console: Console): Promise<void> {
  const rows = labs.flatMap(({ lab, machines }) =>
    machines.length === 0
      ? [[lab, '', '', 'no machines', '', '', '']]
      : machines.map((machine) => [
          lab,
          machine.name,
          machine.address,
          machine.state,
          machine.systemd,
          machine.memoryBytes > 0 ? megabytes(machine.memoryBytes) : '',
          machine.faults.join(', '),
        ]),
  );
  await console.table(['LAB', 'MACHINE', 'ADDRESS', 'STATE', 'SYSTEMD', 'MEMORY', 'FAULTS'], rows);
}
