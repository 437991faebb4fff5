import { systemdUnit } from './systemd-unit.ts';

export interface DockerOptions {
  readonly root: string;
  /** Mirrors of Docker Hub in order of preference. Docker supports no mirrors of other registries. */
  readonly mirrors: readonly string[];
  readonly insecure: readonly string[];
}

/** Paths and units of Docker and cri-dockerd. */
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
  criState: '/var/lib/cri-dockerd',
} as const;

/** The text of daemon.json. It has no header line, because JSON has no comments. */
export const dockerConfig = ({ root, mirrors, insecure }: DockerOptions): string =>
  `${JSON.stringify(
    {
      'exec-opts': ['native.cgroupdriver=systemd'],
      'data-root': root,
      // Containers keep running while the daemon restarts.
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

/** The text of docker.service, for a Docker that was not installed from a package. */
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
      // Prefers the binaries of its own release.
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

/** Drop-in with the resource limits of docker.service. Docker does not start if it is not allowed to raise them. */
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
    Socket: {
      ListenStream: DOCKER.socket,
      SocketMode: '0660',
      SocketUser: 'root',
      SocketGroup: 'root',
      RemoveOnStop: 'yes',
    },
    Install: { WantedBy: 'sockets.target' },
  });
