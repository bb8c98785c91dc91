package kube

import (
	"context"
	_ "embed" // the script of the first processes
	"fmt"

	"assay/lab/internal/spaces"
)

//go:embed host.sh
var hostScript string

// start starts the first process of a host. The script adds a control group
// namespace from inside the group.
func (l *Lab) start(ctx context.Context, name string, env ...string) error {
	return spaces.Start(ctx, spaces.First{
		Family: l.processes(), Name: name, Script: hostScript, File: l.path(name), Env: env,
	})
}

// Run runs a command as root inside a host, a node or Control, and returns its
// output; the error includes its standard error.
func (l *Lab) Run(ctx context.Context, host string, argv ...string) (string, error) {
	pid := l.processes().Alive()[host]
	if pid == 0 {
		return "", fmt.Errorf("%s is not up", host)
	}
	return spaces.Run(ctx, pid, nil, []string{"--cgroup"}, argv...)
}
