import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors from the lab (test machines on this computer). */
export const labErrors = {
  LAB_NOT_FOUND: entry(EXIT.config, { name: 'demo', labs: 'none' }, (p) => ({
    title: `Lab ${p.name} not found`,
    message: `This computer has no machine, network or file of a lab named ${p.name}. Existing labs: ${p.labs}.`,
    hint: `kubexm lab up --name ${p.name} --machines 3`,
  })),
  LAB_MACHINE_NOT_FOUND: entry(EXIT.config, { machine: 'node9', lab: 'demo', machines: 'node1, node2' }, (p) => ({
    title: `Machine ${p.machine} not found in lab ${p.lab}`,
    message: `Existing machines: ${p.machines}.`,
    hint: `kubexm lab status --name ${p.lab}`,
  })),
  LAB_NEEDS_ROOT: entry(EXIT.config, {}, () => ({
    title: 'Lab commands require root',
    message: 'Only root can create the networks, routes and disks of lab machines.',
    hint: 'Repeat the command with sudo.',
  })),
  LAB_NEEDS_DEBIAN: entry(EXIT.config, { packages: 'podman runc debootstrap' }, (p) => ({
    title: 'Programs required by the lab are missing',
    message: `kubexm installs them with apt-get, which is not available on this computer. The Debian packages are: ${p.packages}.`,
    hint: `Install the equivalent of these packages: ${p.packages}`,
  })),
  LAB_NAME_INVALID: entry(EXIT.config, { name: 'My Lab' }, (p) => ({
    title: `Invalid lab name "${p.name}"`,
    message:
      'A lab name has 1 to 20 characters: a-z, digits and hyphens. It starts with a letter and does not end with a hyphen.',
    hint: 'kubexm lab up --name demo --machines 3',
  })),
  LAB_OPTION_INVALID: entry(
    EXIT.usage,
    { option: '--disk', value: '1 GB', wanted: 'a size such as 512M or 1G' },
    (p) => ({
      title: `Invalid value "${p.value}" for ${p.option}`,
      message: `Expected ${p.wanted}.`,
      hint: 'kubexm lab --help',
    }),
  ),
  LAB_DIFFERS: entry(EXIT.config, { name: 'demo', differences: 'machines is 3, not 5' }, (p) => ({
    title: `Lab ${p.name} already exists with other options`,
    message: `In the existing lab, ${p.differences}.`,
    hint: `Remove it first: kubexm lab down --name ${p.name}`,
  })),
  LAB_NO_SUBNET: entry(EXIT.command, { range: '10.177.0.0/16' }, (p) => ({
    title: 'No free subnet for another lab',
    message: `Each lab uses a /24 subnet of ${p.range}; other labs or routes on this computer use all of them.`,
    hint: 'List them: kubexm lab status; ip route show',
  })),
  LAB_NOT_READY: entry(
    EXIT.connection,
    { machine: 'node2', lab: 'demo', wanted: 'to respond over SSH', seconds: 120, last: 'Connection refused' },
    (p) => ({
      title: `${p.machine} did not become ready`,
      message: `Timed out after ${p.seconds} s waiting for ${p.machine} ${p.wanted}. Last output: ${p.last}`,
      hint: `podman logs kubexm-${p.lab}-${p.machine}; kubexm lab status --name ${p.lab}`,
    }),
  ),
  LAB_MACHINE_DOWN: entry(EXIT.connection, { machine: 'node2', lab: 'demo', state: 'paused' }, (p) => ({
    title: `${p.machine} is ${p.state}`,
    message: `Commands cannot run on ${p.machine} in lab ${p.lab} while the machine is ${p.state}.`,
    hint: `kubexm lab fault clear ${p.machine} --name ${p.lab}`,
  })),
  LAB_COMPONENT_UNKNOWN: entry(EXIT.config, { component: 'calico', known: 'etcd, containerd' }, (p) => ({
    title: `Unknown mirror component ${p.component}`,
    message: `Available components: ${p.known}.`,
    hint: 'kubexm lab mirror build --help',
  })),
  LAB_SEED_WRONG: entry(
    EXIT.config,
    { path: '/seed/etcd-v3.6.16-linux-amd64.tar.xz', reason: 'its checksum does not match' },
    (p) => ({
      title: 'A file in the seed directory is invalid',
      message: `${p.path} cannot be used: ${p.reason}.`,
      hint: 'Build without the seed: env -u KUBEXM_LAB_SEED kubexm lab mirror build',
    }),
  ),
  LAB_BUILD_FAILED: entry(EXIT.command, { what: 'go.etcd.io/etcd/server/v3', output: 'go: no such host' }, (p) => ({
    title: `Could not build ${p.what}`,
    message: `Compiler output:\n${p.output}`,
    hint: 'Finished components are kept. Resume with: kubexm lab mirror build',
  })),
  LAB_DOWNLOAD_FAILED: entry(EXIT.connection, { url: 'https://proxy.example/go.zip', reason: 'no such host' }, (p) => ({
    title: `Could not download ${p.url}`,
    message: `The download failed: ${p.reason}.`,
    hint: 'Use another Go module proxy: GOPROXY=https://… kubexm lab mirror build',
  })),
  LAB_DOWNLOAD_WRONG: entry(
    EXIT.connection,
    { url: 'https://proxy.example/go.zip', wanted: '30c2b1…', found: 'e3b0c4…' },
    (p) => ({
      title: `Checksum mismatch for ${p.url}`,
      message: `Its SHA-256 is ${p.found}, expected ${p.wanted}.`,
      hint: 'Use another Go module proxy: GOPROXY=https://… kubexm lab mirror build',
    }),
  ),
  LAB_PACKAGE_MISSING: entry(EXIT.command, { package: 'runc' }, (p) => ({
    title: `Debian package ${p.package} not found`,
    message: 'The apt repositories on this computer do not contain this package.',
    hint: 'Show the apt repositories: cat /etc/apt/sources.list /etc/apt/sources.list.d/*',
  })),
  LAB_MIRROR_EMPTY: entry(EXIT.config, { folder: '~/.kubexm/mirror' }, (p) => ({
    title: 'The mirror is empty',
    message: `${p.folder} contains no completed component.`,
    hint: `kubexm lab mirror build --dir ${p.folder}`,
  })),
  LAB_PORT_TAKEN: entry(EXIT.config, { address: '127.0.0.1:5080', reason: 'address already in use' }, (p) => ({
    title: `Could not listen on ${p.address}`,
    message: `The operating system reported: ${p.reason}.`,
    hint: 'kubexm lab mirror serve --listen 127.0.0.1:0',
  })),
};
