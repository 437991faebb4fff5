import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';

/** No interface has this address as an additional one. */
export const absentAddress = (address: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: `cleared:address-${address}`,
    summary: `remove ${address} from the network interfaces`,
    async precheck({ runner }) {
      const { stdout } = await runner.query(interfacesWith(address));
      const [name] = stdout.split('\n');
      return name ? { done: false, because: `${name} has it` } : DONE;
    },
    async run({ runner }) {
      await runner.run(removeAddress(address));
    },
  });

/** Removes the address from all interfaces. An address with a subnet is the host's own and stays. */
export const removeAddress = (address: string): Command => ({
  text: sh`${interfacesWith(address)} | while read -r name; do ip addr del ${single(address)} dev "$name"; done`.text,
  display: `ip addr del ${single(address)}`,
});

const interfacesWith = (address: string): Command => ({
  text: sh`ip -o addr show to ${address} 2>/dev/null | awk -v it=${single(address)} '$4 == it { print $2 }'`.text,
  display: `ip addr show to ${address}`,
});

const single = (address: string) => `${address}/${address.includes(':') ? 128 : 32}`;
