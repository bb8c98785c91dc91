package starter

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/inventory/cluster"
)

// Target is a host as typed: [user@]address, where the address may be an alias
// from the ssh configuration.
type Target struct {
	User    string // "" leaves it to ssh
	Address string
}

// ParseTargets parses the words of a command line, each host once.
func ParseTargets(words []string) ([]Target, error) {
	var all []Target
	for _, word := range words {
		t, err := ParseTarget(word)
		if err != nil {
			return nil, err
		}
		for i, other := range all {
			if cluster.SameAddress(t.Address, other.Address) {
				return nil, fmt.Errorf("%s and %s are the same host", words[i], word)
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// ParseTarget parses a word of the command line. A word that cannot be a host
// is an error, before ssh sees it.
func ParseTarget(word string) (Target, error) {
	t := Target{Address: word}
	if user, rest, has := strings.Cut(word, "@"); has {
		t = Target{User: user, Address: rest}
		if !cluster.ValidUser(user) {
			return Target{}, fmt.Errorf("%q: %q cannot be a user's name", word, user)
		}
	}
	if !cluster.ValidAddress(t.Address) {
		return Target{}, assay.WithHint("give a host of ~/.ssh/config, a name or an address, as in pve1 or root@10.0.0.1",
			"%q cannot be a host", word)
	}
	return t, nil
}

// Way is where ssh connects to for a target.
type Way struct {
	Hostname string // name or address
	User     string
	Port     int
	Jump     string // by way of these hosts, "" for straight
}

// Resolve asks ssh on the machine at how it would reach the target, without
// connecting. config is for ssh -F, "" for the user's own configuration.
func (t Target) Resolve(ctx context.Context, at assay.Place, config string) (Way, error) {
	argv := []string{"ssh"}
	if config != "" {
		argv = append(argv, "-F", config)
	}
	if t.User != "" {
		argv = append(argv, "-l", t.User)
	}
	argv = append(argv, "-G", "--", t.Address)
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Timeout: 10 * time.Second})
	if err != nil {
		return Way{}, assay.WithHint("install OpenSSH's client (openssh-client)", "ssh -G %s: %w", t.Address, err)
	}
	if out.Exit != 0 {
		line, _, _ := bytes.Cut(bytes.TrimSpace(out.Stderr), []byte("\n"))
		return Way{}, assay.WithHint("see what 'ssh -G "+t.Address+"' says", "ssh -G %s: %s", t.Address, clean(string(line)))
	}
	return readWay(out.Stdout), nil
}

// readWay parses "keyword value" lines (ssh -G, ssh(1)); keywords are
// lower-case.
func readWay(text []byte) Way {
	var w Way
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "hostname":
			w.Hostname = value
		case "user":
			w.User = value
		case "port":
			w.Port, _ = strconv.Atoi(value)
		case "proxyjump":
			if value != "none" {
				w.Jump = value
			}
		}
	}
	return w
}

// String formats w as one would type it: root@10.0.0.1 port 2222 by way of
// gate.
func (w Way) String() string {
	text := w.Hostname
	if w.User != "" {
		text = w.User + "@" + text
	}
	if w.Port != 0 && w.Port != 22 {
		text += fmt.Sprintf(" port %d", w.Port)
	}
	if w.Jump != "" {
		text += " by way of " + w.Jump
	}
	return text
}
