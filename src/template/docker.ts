import { systemdUnit } from './systemd-unit.ts';

/** What the docker daemon is told. */
export interface DockerOptions {
  readonly root: string;
  /** Asked before Docker Hub, in order: docker knows no mirrors of other registries. */
  readonly mirrors: readonly string[];
  readonly insecure: readonly string[];
}

/** Where docker and what speaks for it to the kubelet stand on every host. */
export const DOCKER = {
  program: '/usr/local/bin/dockerd',
  config: '/etc/docker/daemon.json',
  certs: '/etc/docker/certs.d',
  root: '/var/lib/docker',
  unit: 'docker.service',
  unitFile: '/etc/systemd/system/docker.service',
  dropIn: '/etc/systemd/system/docker.service.d/10-kubexm.conf',
  criProgram: '/usr/local/bin/cri-dockerd',
  criUnit: 'cri-docker.service',
  criUnitFile: '/etc/systemd/system/cri-docker.service',
  criSocketUnit: 'cri-docker.socket',
  criSocketFile: '/etc/systemd/system/cri-docker.socket',
  socket: '/run/cri-dockerd.sock',
} as const;

/** The text of daemon.json. JSON has no comments, so it does not say who wrote it. */
export const dockerConfig = ({ root, mirrors, insecure }: DockerOptions): string =>
  `${JSON.stringify(
    {
      'exec-opts': ['native.cgroupdriver=systemd'],
      'data-root': root,
      // Containers live on when the daemon is started again.
      'live-restore': true,
      'log-driver': 'json-file',
      'log-opts': { 'max-size': '100m', 'max-file': '3' },
      'max-concurrent-downloads': 10,
      ...(mirrors.length > 0 && { 'registry-mirrors': mirrors }),
      ...(insecure.length > 0 && { 'insecure-registries': insecure }),
    },
    null,
    2,
  )}\n`;

/** The text of docker.service, for a docker that no package brought. */
export const dockerUnit = (): string =>
  systemdUnit({
    Unit: {
      Description: 'Docker application container engine',
      Documentation: 'https://docs.docker.com',
      After: 'network-online.target firewalld.service',
      Wants: 'network-online.target',
    },
    Service: {
      Type: 'notify',
      // With the programs of its own release before those of others.
      Environment: 'PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin',
      ExecStart: DOCKER.program,
      ExecReload: '/bin/kill -s HUP $MAINPID',
      TimeoutStartSec: 0,
      RestartSec: 2,
      Restart: 'always',
      Delegate: 'yes',
      KillMode: 'process',
      TasksMax: 'infinity',
    },
    Install: { WantedBy: 'multi-user.target' },
  });

/** What docker may use, whoever wrote its unit. Where limits may not be raised it would not start. */
export const dockerLimits = ({ restricted }: { readonly restricted: boolean }): string =>
  systemdUnit({
    Service: restricted
      ? { LimitNOFILE: '', LimitNPROC: '', LimitCORE: '', OOMScoreAdjust: 0 }
      : { LimitNOFILE: 1_048_576, LimitNPROC: 'infinity', LimitCORE: 'infinity', OOMScoreAdjust: -500 },
  });

/** The text of cri-docker.service. */
export const criDockerUnit = (sandboxImage: string): string =>
  systemdUnit({
    Unit: {
      Description: 'CRI for docker',
      Documentation: 'https://mirantis.github.io/cri-dockerd/',
      After: `network-online.target ${DOCKER.unit}`,
      Wants: 'network-online.target',
      Requires: `${DOCKER.unit} ${DOCKER.criSocketUnit}`,
    },
    Service: {
      Type: 'notify',
      ExecStart: `${DOCKER.criProgram} --container-runtime-endpoint fd:// --network-plugin=cni --cni-bin-dir=/opt/cni/bin --cni-conf-dir=/etc/cni/net.d --pod-infra-container-image=${sandboxImage}`,
      ExecReload: '/bin/kill -s HUP $MAINPID',
      TimeoutSec: 0,
      RestartSec: 2,
      Restart: 'always',
      Delegate: 'yes',
      KillMode: 'process',
      TasksMax: 'infinity',
    },
    Install: { WantedBy: 'multi-user.target' },
  });

/** The text of cri-docker.socket. */
export const criDockerSocket = (): string =>
  systemdUnit({
    Unit: { Description: 'CRI for docker: its socket', PartOf: DOCKER.criUnit },
    Socket: { ListenStream: DOCKER.socket, SocketMode: '0660', SocketUser: 'root', SocketGroup: 'root' },
    Install: { WantedBy: 'sockets.target' },
  });
