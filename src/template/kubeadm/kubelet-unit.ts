/** Where the kubelet stands on every node. */
export const KUBELET = {
  program: '/usr/local/bin/kubelet',
  unit: 'kubelet.service',
  unitFile: '/etc/systemd/system/kubelet.service',
  dropIn: '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
  config: '/var/lib/kubelet/config.yaml',
} as const;

/** The kubelet as a service; it waits until kubeadm has told it what to do. */
export const kubeletUnit = (binary: string): string => `# Written by kubexm.
[Unit]
Description=kubelet: the Kubernetes node agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${binary}
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

/** What kubeadm and the user tell it. */
export const kubeletDropIn = (binary: string): string => `# Written by kubexm.
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# kubeadm writes it, with what is this node's own.
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=
ExecStart=${binary} $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS
`;
