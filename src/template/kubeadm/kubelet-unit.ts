/** The text of kubelet.service. The kubelet restarts until kubeadm has written its configuration. */
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

/** The kubelet.service drop-in with the flags from kubeadm. */
export const kubeletDropIn = (binary: string, flags: readonly string[] = []): string => `# Written by kubexm.
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# kubeadm writes it, with what is this node's own.
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=
ExecStart=${binary} $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS${flags.map((flag) => ` ${flag}`).join('')}
`;
