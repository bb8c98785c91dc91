package hosts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/lab/internal/command"
)

// makeKey creates a key pair without a passphrase: the private key in file, the
// public one beside it.
func makeKey(ctx context.Context, file, comment string) error {
	_, err := command.Output(ctx, "", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", file)
	return err
}

// writeSSH writes what ssh -F needs to reach every host, by name and by address,
// with host keys checked and without prompts.
func (l *Lab) writeSSH() error {
	var config, known strings.Builder
	config.WriteString("# Written by assay's lab. Use: ssh -F " + l.Config() + " host1\n")
	for _, h := range l.state.Hosts {
		public, err := os.ReadFile(l.file(h.Name, "key.pub"))
		if err != nil {
			return err
		}
		address := l.Address(h.Name, Management)
		fmt.Fprintf(&config, "\nHost %s %s\n\tHostName %[2]s\n", h.Name, address)
		fmt.Fprintf(&known, "%s,%s %s\n", h.Name, address, strings.Join(strings.Fields(string(public))[:2], " "))
	}
	fmt.Fprintf(&config, `
Host *
	User %s
	IdentityFile %s
	IdentitiesOnly yes
	IdentityAgent none
	UserKnownHostsFile %s
	GlobalKnownHostsFile none
	StrictHostKeyChecking yes
	UpdateHostKeys no
	ConnectTimeout 15
`, User, sshWord(filepath.Join(l.Dir, keyFile)), sshWord(filepath.Join(l.Dir, knownFile)))
	if err := os.WriteFile(filepath.Join(l.Dir, knownFile), []byte(known.String()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(l.Config(), []byte(config.String()), 0o600)
}

// sshWord quotes a path for ssh_config(5), which expands %h and ${NAME} in
// paths.
func sshWord(path string) string {
	return `"` + strings.ReplaceAll(path, "%", "%%") + `"`
}

// Config returns the path of the hosts' ssh_config.
func (l *Lab) Config() string { return filepath.Join(l.Dir, configFile) }

// Cluster returns the path of the cluster.yaml that describes the hosts.
func (l *Lab) Cluster() string { return filepath.Join(l.Dir, clusterFile) }
