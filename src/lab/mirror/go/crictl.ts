import { CRICTL_RUN } from './crictl-run.ts';
import { CRICTL_COMMANDS } from './crictl-commands.ts';
import { CRICTL_LISTS } from './crictl-lists.ts';

/**
 * The source of a crictl with the subcommands, flags and output that installers use.
 * Part of the recipe hash: any change of these texts, comments included, rebuilds crictl.
 */
export const CRICTL_SOURCES: Readonly<Record<string, string>> = {
  'acts.go': CRICTL_RUN,
  'commands.go': CRICTL_COMMANDS,
  'lists.go': CRICTL_LISTS,
  'main.go': String.raw`package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

var version = "unknown"

// What every subcommand works with.
type call struct {
	ctx     context.Context
	runtime cri.RuntimeServiceClient
	images  cri.ImageServiceClient
	flags   *flag.FlagSet
	args    []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "FATA[0000] %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	global := flag.NewFlagSet("crictl", flag.ExitOnError)
	settings := readSettings(configPath(args))
	runtimeAt, imagesAt, config := settings["runtime-endpoint"], settings["image-endpoint"], ""
	timeout := 10 * time.Second
	text(global, &runtimeAt, "runtime-endpoint", "r")
	text(global, &imagesAt, "image-endpoint", "i")
	text(global, &config, "config", "c")
	global.DurationVar(&timeout, "timeout", timeout, "")
	global.DurationVar(&timeout, "t", timeout, "")
	debug := global.Bool("debug", false, "")
	global.BoolVar(debug, "D", false, "")
	wantsVersion := global.Bool("version", false, "")
	global.BoolVar(wantsVersion, "v", false, "")
	if err := global.Parse(args); err != nil {
		return err
	}
	if *wantsVersion {
		fmt.Println("crictl version", version)
		return nil
	}
	name := global.Arg(0)
	command, known := commands[name]
	if !known {
		return fmt.Errorf("no help topic for %q", name)
	}
	runtime, err := dial(runtimeAt)
	if err != nil {
		return err
	}
	images := runtime
	if imagesAt != "" && imagesAt != runtimeAt {
		if images, err = dial(imagesAt); err != nil {
			return err
		}
	}
	// Pulls and pods take as long as they take, as in the real one.
	ctx := context.Background()
	if !command.slow {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	return command.run(&call{ctx, cri.NewRuntimeServiceClient(runtime), cri.NewImageServiceClient(images), flags, global.Args()[1:]})
}

func dial(endpoint string) (*grpc.ClientConn, error) {
	if endpoint == "" {
		endpoint = "unix:///run/containerd/containerd.sock"
	}
	if strings.HasPrefix(endpoint, "/") {
		endpoint = "unix://" + endpoint
	}
	size := grpc.MaxCallRecvMsgSize(16 << 20)
	return grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(size))
}

func configPath(args []string) string {
	for place, arg := range args {
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") || (name != "config" && name != "c") {
			continue
		}
		if has {
			return value
		}
		if place+1 < len(args) {
			return args[place+1]
		}
	}
	return "/etc/crictl.yaml"
}

// The file has one key: value a line.
func readSettings(path string) map[string]string {
	settings := map[string]string{}
	for _, name := range []string{"runtime-endpoint", "image-endpoint"} {
		variable := map[string]string{"runtime-endpoint": "CONTAINER_RUNTIME_ENDPOINT", "image-endpoint": "IMAGE_SERVICE_ENDPOINT"}[name]
		settings[name] = os.Getenv(variable)
	}
	file, err := os.Open(path)
	if err != nil {
		return settings
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if settings[strings.TrimSpace(key)] == "" {
			settings[strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), "\"'")
		}
	}
	return settings
}

func text(flags *flag.FlagSet, to *string, names ...string) {
	for _, name := range names {
		flags.StringVar(to, name, *to, "")
	}
}

func yes(flags *flag.FlagSet, to *bool, names ...string) {
	for _, name := range names {
		flags.BoolVar(to, name, *to, "")
	}
}

func printJSON(message proto.Message) error {
	raw, err := protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(message)
	if err != nil {
		return err
	}
	return printIndented(raw)
}

func printIndented(raw []byte) error {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return err
	}
	fmt.Println(out.String())
	return nil
}

func printTable(head string, rows [][]string) {
	table := tabwriter.NewWriter(os.Stdout, 20, 1, 3, ' ', 0)
	fmt.Fprintln(table, head)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush()
}

func short(id string) string {
	id = strings.TrimPrefix(id, "sha256:")
	return id[:min(13, len(id))]
}
`,
};
