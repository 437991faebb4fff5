import type { OpenPort } from '../../config/model/port-table.ts';
import type { OpenPorts } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { fieldOf, textOf, textsOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { Json } from '../../common/json.ts';
import { originOf, readOrigin } from '../contract/origin.ts';
import type { ExtendedOrigin, GenericStep, Restore, StepContext } from '../contract/part.ts';

/**
 * Opens the public ports in the firewalld zone of the interface that connects the hosts, and accepts all traffic from Pods
 * and hosts of the cluster: rules for single ports of many sources would need a set, which only a reload creates.
 * Changes both the runtime and the permanent configuration, because a reload would drop runtime rules of others.
 */
export function firewalldPorts(open: OpenPorts, trusted: readonly string[], device: string | undefined): GenericStep {
  const zoneCommand = zoneOf(device);
  const wanted = [
    ...open.ports.filter(({ inCluster }) => !inCluster).map((port) => `host port=${portText(port)}`),
    ...open.protocols.filter((name) => name !== 'ipip').map((name) => `host protocol=${name}`),
    ...trusted.map((network) => `trusted source=${network}`),
  ];
  const missingIn = (has: ReadonlySet<string>) => wanted.filter((item) => !has.has(item));
  /** What kubexm opened before, but no longer needs. */
  const obsoleteOf = async (ctx: StepContext) => {
    const origin = (await readOrigin(ctx, await originOf(ctx, 'os.firewall', IDENTITY))) ?? null;
    const old = (name: string) => textsOf(origin, name).filter((item) => !wanted.includes(item));
    return { live: old('live'), written: old('written') };
  };
  return Object.freeze<GenericStep>({
    ...IDENTITY,
    summary: 'open the ports in firewalld',
    async precheck(ctx) {
      const [{ live, written }, obsolete] = await Promise.all([inspect(ctx, zoneCommand), obsoleteOf(ctx)]);
      const missing = wanted.filter((item) => !live.has(item) || !written.has(item));
      const extra = obsolete.written.filter((item) => written.has(item));
      return findingOf([
        ...missing.map((item) => `not open: ${item.replace(/^.* /, '')}`),
        ...extra.map((item) => `open, but not needed: ${item.replace(/^.* /, '')}`),
      ]);
    },
    async remember(ctx) {
      const { zone, live, written } = await inspect(ctx, zoneCommand);
      const files: Record<string, Awaited<ReturnType<typeof rememberPath>>> = {};
      for (const path of filesOf(zone)) files[path] = await rememberPath(ctx, `file ${path}`, path);
      return { zone, live: missingIn(live), written: missingIn(written), files, had: [...written].toSorted() };
    },
    async run(ctx) {
      const { zone, live, written } = await inspect(ctx, zoneCommand);
      const obsolete = await obsoleteOf(ctx);
      await change(ctx, 'add', zone, missingIn(live), missingIn(written));
      const present = (items: readonly string[], has: ReadonlySet<string>) => items.filter((item) => has.has(item));
      await change(ctx, 'remove', zone, present(obsolete.live, live), present(obsolete.written, written));
    },
    extend: extended,
    rollback: (ctx, before) => restoreFirewalld(ctx, 'ports', before),
  });
}

const IDENTITY = { key: 'firewalld:ports', formerly: ['firewalld', 'open the ports in firewalld'] } as const;

/** Hosts may join later; what is opened for them is closed on undo, too. */
function extended(origin: Json, before: Json): ExtendedOrigin | undefined {
  const merged = (name: string) => [...new Set([...textsOf(origin, name), ...textsOf(before, name)])];
  const [live, written] = [merged('live'), merged('written')];
  const isSame = (name: string, items: readonly string[]) => items.length === textsOf(origin, name).length;
  if (isSame('live', live) && isSame('written', written)) return undefined;
  return { before: { ...Object(origin), live, written }, copies: [] };
}

/** Closes the ports that kubexm opened, and restores the zone files unless others changed them. */
export const restoreFirewalld: Restore = async (ctx, _, before) => {
  const zone = textOf(before, 'zone');
  const zoneCommand = sh`zone=${zone}`;
  const { live, written } = await inspect(ctx, zoneCommand);
  const remaining = (name: string, has: ReadonlySet<string>) => textsOf(before, name).filter((item) => has.has(item));
  await change(ctx, 'remove', zone, remaining('live', live), remaining('written', written));
  const now = [...(await inspect(ctx, zoneCommand)).written].toSorted();
  // Others changed the zones since, so the files are left unchanged.
  if (JSON.stringify(now) !== JSON.stringify(textsOf(before, 'had'))) return;
  const files = fieldOf(before, 'files') ?? null;
  for (const path of filesOf(zone)) await restorePath(ctx, `file ${path}`, path, fieldOf(files, path) ?? null);
};

const portText = ({ protocol, port, to }: OpenPort) => `${to === undefined ? port : `${port}-${to}`}/${protocol}`;

const filesOf = (zone: string) =>
  [...new Set([zone, 'trusted'])].flatMap((name) =>
    ['', '.old'].map((end) => `/etc/firewalld/zones/${name}.xml${end}`),
  );

/** The runtime and the permanent rules, as "zone kind=value". */
async function inspect({ runner }: StepContext, zoneCommand: Command) {
  const { stdout } = await runner.query(listCommand(zoneCommand));
  const section = (name: string) => stdout.split(/^== /m).find((text) => text.startsWith(`${name}\n`)) ?? '';
  const items = (text: string, zone: string) =>
    ['port', 'protocol', 'source'].flatMap((kind) => {
      const values = new RegExp(`^\\s*${kind}s: *(.*)$`, 'm').exec(text)?.[1] ?? '';
      return values
        .split(/\s+/)
        .filter(Boolean)
        .map((value) => `${zone} ${kind}=${value}`);
    });
  const open = (mode: string) =>
    new Set([...items(section(`${mode} host`), 'host'), ...items(section(`${mode} trusted`), 'trusted')]);
  return { zone: section('zone').split('\n')[1] ?? 'public', live: open('live'), written: open('written') };
}

/** Sets the shell variable `zone`; an interface without a zone belongs to the default zone. */
const zoneOf = (device: string | undefined): Command =>
  device === undefined
    ? sh`zone=$(firewall-cmd --get-default-zone)`
    : sh`zone=$(firewall-cmd --get-zone-of-interface=${device} 2>/dev/null) || zone=$(firewall-cmd --get-default-zone)`;

const listCommand = ({ text: setZone }: Command): Command => ({
  text: `systemctl is-active -q firewalld.service || exit 0
export LC_ALL=C; ${setZone}; echo '== zone'; echo "$zone"
echo '== live host'; firewall-cmd --zone="$zone" --list-all
echo '== live trusted'; firewall-cmd --zone=trusted --list-all
echo '== written host'; firewall-cmd --permanent --zone="$zone" --list-all
echo '== written trusted'; firewall-cmd --permanent --zone=trusted --list-all`,
  display: 'firewall-cmd --list-all',
});

async function change(
  { runner }: StepContext,
  verb: 'add' | 'remove',
  zone: string,
  live: readonly string[],
  written: readonly string[],
): Promise<void> {
  for (const [items, flags] of [
    [live, ''],
    [written, '--permanent'],
  ] as const) {
    // firewall-cmd rejects ports and protocols in one call.
    for (const kind of ['host port', 'host protocol', 'trusted source'] as const) {
      const [where] = kind.split(' ');
      const own = items.filter((item) => item.startsWith(`${kind}=`)).map((item) => item.replace(/^.* /, ''));
      if (own.length === 0) continue;
      const words = own.map((item) => sh`${`--${verb}-${item}`}`.text).join(' ');
      const name = where === 'host' ? zone : 'trusted';
      const text = `firewall-cmd --quiet ${flags} ${sh`--zone=${name}`.text} ${words}`;
      await runner.run({ text, display: text });
    }
  }
}
