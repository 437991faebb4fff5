/** The crictl subcommands that list and inspect pods and containers. */
export const CRICTL_LISTS = String.raw`package main

import (
	"fmt"
	"strings"

	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

type labels map[string]string

func (l labels) String() string { return "" }
func (l labels) Set(pair string) error {
	key, value, _ := strings.Cut(pair, "=")
	l[key] = value
	return nil
}

// The flags that lists of pods and of containers have in common.
type listing struct {
	output, name, state, id, pod, namespace string
	quiet, all, noTrunc                     bool
	labels                                  labels
}

func (c *call) listing() (listing, error) {
	l := listing{output: "table", labels: labels{}}
	text(c.flags, &l.output, "output", "o")
	text(c.flags, &l.name, "name")
	text(c.flags, &l.state, "state", "s")
	text(c.flags, &l.id, "id")
	text(c.flags, &l.pod, "pod", "p")
	text(c.flags, &l.namespace, "namespace")
	yes(c.flags, &l.quiet, "quiet", "q")
	yes(c.flags, &l.all, "all", "a")
	yes(c.flags, &l.noTrunc, "no-trunc")
	c.flags.Var(l.labels, "label", "")
	return l, c.parse()
}

func listPods(c *call) error {
	l, err := c.listing()
	if err != nil {
		return err
	}
	filter := &cri.PodSandboxFilter{Id: l.id, LabelSelector: l.labels}
	if l.state != "" {
		state := cri.PodSandboxState_SANDBOX_NOTREADY
		if strings.EqualFold(l.state, "ready") {
			state = cri.PodSandboxState_SANDBOX_READY
		}
		filter.State = &cri.PodSandboxStateValue{State: state}
	}
	answer, err := c.runtime.ListPodSandbox(c.ctx, &cri.ListPodSandboxRequest{Filter: filter})
	if err != nil {
		return err
	}
	items, rows := []*cri.PodSandbox{}, [][]string{}
	for _, pod := range answer.Items {
		if strings.Contains(pod.Metadata.Name, l.name) && (l.namespace == "" || pod.Metadata.Namespace == l.namespace) {
			items = append(items, pod)
			rows = append(rows, []string{short(pod.Id), age(pod.CreatedAt), strings.TrimPrefix(pod.State.String(), "SANDBOX_"), pod.Metadata.Name, pod.Metadata.Namespace, fmt.Sprint(pod.Metadata.Attempt)})
		}
	}
	answer.Items = items
	switch {
	case l.output == "json":
		return printJSON(answer)
	case l.quiet:
		for _, pod := range items {
			fmt.Println(pod.Id)
		}
	default:
		printTable("POD ID\tCREATED\tSTATE\tNAME\tNAMESPACE\tATTEMPT", rows)
	}
	return nil
}

func listContainers(c *call) error {
	l, err := c.listing()
	if err != nil {
		return err
	}
	filter := &cri.ContainerFilter{Id: l.id, PodSandboxId: l.pod, LabelSelector: l.labels}
	if state, known := cri.ContainerState_value["CONTAINER_"+strings.ToUpper(l.state)]; known {
		filter.State = &cri.ContainerStateValue{State: cri.ContainerState(state)}
	} else if !l.all {
		filter.State = &cri.ContainerStateValue{State: cri.ContainerState_CONTAINER_RUNNING}
	}
	answer, err := c.runtime.ListContainers(c.ctx, &cri.ListContainersRequest{Filter: filter})
	if err != nil {
		return err
	}
	items, rows := []*cri.Container{}, [][]string{}
	for _, one := range answer.Containers {
		if strings.Contains(one.Metadata.Name, l.name) {
			items = append(items, one)
			state := strings.TrimPrefix(one.State.String(), "CONTAINER_")
			rows = append(rows, []string{short(one.Id), short(one.Image.Image), age(one.CreatedAt), state, one.Metadata.Name, fmt.Sprint(one.Metadata.Attempt), short(one.PodSandboxId), one.Labels["io.kubernetes.pod.name"]})
		}
	}
	answer.Containers = items
	switch {
	case l.output == "json":
		return printJSON(answer)
	case l.quiet:
		for _, one := range items {
			fmt.Println(one.Id)
		}
	default:
		printTable("CONTAINER\tIMAGE\tCREATED\tSTATE\tNAME\tATTEMPT\tPOD ID\tPOD", rows)
	}
	return nil
}

func inspectPods(c *call) error {
	if _, err := c.listing(); err != nil {
		return err
	}
	for _, id := range c.args {
		answer, err := c.runtime.PodSandboxStatus(c.ctx, &cri.PodSandboxStatusRequest{PodSandboxId: id, Verbose: true})
		if err != nil {
			return err
		}
		if err := printVerbose("status", answer.Status, answer.Info); err != nil {
			return err
		}
	}
	return nil
}

func inspectContainers(c *call) error {
	if _, err := c.listing(); err != nil {
		return err
	}
	for _, id := range c.args {
		answer, err := c.runtime.ContainerStatus(c.ctx, &cri.ContainerStatusRequest{ContainerId: id, Verbose: true})
		if err != nil {
			return err
		}
		if err := printVerbose("status", answer.Status, answer.Info); err != nil {
			return err
		}
	}
	return nil
}
`;
