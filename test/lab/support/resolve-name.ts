import type { Lab } from '../../../src/lab/up.ts';
import { sshText } from '../support.ts';

/** Resolves a name from a machine with this DNS server; returns the first IPv4 address, or an empty string. */
export async function resolveName(lab: Lab, machine: string, server: string, name: string): Promise<string> {
  const query = Buffer.concat([
    // ID, recursion desired, one question.
    Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    // End of the name, type A, class IN.
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  const bytes = [...query].map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`).join('');
  const script = `exec 3<>/dev/udp/${server}/53; /usr/bin/printf '${bytes}' >&3; timeout 5 dd bs=512 count=1 status=none <&3 | od -An -v -tx1`;
  const hex = await sshText(lab, machine, `bash -c "${script.replaceAll('\\', '\\\\')}"`);
  const answer = Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
  const count = answer.length > 8 ? answer.readUInt16BE(6) : 0;
  // Without further records, the response ends with the address.
  return count > 0 ? [...answer.subarray(-4)].join('.') : '';
}
