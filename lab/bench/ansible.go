package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/lab/internal/wait"
)

// hangUpBound is how long closing all connections may take.
const hangUpBound = 20 * time.Second

// hangUpPace is how often to check whether one is gone.
const hangUpPace = 20 * time.Millisecond

// ansible is ansible with its defaults, on the hosts of a site.
type ansible struct {
	site      site
	program   string
	version   string
	inventory string
	home      string // instead of ~/.ansible
	sockets   string // holds a directory for each setup
	asked     int
}

// newAnsible writes the files that tell ansible its hosts.
func newAnsible(ctx context.Context, s site, program string) (*ansible, error) {
	a := &ansible{
		site: s, program: program,
		inventory: filepath.Join(s.dir, "inventory"), home: filepath.Join(s.dir, "ansible"), sockets: filepath.Join(s.short, "cm"),
	}
	for _, dir := range []string{a.home, a.sockets} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(a.inventory, []byte(strings.Join(s.lab.Names(), "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(a.config(), []byte("[defaults]\n"), 0o600); err != nil {
		return nil, err
	}
	out, err := command{argv: []string{program, "--version"}, env: a.environ(os.Environ(), "0", false)}.run(ctx)
	if err != nil {
		return nil, err
	}
	first, _, _ := bytes.Cut(out.stdout, []byte("\n"))
	a.version = string(bytes.TrimSpace(first))
	return a, nil
}

// config returns the path of an empty configuration: with the user's, ansible
// would not run with its defaults.
func (a *ansible) config() string { return filepath.Join(a.home, "ansible.cfg") }

// setup returns the command that gathers the facts of all hosts, over its own
// connections. It leaves them open, as ansible does.
func (a *ansible) setup(pipelining bool) command {
	a.asked++
	return command{
		argv:     []string{a.program, "-i", a.inventory, "all", "-m", "setup"},
		env:      a.environ(os.Environ(), strconv.Itoa(a.asked), pipelining),
		patience: farPatience,
	}
}

// environ returns base without ansible's settings, and with those to be
// compared: the standard ssh arguments and the lab's configuration, which
// checks host keys, and as many forks as there are hosts.
func (a *ansible) environ(base []string, sockets string, pipelining bool) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(e string) bool {
		return strings.HasPrefix(e, "ANSIBLE_") || strings.HasPrefix(e, "LC_")
	})
	return append(env,
		"LC_ALL=C.UTF-8", // it refuses to start in another encoding
		"ANSIBLE_CONFIG="+a.config(),
		"ANSIBLE_HOME="+a.home,
		"ANSIBLE_HOST_KEY_CHECKING=True",
		"ANSIBLE_FORKS="+strconv.Itoa(factsHosts),
		"ANSIBLE_PIPELINING="+map[bool]string{true: "True", false: "False"}[pipelining],
		"ANSIBLE_SSH_ARGS=-C -o ControlMaster=auto -o ControlPersist=60s -F '"+strings.ReplaceAll(a.site.lab.Config(), "'", `'\''`)+"'",
		"ANSIBLE_SSH_CONTROL_PATH_DIR="+filepath.Join(a.sockets, sockets),
	)
}

// hangUp closes the connections that were left open, even if ctx is done.
func (a *ansible) hangUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangUpBound)
	defer cancel()
	open, err := filepath.Glob(filepath.Join(a.sockets, "*", "*"))
	if err != nil {
		return err
	}
	for _, socket := range open {
		// A connection that has ended by itself has removed its socket.
		_, asked := execute(ctx, []string{"ssh", "-F", a.site.lab.Config(), "-o", "ControlPath=" + strings.ReplaceAll(socket, "%", "%%"), "-O", "exit", "any"})
		// ssh's master answers before it ends.
		last, _ := wait.Until(ctx, hangUpPace, func() error {
			if _, err := os.Lstat(socket); err == nil {
				return fmt.Errorf("a connection of ansible's is still open: %w", errors.Join(asked, os.ErrExist))
			}
			return nil
		})
		if last != nil {
			return last
		}
	}
	return nil
}
