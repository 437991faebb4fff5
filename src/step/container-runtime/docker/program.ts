import { ownedDirectory } from '../../common/owned-directory.ts';
import { installProgram, type Programs } from '../../transfer/install-program.ts';
import { packagesFrom } from '../../common/offline-packages.ts';
import { dockerPackages } from '../shared/packages.ts';
import { sh } from '../../../runner/command.ts';
import { flagOf } from '../../../util/json-fields.ts';
import { DONE } from '../../contract/finding.ts';
import { defineStep, type GenericStep, type Step } from '../../contract/step.ts';

/** docker and all that it starts containers through, out of its release. */
export const installDockerProgram = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'docker',
    summary: 'Install docker',
    into: '/usr/local/bin',
    wanted: (member) => /^docker\/[\w.-]+$/.test(member),
  });

const THIRTY_MINUTES = 1_800_000;

/** docker as the makers of the operating system build it. */
export const installDockerPackages = ({ offline }: { readonly offline: boolean }): Step =>
  defineStep({
    name: 'docker.packages',
    summary: 'Install docker from the package repositories of the host',
    timeoutMs: THIRTY_MINUTES,
    reversible: true,
    parts: ({ facts }) => [
      // Its packages leave these when they go.
      dockerGroup,
      ...['/etc/docker', '/var/lib/docker', '/var/lib/containerd', '/etc/containerd', '/etc/cni/net.d'].map((path) =>
        ownedDirectory({ path, mode: 0o711 }),
      ),
      ...packagesFrom(dockerPackages(facts), { offline }),
    ],
  });

/** The group whose members may use docker without being root; nobody is put in it. */
const dockerGroup: GenericStep = Object.freeze<GenericStep>({
  summary: 'make the group docker',
  async precheck({ runner }) {
    return (await runner.test(HAS_GROUP)) ? DONE : { done: false, because: 'there is no such group' };
  },
  async remember({ runner }) {
    return { exists: await runner.test(HAS_GROUP) };
  },
  async run({ runner }) {
    await runner.run(sh`getent group docker >/dev/null || groupadd --system docker`);
  },
  async rollback({ runner }, before) {
    if (!flagOf(before, 'exists')) await runner.run(sh`! getent group docker >/dev/null || groupdel docker`);
  },
});

const HAS_GROUP = sh`getent group docker >/dev/null`;

/** What speaks to docker for the kubelet. */
export const installCriDockerd = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'cri-dockerd',
    summary: 'Install cri-dockerd',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)cri-dockerd$/.test(member),
  });
