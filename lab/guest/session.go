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

// Files of a session that the machine gets: who may log in, and its sshd's host key.
const (
	KeyFile     = "key"
	HostKeyFile = "host-key"
)

const (
	knownFile  = "known_hosts"
	configFile = "ssh_config"
)

// Session is a root connection to a machine's sshd, at a port of 127.0.0.1.
type Session struct {
	dir, name string
	place     *ssh.Place // nil until opened
}

// NewSession returns an unopened session. Its files are in dir; name is the machine's.
func NewSession(dir, name string) *Session { return &Session{dir: dir, name: name} }

// Config returns the path of the ssh_config that has the machine's name.
func (s *Session) Config() string { return s.file(configFile) }

// Place returns the place that runs commands as root on the machine, over one connection.
// Close closes it.
func (s *Session) Place() assay.Place { return s.place }

// Run runs a command as root on the machine and returns its output. If it failed,
// the error has its standard error.
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

// Close closes the connection. It is idempotent.
func (s *Session) Close() error {
	if s.place == nil {
		return nil
	}
	return s.place.Close()
}

// MakeKeys creates the keys of both sides.
func (s *Session) MakeKeys(ctx context.Context) error {
	for _, key := range []string{KeyFile, HostKeyFile} {
		if _, err := command.Output(ctx, "", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", s.name, "-f", s.file(key)); err != nil {
			return err
		}
	}
	return nil
}

// Open writes ssh's files and opens the connection. It retries, since an emulated
// processor may take longer than the client waits.
func (s *Session) Open(ctx context.Context, port int) error {
	public, err := os.ReadFile(s.file(HostKeyFile + ".pub"))
	if err != nil {
		return err
	}
	known := fmt.Sprintf("[127.0.0.1]:%d %s\n", port, strings.Join(strings.Fields(string(public))[:2], " "))
	// The key exchange that ssh prefers takes seconds on an emulated machine.
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

// sshWord quotes a path for ssh_config(5), which expands %h in paths.
func sshWord(path string) string { return `"` + strings.ReplaceAll(path, "%", "%%") + `"` }

func (s *Session) file(name string) string { return filepath.Join(s.dir, name) }
