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

// Options say how a host is reached. What is zero is left to the user's ssh
// configuration.
type Options struct {
	// Address is what ssh is told to connect to: a name, an IP address or a
	// Host of the configuration. "" takes the host's name.
	Address string
	User    string
	Port    int
	// Sudo has every command run by root through "sudo -n", where the user is
	// not root already.
	Sudo bool
	// ControlDir is where the socket of the shared connection is kept, for this
	// user alone. It is made where it is missing. "" makes one and removes it.
	ControlDir string
	// ConfigFile replaces ~/.ssh/config and the system's, as ssh -F does.
	ConfigFile string
	// Mark is carried by every command in its environment, so that Reap can
	// find what a killed assay left running.
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

// Run runs c on the host, in a session of its own and in the C locale where
// c.Env names no other. Beside what every place gives, its errors are
// ErrUnreachable, ErrHostKey, ErrDenied, ErrSudo and ErrShell, with which
// nothing was started, and ErrLost, with which something was.
//
// Output.Elapsed does not hold the time that it took to connect. Output.CPU is
// as fine as the shell of the host counts it: 10 ms with most.
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
		// The shared connection was found dead. Nothing had been sent, so that
		// trying again starts nothing twice.
		s, err = p.open(ctx, o)
	}
	if err != nil {
		return assay.Output{}, err
	}
	return s.carry(ctx, o)
}

// checkNames refuses what could be read as anything but a name, by ssh or by a
// command that the user's configuration builds from it (ProxyCommand, Match exec).
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

// The times that a connection is given.
const (
	// connectTime bounds reaching one address; with jump hosts it is needed
	// several times.
	connectTime = 10 * time.Second
	// openTime bounds a connection in all, with every jump and every key.
	openTime = time.Minute
	// helloTime bounds the login shell: from the session to a sh that reads.
	helloTime = 30 * time.Second
	// aliveTime is how often ssh asks the server for an answer. After aliveMissed
	// of them it is taken for gone.
	aliveTime   = 5 * time.Second
	aliveMissed = 3
)
