import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of the lab: machines on this computer. */
export const labErrors = {
  LAB_NOT_FOUND: entry(EXIT.config, { name: 'demo', labs: 'none' }, (p) => ({
    title: `There is no lab named ${p.name}`,
    message: `No machine, network or file of a lab named ${p.name} is here. Labs on this computer: ${p.labs}.`,
    hint: `kubexm lab up --name ${p.name} --machines 3`,
  })),
  LAB_MACHINE_NOT_FOUND: entry(EXIT.config, { machine: 'node9', lab: 'demo', machines: 'node1, node2' }, (p) => ({
    title: `The lab ${p.lab} has no machine named ${p.machine}`,
    message: `Its machines are: ${p.machines}.`,
    hint: `kubexm lab status --name ${p.lab}`,
  })),
  LAB_NEEDS_ROOT: entry(EXIT.config, {}, () => ({
    title: 'A lab needs root',
    message: 'Machines of a lab have networks, routes and disks of their own, which only root can make.',
    hint: 'Run the same command with sudo.',
  })),
  LAB_NEEDS_DEBIAN: entry(EXIT.config, { packages: 'podman runc debootstrap' }, (p) => ({
    title: 'Programs that a lab needs are missing',
    message: `This computer has no apt-get, so kubexm cannot install them. In Debian their packages are named: ${p.packages}.`,
    hint: `Install the programs of these packages: ${p.packages}`,
  })),
  LAB_NAME_INVALID: entry(EXIT.config, { name: 'My Lab' }, (p) => ({
    title: `A lab cannot be named "${p.name}"`,
    message: 'A name has 1 to 20 letters a-z, digits and hyphens, begins with a letter and does not end with a hyphen.',
    hint: 'kubexm lab up --name demo --machines 3',
  })),
  LAB_OPTION_INVALID: entry(
    EXIT.usage,
    { option: '--disk', value: '1 GB', wanted: 'a size such as 512M or 1G' },
    (p) => ({
      title: `${p.option} cannot be "${p.value}"`,
      message: `Wanted is ${p.wanted}.`,
      hint: 'kubexm lab --help',
    }),
  ),
  LAB_DIFFERS: entry(EXIT.config, { name: 'demo', differences: 'machines is 3, not 5' }, (p) => ({
    title: `The lab ${p.name} is already here, made with other options`,
    message: `In the lab that is here ${p.differences}.`,
    hint: `Remove it first: kubexm lab down --name ${p.name}`,
  })),
  LAB_NO_SUBNET: entry(EXIT.command, { range: '10.177.0.0/16' }, (p) => ({
    title: 'No network is left for another lab',
    message: `Each lab takes a /24 of ${p.range}; all are in use by labs or by routes of this computer.`,
    hint: 'See what is here: kubexm lab status; ip route show',
  })),
  LAB_NOT_READY: entry(
    EXIT.connection,
    { machine: 'node2', lab: 'demo', wanted: 'to answer over SSH', seconds: 120, last: 'Connection refused' },
    (p) => ({
      title: `${p.machine} did not become ready`,
      message: `Waited ${p.seconds} s for ${p.machine} ${p.wanted}. Last answer: ${p.last}`,
      hint: `podman logs kubexm-${p.lab}-${p.machine}; kubexm lab status --name ${p.lab}`,
    }),
  ),
  LAB_MACHINE_DOWN: entry(EXIT.connection, { machine: 'node2', lab: 'demo', state: 'paused' }, (p) => ({
    title: `${p.machine} is ${p.state}`,
    message: `Nothing can be done inside ${p.machine} of the lab ${p.lab} while it is ${p.state}.`,
    hint: `kubexm lab fault clear ${p.machine} --name ${p.lab}`,
  })),
  LAB_COMPONENT_UNKNOWN: entry(EXIT.config, { component: 'calico', known: 'etcd, containerd' }, (p) => ({
    title: `The mirror cannot hold ${p.component}`,
    message: `What it can hold is: ${p.known}.`,
    hint: 'kubexm lab mirror build --help',
  })),
  LAB_SEED_WRONG: entry(
    EXIT.config,
    { path: '/seed/etcd-v3.6.16-linux-amd64.tar.xz', reason: 'its sum differs' },
    (p) => ({
      title: 'A piece of the seed folder is not what it should be',
      message: `${p.path} cannot be taken: ${p.reason}.`,
      hint: 'Build without the seed: env -u KUBEXM_LAB_SEED kubexm lab mirror build',
    }),
  ),
  LAB_BUILD_FAILED: entry(EXIT.command, { what: 'go.etcd.io/etcd/server/v3', output: 'go: no such host' }, (p) => ({
    title: `${p.what} cannot be built`,
    message: `The compiler says:\n${p.output}`,
    hint: 'What is finished stays. Go on with: kubexm lab mirror build',
  })),
  LAB_DOWNLOAD_FAILED: entry(EXIT.connection, { url: 'https://proxy.example/go.zip', reason: 'no such host' }, (p) => ({
    title: `${p.url} cannot be fetched`,
    message: `Nothing usable came: ${p.reason}.`,
    hint: 'Name another proxy for Go modules: GOPROXY=https://… kubexm lab mirror build',
  })),
  LAB_DOWNLOAD_WRONG: entry(
    EXIT.connection,
    { url: 'https://proxy.example/go.zip', wanted: '30c2b1…', found: 'e3b0c4…' },
    (p) => ({
      title: `${p.url} is not what it should be`,
      message: `Its sha256 is ${p.found}; wanted is ${p.wanted}.`,
      hint: 'Name another proxy for Go modules: GOPROXY=https://… kubexm lab mirror build',
    }),
  ),
  LAB_PACKAGE_MISSING: entry(EXIT.command, { package: 'runc' }, (p) => ({
    title: `Debian's package ${p.package} is not among those fetched`,
    message: 'The mirror of Debian that apt uses here offered no such package.',
    hint: 'See what apt uses: cat /etc/apt/sources.list /etc/apt/sources.list.d/*',
  })),
  LAB_MIRROR_EMPTY: entry(EXIT.config, { folder: '~/.kubexm/mirror' }, (p) => ({
    title: 'There is no mirror to serve',
    message: `${p.folder} holds no finished component.`,
    hint: `kubexm lab mirror build --dir ${p.folder}`,
  })),
  LAB_PORT_TAKEN: entry(EXIT.config, { address: '127.0.0.1:5080', reason: 'address already in use' }, (p) => ({
    title: `Nothing can be served on ${p.address}`,
    message: `This computer does not let kubexm listen there: ${p.reason}.`,
    hint: 'kubexm lab mirror serve --listen 127.0.0.1:0',
  })),
};
