import type { Lab } from '../../../src/lab/up.ts';
import { sshText } from '../support.ts';

/** The first IPv4 address that a server tells a machine for a name; empty when it tells none. */
export async function dnsAnswer(lab: Lab, machine: string, server: string, name: string): Promise<string> {
  const question = Buffer.concat([
    // An id, recursion wanted, one question.
    Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    // The end of the name, type A, class IN.
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  const bytes = [...question].map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`).join('');
  const ask = `exec 3<>/dev/udp/${server}/53; /usr/bin/printf '${bytes}' >&3; timeout 5 dd bs=512 count=1 status=none <&3 | od -An -v -tx1`;
  const hex = await sshText(lab, machine, `bash -c "${ask.replaceAll('\\', '\\\\')}"`);
  const answer = Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
  const count = answer.length > 8 ? answer.readUInt16BE(6) : 0;
  // An answer without others behind it ends with the address.
  return count > 0 ? [...answer.subarray(-4)].join('.') : '';
}
