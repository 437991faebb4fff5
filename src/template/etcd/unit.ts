export interface EtcdUnitOptions {
  readonly binary: string;
  readonly environment: string;
  readonly dataDir: string;
  readonly user: string;
}

/** The text of etcd.service, sandboxed to its data directory. */
export const etcdUnit = ({ binary, environment, dataDir, user }: EtcdUnitOptions): string => `# Written by kubexm.
[Unit]
Description=etcd: the state of a Kubernetes cluster
Documentation=https://etcd.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
User=${user}
EnvironmentFile=${environment}
ExecStart=${binary}
Restart=always
RestartSec=5s
# A member that catches up after a long absence is slow to say that it is ready.
TimeoutStartSec=300
LimitNOFILE=65536
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
ReadWritePaths=${dataDir}

[Install]
WantedBy=multi-user.target
`;
