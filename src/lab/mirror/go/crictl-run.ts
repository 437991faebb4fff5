/** The crictl subcommands that run, stop or remove pods and containers, and those that enter a container. */
export const CRICTL_RUN = String.raw`package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func runPod(c *call) error {
	handler := ""
	text(c.flags, &handler, "runtime", "r")
	if err := c.parse(); err != nil {
		return err
	}
	if len(c.args) != 1 {
		return fmt.Errorf("wanted: runp [--runtime handler] pod-config.yaml")
	}
	config := &cri.PodSandboxConfig{}
	if err := readConfig(c.args[0], config); err != nil {
		return err
	}
	answer, err := c.runtime.RunPodSandbox(c.ctx, &cri.RunPodSandboxRequest{Config: config, RuntimeHandler: handler})
	if err != nil {
		return fmt.Errorf("run pod sandbox: %w", err)
	}
	fmt.Println(answer.PodSandboxId)
	return nil
}

func create(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	if len(c.args) != 3 {
		return fmt.Errorf("wanted: create POD container-config.yaml pod-config.yaml")
	}
	request := &cri.CreateContainerRequest{PodSandboxId: c.args[0], Config: &cri.ContainerConfig{}, SandboxConfig: &cri.PodSandboxConfig{}}
	if err := readConfig(c.args[1], request.Config); err != nil {
		return err
	}
	if err := readConfig(c.args[2], request.SandboxConfig); err != nil {
		return err
	}
	answer, err := c.runtime.CreateContainer(c.ctx, request)
	if err != nil {
		return fmt.Errorf("creating container: %w", err)
	}
	fmt.Println(answer.ContainerId)
	return nil
}

func stop(c *call) error {
	seconds := c.flags.Int64("timeout", 0, "")
	c.flags.Int64Var(seconds, "t", 0, "")
	return forEach(func(c *call, id string) error {
		_, err := c.runtime.StopContainer(c.ctx, &cri.StopContainerRequest{ContainerId: id, Timeout: *seconds})
		return err
	}, "")(c)
}

func removePods(c *call) error {
	l, force := listing{}, false
	yes(c.flags, &l.all, "all", "a")
	yes(c.flags, &force, "force", "f")
	if err := c.parse(); err != nil {
		return err
	}
	if l.all {
		answer, err := c.runtime.ListPodSandbox(c.ctx, &cri.ListPodSandboxRequest{})
		if err != nil || len(answer.Items) == 0 {
			return err
		}
		for _, pod := range answer.Items {
			c.args = append(c.args, pod.Id)
		}
	}
	return each(c.args, func(id string) error {
		if force {
			if _, err := c.runtime.StopPodSandbox(c.ctx, &cri.StopPodSandboxRequest{PodSandboxId: id}); err != nil {
				return err
			}
		}
		_, err := c.runtime.RemovePodSandbox(c.ctx, &cri.RemovePodSandboxRequest{PodSandboxId: id})
		return err
	}, "Removed sandbox")
}

func removeContainers(c *call) error {
	all, force := false, false
	yes(c.flags, &all, "all", "a")
	yes(c.flags, &force, "force", "f")
	if err := c.parse(); err != nil {
		return err
	}
	if all {
		answer, err := c.runtime.ListContainers(c.ctx, &cri.ListContainersRequest{})
		if err != nil || len(answer.Containers) == 0 {
			return err
		}
		for _, one := range answer.Containers {
			c.args = append(c.args, one.Id)
		}
	}
	return each(c.args, func(id string) error {
		if force {
			if _, err := c.runtime.StopContainer(c.ctx, &cri.StopContainerRequest{ContainerId: id}); err != nil {
				return err
			}
		}
		_, err := c.runtime.RemoveContainer(c.ctx, &cri.RemoveContainerRequest{ContainerId: id})
		return err
	}, "")
}

func execSync(c *call) error {
	sync, seconds := false, int64(0)
	yes(c.flags, &sync, "sync", "s")
	c.flags.Int64Var(&seconds, "timeout", 0, "")
	if err := c.parse(); err != nil {
		return err
	}
	if len(c.args) < 2 {
		return fmt.Errorf("wanted: exec CONTAINER COMMAND")
	}
	answer, err := c.runtime.ExecSync(c.ctx, &cri.ExecSyncRequest{ContainerId: c.args[0], Cmd: c.args[1:], Timeout: seconds})
	if err != nil {
		return err
	}
	os.Stdout.Write(answer.Stdout)
	os.Stderr.Write(answer.Stderr)
	os.Exit(int(answer.ExitCode))
	return nil
}

func logs(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	if len(c.args) != 1 {
		return fmt.Errorf("wanted: logs CONTAINER")
	}
	answer, err := c.runtime.ContainerStatus(c.ctx, &cri.ContainerStatusRequest{ContainerId: c.args[0]})
	if err != nil {
		return err
	}
	file, err := os.Open(answer.Status.LogPath)
	if err != nil {
		return err
	}
	defer file.Close()
	// Each line: time, stream, whether it is whole, and what was said.
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if parts := strings.SplitN(lines.Text(), " ", 4); len(parts) == 4 {
			fmt.Println(parts[3])
		}
	}
	return nil
}
`;
