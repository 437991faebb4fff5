import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../../src/lab/fault/pause.ts';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { removeLoadBalancerModule, setupLoadBalancerModule } from '../../src/module/load-balancer.ts';
import { defineModule } from '../../src/module/module.ts';
import { on } from '../../src/plan/fragment.ts';
import { installPackages } from '../../src/step/os/packages.ts';
import { undo } from '../../src/step/undo/undo.ts';
import { followApi } from '../../src/task/load-balancer/external.ts';
import { defineTask } from '../../src/task/task.ts';
import { hostState } from '../lab/support/host-state.ts';
import { moduleHarness, type ModuleHarness } from '../lab/support/module-harness.ts';
import { labNames, ssh, sshText } from '../lab/support.ts';

const named = await labNames();
const name = named('lb');

// Installs only the packages, without the rest of host preparation.
const packagesTask = defineTask({
  name: 'packages',
  title: 'Packages',
  plan: ({ cluster, hosts }) => on(hosts.withRole('loadbalancer'), installPackages(cluster)),
});
const noPackagesTask = defineTask({
  name: 'no-packages',
  title: 'No packages',
  plan: ({ hosts }) => on(hosts.withRole('loadbalancer'), undo('os.packages', 'Remove the packages')),
});
const followed = defineModule({ name: 'load-balancer', title: 'F', plan: ({ task }) => task(followApi) });
const packages = defineModule({ name: 'infrastructure', title: 'P', plan: ({ task }) => task(packagesTask) });
const noPackages = defineModule({ name: 'infrastructure', title: 'P', plan: ({ task }) => task(noPackagesTask) });

let lab: Lab;
let trial: ModuleHarness;
let vip: string;
const BALANCERS = ['node2', 'node3'];
const machine = (node: string) => lab.machines.find((one) => one.name === node)!;
const create = () => trial.create(packages, setupLoadBalancerModule);
const settings = (type: string, port = 6443) =>
  trial.write((spec) => ({
    ...spec,
    roleGroups: { etcd: ['node1'], master: ['node1'], worker: ['node1'], loadbalancer: BALANCERS },
    controlPlaneEndpoint: { externalLoadBalancer: type, lb_address: vip },
    kubernetes: { version: 'v1.35.4', apiserver: { extraArgs: { 'secure-port': `${port}` } } },
  }));

/** A fake API server: serves TLS, reports ready, and returns its port. */
const fakeApiServer = (port: number) =>
  scriptOn(
    machine('node1'),
    `cd /root && [ -e a.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -keyout a.key -out a.crt -days 2 2>/dev/null && cat a.crt a.key >a.pem
printf '#!/bin/sh\\nread -r line\\nprintf "HTTP/1.1 200 OK\\\\r\\\\nContent-Length: 4\\\\r\\\\nConnection: close\\\\r\\\\n\\\\r\\\\n${port}"\\n' >api-${port}; chmod +x api-${port}
systemd-run -q --unit api-${port} socat OPENSSL-LISTEN:${port},reuseaddr,fork,cert=/root/a.pem,verify=0 EXEC:/root/api-${port}`,
  );

const response = async () => (await ssh(lab, 'node1', `curl -sk -m 2 https://${vip}:6443/readyz`)).stdout;
const owners = async () => {
  const all = await Promise.all(
    BALANCERS.map(async (node) => ({ node, has: await ssh(lab, node, `ip -o addr show to ${vip} | grep -q .`) })),
  );
  return all.filter(({ has }) => has.exit === 0).map(({ node }) => node);
};

/** Milliseconds until the API server responds at the VIP again. */
async function untilResponding(): Promise<number> {
  const start = Date.now();
  await expect.poll(response, { timeout: 60_000, interval: 100 }).toBe('6443');
  return Date.now() - start;
}

beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
  trial = moduleHarness(lab);
  vip = lab.machines[0]!.address.replace(/\d+$/, '5');
  await Promise.all([6443, 7443].map(fakeApiServer));
  // Upgraded first because haproxy installs perl, which upgrades perl-base, and deletion does not downgrade it.
  const upgrade = 'apt-get -qq update && apt-get -qq -y install --only-upgrade perl-base >/dev/null 2>&1';
  await Promise.all(BALANCERS.map((node) => scriptOn(machine(node), upgrade)));
});
afterAll(async () => {
  for (const node of BALANCERS) await pause.clear(machine(node));
});

describe.each([
  ['kubexm-kh', 'haproxy'],
  ['kubexm-kn', 'nginx'],
])('load balancers of type %s', (type, proxy) => {
  let before: readonly (readonly string[])[];
  const states = () => Promise.all(BALANCERS.map((node) => hostState(machine(node))));

  it('hold the VIP on one host and forward to the master', async () => {
    await settings(type);
    before = await states();
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    expect(await owners()).toHaveLength(1);
    await untilResponding();
  });

  it('change nothing on a re-run', async () => {
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    expect(text).toContain('Nothing to do');
  });

  it('fail over when the proxy stops and when the machine freezes', async () => {
    const [first = ''] = await owners();
    await sshText(lab, first, `systemctl stop ${proxy}`);
    const proxyGone = await untilResponding();
    const [second = ''] = await owners();
    expect(second).not.toBe(first);
    await sshText(lab, first, `systemctl start ${proxy}`);
    await expect.poll(() => ssh(lab, first, '/etc/kubexm/load-balancer/check.sh')).toMatchObject({ exit: 0 });
    await pause.apply(machine(second));
    const machineGone = await untilResponding();
    await pause.clear(machine(second));
    await expect.poll(owners, { timeout: 30_000 }).toHaveLength(1);
    console.log(`${type}: API back ${proxyGone} ms after the proxy stopped, ${machineGone} ms after the machine froze`);
  });

  it('move the VIP away from a host that reaches no API server, and back to one that does', async () => {
    const { exit, text } = await trial.create(packages, setupLoadBalancerModule, followed);
    expect(exit, text).toBe(0);
    const drop = `OUTPUT -p tcp -d ${machine('node1').address} --dport 6443 -j DROP`;
    const [first = ''] = await owners();
    const other = BALANCERS.find((node) => node !== first) ?? '';
    const start = Date.now();
    await sshText(lab, first, `iptables -I ${drop}`);
    await expect.poll(owners, { timeout: 120_000 }).toEqual([other]);
    await untilResponding();
    console.log(`${type}: API back ${Date.now() - start} ms after the load balancer lost all API servers`);
    await sshText(lab, other, `iptables -I ${drop}`);
    await expect.poll(owners, { timeout: 120_000 }).toEqual([]);
    expect(await trial.create(packages, setupLoadBalancerModule, followed)).toMatchObject({ exit: 0 });
    await sshText(lab, first, `iptables -D ${drop}; nft delete table ip filter`);
    await expect.poll(owners, { timeout: 60_000 }).toEqual([first]);
    await sshText(lab, other, `iptables -D ${drop}; nft delete table ip filter`);
    await untilResponding();
    expect(await owners(), 'a host that recovers does not take the VIP back').toEqual([first]);
  });

  it('update their backends without restarting', async () => {
    const pids = () => Promise.all(BALANCERS.map((node) => sshText(lab, node, `systemctl show -p MainPID ${proxy}`)));
    const pidsBefore = await pids();
    await settings(type, 7443);
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    await expect.poll(response, { timeout: 20_000 }).toBe('7443');
    expect(await pids()).toEqual(pidsBefore);
    expect((await create()).text).toContain('Nothing to do');
  });

  it('restore the machines to their original state', async () => {
    const { exit, text } = await trial.remove(removeLoadBalancerModule, noPackages);
    expect(exit, text).toBe(0);
    expect(await owners()).toEqual([]);
    expect(await states()).toEqual(before);
  });
});
