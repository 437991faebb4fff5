/** The crictl command table and the subcommands for images. */
export const CRICTL_COMMANDS = String.raw`package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
	"sigs.k8s.io/yaml"
)

var commands = map[string]struct {
	slow bool
	run  func(*call) error
}{
	"version":  {false, showVersion},
	"info":     {false, info},
	"images":   {false, listImages},
	"image":    {false, listImages},
	"inspecti": {false, inspectImages},
	"pull":     {true, pull},
	"rmi":      {true, removeImages},
	"pods":     {false, listPods},
	"inspectp": {false, inspectPods},
	"runp":     {true, runPod},
	"stopp":    {true, forEach(func(c *call, id string) error { _, err := c.runtime.StopPodSandbox(c.ctx, &cri.StopPodSandboxRequest{PodSandboxId: id}); return err }, "Stopped sandbox")},
	"rmp":      {true, removePods},
	"ps":       {false, listContainers},
	"inspect":  {false, inspectContainers},
	"create":   {true, create},
	"start":    {true, forEach(func(c *call, id string) error { _, err := c.runtime.StartContainer(c.ctx, &cri.StartContainerRequest{ContainerId: id}); return err }, "")},
	"stop":     {true, stop},
	"rm":       {true, removeContainers},
	"exec":     {true, execSync},
	"logs":     {true, logs},
}

func (c *call) parse() error {
	if err := c.flags.Parse(c.args); err != nil {
		return err
	}
	c.args = c.flags.Args()
	return nil
}

func forEach(act func(*call, string) error, said string) func(*call) error {
	return func(c *call) error {
		if err := c.parse(); err != nil {
			return err
		}
		return each(c.args, func(id string) error { return act(c, id) }, said)
	}
}

func each(ids []string, act func(string) error, said string) error {
	if len(ids) == 0 {
		return errors.New("ID cannot be empty")
	}
	var all []error
	for _, id := range ids {
		if err := act(id); err != nil {
			all = append(all, fmt.Errorf("%q: %w", id, err))
			continue
		}
		fmt.Println(strings.TrimSpace(said + " " + id))
	}
	return errors.Join(all...)
}

func showVersion(c *call) error {
	answer, err := c.runtime.Version(c.ctx, &cri.VersionRequest{Version: "v1"})
	if err != nil {
		return err
	}
	fmt.Printf("Version:  %s\nRuntimeName:  %s\nRuntimeVersion:  %s\nRuntimeApiVersion:  %s\n", answer.Version, answer.RuntimeName, answer.RuntimeVersion, answer.RuntimeApiVersion)
	return nil
}

func info(c *call) error {
	output := "json"
	text(c.flags, &output, "output", "o")
	if err := c.parse(); err != nil {
		return err
	}
	answer, err := c.runtime.Status(c.ctx, &cri.StatusRequest{Verbose: true})
	if err != nil {
		return err
	}
	return printVerbose("status", answer.Status, answer.Info)
}

// The runtime tells more as JSON in strings, which the real one unfolds.
func printVerbose(key string, status proto.Message, more map[string]string) error {
	raw, err := protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(status)
	if err != nil {
		return err
	}
	all := map[string]json.RawMessage{key: raw}
	for name, value := range more {
		if json.Valid([]byte(value)) {
			all[name] = json.RawMessage(value)
		} else if quoted, err := json.Marshal(value); err == nil {
			all[name] = quoted
		}
	}
	joined, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return printIndented(joined)
}

func listImages(c *call) error {
	output, quiet, digests, noTrunc := "table", false, false, false
	text(c.flags, &output, "output", "o")
	yes(c.flags, &quiet, "quiet", "q")
	yes(c.flags, &digests, "digests")
	yes(c.flags, &noTrunc, "no-trunc")
	if err := c.parse(); err != nil {
		return err
	}
	request := &cri.ListImagesRequest{}
	if len(c.args) > 0 {
		request.Filter = &cri.ImageFilter{Image: &cri.ImageSpec{Image: c.args[0]}}
	}
	answer, err := c.images.ListImages(c.ctx, request)
	if err != nil {
		return err
	}
	if output == "json" {
		return printJSON(answer)
	}
	rows := [][]string{}
	for _, image := range answer.Images {
		if quiet {
			fmt.Println(image.Id)
			continue
		}
		for _, name := range append([]string{}, image.RepoTags...) {
			at := strings.LastIndex(name, ":")
			rows = append(rows, []string{name[:at], name[at+1:], short(image.Id), fmt.Sprintf("%.3gMB", float64(image.Size)/1e6)})
		}
	}
	if !quiet {
		printTable("IMAGE\tTAG\tIMAGE ID\tSIZE", rows)
	}
	return nil
}

func inspectImages(c *call) error {
	output, quiet := "json", c.flags.Bool("q", false, "")
	text(c.flags, &output, "output", "o")
	if err := c.parse(); err != nil {
		return err
	}
	for _, name := range c.args {
		answer, err := c.images.ImageStatus(c.ctx, &cri.ImageStatusRequest{Image: &cri.ImageSpec{Image: name}, Verbose: !*quiet})
		if err != nil {
			return err
		}
		if answer.Image == nil {
			return fmt.Errorf("no such image %q present", name)
		}
		if err := printVerbose("status", answer.Image, answer.Info); err != nil {
			return err
		}
	}
	return nil
}

func pull(c *call) error {
	creds, auth := "", ""
	text(c.flags, &creds, "creds")
	text(c.flags, &auth, "auth")
	if err := c.parse(); err != nil {
		return err
	}
	request := &cri.PullImageRequest{}
	if user, password, given := strings.Cut(creds, ":"); given {
		request.Auth = &cri.AuthConfig{Username: user, Password: password}
	} else if auth != "" {
		request.Auth = &cri.AuthConfig{Auth: auth}
	}
	for _, name := range c.args {
		request.Image = &cri.ImageSpec{Image: name, UserSpecifiedImage: name}
		answer, err := c.images.PullImage(c.ctx, request)
		if err != nil {
			return fmt.Errorf("pulling image: %w", err)
		}
		fmt.Println("Image is up to date for", answer.ImageRef)
	}
	return nil
}

func removeImages(c *call) error {
	all, prune := false, false
	yes(c.flags, &all, "all", "a")
	yes(c.flags, &prune, "prune", "q")
	if err := c.parse(); err != nil {
		return err
	}
	ids := c.args
	if all || prune {
		unused, err := unusedImages(c, all)
		if err != nil || len(unused) == 0 {
			return err
		}
		ids = unused
	}
	return each(ids, func(id string) error {
		_, err := c.images.RemoveImage(c.ctx, &cri.RemoveImageRequest{Image: &cri.ImageSpec{Image: id}})
		return err
	}, "Deleted:")
}

func unusedImages(c *call, all bool) ([]string, error) {
	images, err := c.images.ListImages(c.ctx, &cri.ListImagesRequest{})
	if err != nil {
		return nil, err
	}
	containers, err := c.runtime.ListContainers(c.ctx, &cri.ListContainersRequest{})
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, container := range containers.Containers {
		used[container.ImageRef], used[container.ImageId] = true, true
	}
	unused := []string{}
	for _, image := range images.Images {
		if all || (!used[image.Id] && !image.Pinned) {
			unused = append(unused, image.Id)
		}
	}
	return unused, nil
}

func readConfig(path string, into proto.Message) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	asJSON, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return err
	}
	return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(asJSON, into)
}

func age(nanoseconds int64) string {
	return time.Since(time.Unix(0, nanoseconds)).Round(time.Second).String() + " ago"
}
`;
