import { requireRunning, scriptOn, type Machine } from '../machine/machine.ts';

/** Puts a table of packet rules into a machine, in the place of one with the same name. */
export async function setTable(machine: Machine, table: string, body: string): Promise<void> {
  await requireRunning(machine);
  await scriptOn(
    machine,
    `nft -f - <<'NFT'\ntable inet ${table}\ndelete table inet ${table}\ntable inet ${table} {\n${body}\n}\nNFT\n`,
  );
}

/** A shell script that takes the table away. */
export const dropTable = (table: string) =>
  `! nft list table inet ${table} >/dev/null 2>&1 || nft delete table inet ${table}
`;

/** A shell line that prints the comment of a table's first rule: there the fault says how it was made. */
export const lookAtTable = (table: string) =>
  `nft list table inet ${table} | sed -n 's/.*comment "\\(.*\\)".*/\\1/p' | head -n 1`;
