import { requireRunning, scriptOn, type Machine } from '../machine/machine.ts';

/** Creates or replaces an nftables table on a machine. */
export async function setTable(machine: Machine, table: string, body: string): Promise<void> {
  await requireRunning(machine);
  await scriptOn(
    machine,
    `nft -f - <<'NFT'\ntable inet ${table}\ndelete table inet ${table}\ntable inet ${table} {\n${body}\n}\nNFT\n`,
  );
}

/** A shell script that deletes the table if it exists. */
export const dropTable = (table: string) =>
  `! nft list table inet ${table} >/dev/null 2>&1 || nft delete table inet ${table}
`;

/** A shell command that prints the comment of the first rule, which describes the fault. */
export const probeTable = (table: string) =>
  `nft list table inet ${table} | sed -n 's/.*comment "\\(.*\\)".*/\\1/p' | head -n 1`;
