package ssh

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/place/remote"
)

// Options say how to reach a host. Zero values are left to the user's ssh
// configuration.
type Options struct {
	// Address is what ssh connects to: a name, an IP address or a Host of the
	// configuration. "" means the host's name.
	Address string
	User    string
	Port    int
	// Sudo runs every command as root through "sudo -n", unless the user is
	// root already.
	Sudo bool
	// ControlDir holds the socket of the shared connection; only this user may
	// have access. It is created if missing. "" creates a temporary one and
	// removes it.
	ControlDir string
	// ConfigFile replaces ~/.ssh/config and the system's, as ssh -F does.
	ConfigFile string
	// Mark is in the environment of every command, so that Reap can find what a
	// killed assay left running.
	Mark string
}

// Place runs commands on a host over SSH.
type Place struct {
	host    assay.Host
	options Options
	link    link
	beat    time.Duration
}

// New returns the place. It connects when the first command runs.
func New(host assay.Host, o Options) *Place {
	if o.Address == "" {
		o.Address = host.Name
	}
	return &Place{host: host, options: o, link: newLink(), beat: remote.BeatTime}
}

// Host names the machine.
func (p *Place) Host() assay.Host { return p.host }

// Close ends the connection, and with it whatever still runs there. It is
// idempotent.
func (p *Place) Close() error { return p.link.close() }

// Run runs c on the host, in its own session and in the C locale unless c.Env
// names another. Beyond what every place returns, its errors are
// ErrUnreachable, ErrHostKey, ErrDenied, ErrSudo and ErrShell, which mean that
// nothing was started, and ErrLost, which means that something was.
//
// Output.Elapsed excludes the time to connect. Output.CPU is as precise as the
// host's shell: 10 ms with most.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	return p.run(ctx, c, p.options.Mark)
}

func (p *Place) run(ctx context.Context, c assay.Cmd, mark string) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	o := remote.Order{Cmd: c, Mark: mark, Key: remote.NewKey(), Beat: p.beat}
	if err := o.Check(); err != nil {
		return assay.Output{}, fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	s, err := p.open(ctx, o)
	if errors.Is(err, errNotBegun) && ctx.Err() == nil {
		// The shared connection was found dead. Nothing had been sent, so
		// retrying starts nothing twice.
		s, err = p.open(ctx, o)
	}
	if err != nil {
		return assay.Output{}, err
	}
	return s.carry(ctx, o)
}

// checkNames rejects anything that ssh, or a command that the user's configuration
// builds from it (ProxyCommand, Match exec), could take for more than a name.
func (p *Place) checkNames() error {
	if !plain(p.options.Address, addressLetters) {
		return assay.WithHint("use the host's address, or a Host from ~/.ssh/config, as in pve1 or 10.0.0.1",
			"host %s: invalid address %q: %w", p.host.Name, p.options.Address, ErrUnreachable)
	}
	if p.options.User != "" && !plain(p.options.User, userLetters) {
		return fmt.Errorf("host %s: invalid user %q: %w", p.host.Name, p.options.User, ErrDenied)
	}
	if p.options.Port < 0 || p.options.Port > 65535 {
		return fmt.Errorf("host %s: invalid port %d: %w", p.host.Name, p.options.Port, ErrUnreachable)
	}
	return nil
}

const (
	letters        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	addressLetters = letters + ".-_:%[]" // with IPv6 and its zones
	userLetters    = letters + ".-_+@"
)

func plain(word, allowed string) bool {
	return word != "" && word[0] != '-' && strings.Trim(word, allowed) == ""
}

// Timeouts of a connection.
const (
	// connectTime bounds reaching one address; with jump hosts it applies
	// several times.
	connectTime = 10 * time.Second
	// openTime bounds opening a connection in all, with every jump and every
	// key.
	openTime = time.Minute
	// helloTime bounds the login shell: from the session's start to a sh that
	// reads.
	helloTime = 30 * time.Second
	// aliveTime is how often ssh probes the server. After aliveMissed unanswered
	// probes the server counts as gone.
	aliveTime   = 5 * time.Second
	aliveMissed = 3
)
