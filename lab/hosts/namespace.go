package hosts

import (
	"context"
	_ "embed" // scripts of the first processes
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/lab/internal/spaces"
)

//go:embed host.sh
var hostScript string

//go:embed switch.sh
var switchScript string

const switchName = "-switch" // not a valid host name

// start starts the first process of a host, or of the switches.
func (l *Lab) start(ctx context.Context, name, script string, env ...string) error {
	return spaces.Start(ctx, spaces.First{
		Family: l.processes(), Name: name, Script: script, Env: env,
		File: filepath.Join(l.Dir, hostsDir, strings.TrimPrefix(name, "-")),
	})
}

// Run runs a command as root inside a host and returns its output; the error
// includes its standard error. It needs no network and no SSH server.
func (l *Lab) Run(ctx context.Context, host string, argv ...string) (string, error) {
	return l.Feed(ctx, host, "", argv...)
}

// Feed runs a command as Run does, with stdin as its input.
func (l *Lab) Feed(ctx context.Context, host, stdin string, argv ...string) (string, error) {
	return l.Pour(ctx, host, strings.NewReader(stdin), argv...)
}

// Pour is Feed for input too large for a string, such as a disk image.
func (l *Lab) Pour(ctx context.Context, host string, stdin io.Reader, argv ...string) (string, error) {
	pid, err := l.pid(host)
	if err != nil {
		return "", err
	}
	return spaces.Run(ctx, pid, stdin, nil, argv...)
}

func (l *Lab) pid(name string) (int, error) {
	pid := l.processes().Alive()[name]
	if pid == 0 {
		return 0, fmt.Errorf("%s is not up", strings.TrimPrefix(name, "-"))
	}
	return pid, nil
}
