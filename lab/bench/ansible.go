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

// hangUpBound is how long ending all connections may take.
const hangUpBound = 20 * time.Second

// hangUpPace is how often it is looked whether one is gone.
const hangUpPace = 20 * time.Millisecond

// ansible is ansible as it comes, on the hosts of a site.
type ansible struct {
	site      site
	program   string
	version   string
	inventory string
	home      string // in place of ~/.ansible
	sockets   string // a directory of which every setup gets one
	asked     int
}

// newAnsible writes what ansible needs to know the hosts.
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

// config is a configuration that says nothing: that of the user would not be
// ansible as it comes.
func (a *ansible) config() string { return filepath.Join(a.home, "ansible.cfg") }

// setup is the command that asks all hosts for their facts, over connections of
// its own. It leaves them open, as ansible does.
func (a *ansible) setup(pipelining bool) command {
	a.asked++
	return command{
		argv:     []string{a.program, "-i", a.inventory, "all", "-m", "setup"},
		env:      a.environ(os.Environ(), strconv.Itoa(a.asked), pipelining),
		patience: farPatience,
	}
}

// environ is base without what it says to ansible, and with what is to be
// compared: the standard arguments of ssh and the lab's configuration, which
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

// hangUp ends the connections that were left open, also where ctx is over.
func (a *ansible) hangUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangUpBound)
	defer cancel()
	open, err := filepath.Glob(filepath.Join(a.sockets, "*", "*"))
	if err != nil {
		return err
	}
	for _, socket := range open {
		// One that has ended by itself meanwhile has taken its socket along.
		_, asked := execute(ctx, []string{"ssh", "-F", a.site.lab.Config(), "-o", "ControlPath=" + strings.ReplaceAll(socket, "%", "%%"), "-O", "exit", "any"})
		// It answers before it ends.
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
