package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay"
	"assay/lab/internal/command"
	"assay/lab/internal/wait"
	"assay/place/ssh"
)

// Files of a session that a machine is given: who may log in, and what its sshd shows itself by.
const (
	KeyFile     = "key"
	HostKeyFile = "host-key"
)

const (
	knownFile  = "known_hosts"
	configFile = "ssh_config"
)

// Session is a connection as root to the sshd of a machine, at a port of 127.0.0.1.
type Session struct {
	dir, name string
	place     *ssh.Place // nil until it is open
}

// NewSession returns one that is not open. Its files lie in dir; name is that of the machine.
func NewSession(dir, name string) *Session { return &Session{dir: dir, name: name} }

// Config is the path of the ssh_config that knows the machine by its name.
func (s *Session) Config() string { return s.file(configFile) }

// Place is where commands run as root on the machine, over one connection. Close closes it.
func (s *Session) Place() assay.Place { return s.place }

// Run runs a command as root on the machine and gives what it printed. The error has
// what it printed to standard error, where it failed.
func (s *Session) Run(ctx context.Context, argv ...string) (string, error) {
	out, err := s.place.Run(ctx, assay.Cmd{Argv: argv})
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("status %d: %s", out.Exit, strings.TrimSpace(string(out.Stderr)))
	}
	if err != nil {
		return string(out.Stdout), fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	return string(out.Stdout), nil
}

// Close ends the connection. It is idempotent.
func (s *Session) Close() error {
	if s.place == nil {
		return nil
	}
	return s.place.Close()
}

// MakeKeys makes the keys of both sides.
func (s *Session) MakeKeys(ctx context.Context) error {
	for _, key := range []string{KeyFile, HostKeyFile} {
		if _, err := command.Output(ctx, "", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", s.name, "-f", s.file(key)); err != nil {
			return err
		}
	}
	return nil
}

// Open writes the files of ssh and opens the connection. An emulated processor may take
// longer for its part than the client waits: then again.
func (s *Session) Open(ctx context.Context, port int) error {
	public, err := os.ReadFile(s.file(HostKeyFile + ".pub"))
	if err != nil {
		return err
	}
	known := fmt.Sprintf("[127.0.0.1]:%d %s\n", port, strings.Join(strings.Fields(string(public))[:2], " "))
	// The key exchange that ssh would rather have takes an emulated machine seconds.
	config := fmt.Sprintf(`Host %s
	HostName 127.0.0.1
	Port %d
	User root
	IdentityFile %s
	IdentitiesOnly yes
	IdentityAgent none
	UserKnownHostsFile %s
	GlobalKnownHostsFile none
	StrictHostKeyChecking yes
	UpdateHostKeys no
	KexAlgorithms curve25519-sha256
	ConnectTimeout 60
`, s.name, port, sshWord(s.file(KeyFile)), sshWord(s.file(knownFile)))
	if err := errors.Join(os.WriteFile(s.file(knownFile), []byte(known), 0o600), os.WriteFile(s.Config(), []byte(config), 0o600)); err != nil {
		return err
	}
	s.place = ssh.New(assay.Host{Name: s.name}, ssh.Options{ConfigFile: s.Config()})
	last, err := wait.Until(ctx, 100*time.Millisecond, func() error {
		_, err := s.Run(ctx, "true")
		return err
	})
	if err != nil {
		return fmt.Errorf("no session on machine %s in time: %w", s.name, last)
	}
	return nil
}

// sshWord quotes a path for ssh_config(5), which reads %h in paths.
func sshWord(path string) string { return `"` + strings.ReplaceAll(path, "%", "%%") + `"` }

func (s *Session) file(name string) string { return filepath.Join(s.dir, name) }
