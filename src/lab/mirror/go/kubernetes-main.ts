/**
 * The Go main package for Kubernetes 1.N: seven commands in one binary, which shares their common code.
 * Part of the recipe hash: any change of this text rebuilds Kubernetes.
 */
export function kubernetesMain(minor: number): string {
  const since34 = minor >= 34;
  return MAIN.replace('KUBEADM_ERRORS', since34 ? '/errors' : '')
    .replace('KUBEADM_END', since34 ? 'HandleError' : 'CheckErr')
    .replace('KUBELET_CONTEXT', since34 ? 'context.Background()' : '');
}

const MAIN = String.raw`package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubectl/pkg/cmd"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app"
	kubeadmutil "k8s.io/kubernetes/cmd/kubeadm/app/utilKUBEADM_ERRORS"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": manager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kube-proxy":              proxy.NewProxyCommand,
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(KUBELET_CONTEXT) },
}

func main() {
	_ = context.Background
	name := filepath.Base(os.Args[0])
	if command, known := commands[name]; known {
		os.Exit(cli.Run(command()))
	}
	switch name {
	case "kubeadm":
		kubeadmutil.KUBEADM_END(kubeadm.Run())
	case "kubectl":
		if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
			cmdutil.CheckErr(err)
		}
	default:
		fmt.Fprintln(os.Stderr, "call this as kubeadm, kubectl, kubelet or one of the kube- programs")
		os.Exit(1)
	}
}
`;
