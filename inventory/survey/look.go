package survey

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

//go:embed ask.sh
var script []byte

// glance bounds the query for addresses and mounts, which the kernel has at
// hand.
const glance = 20 * time.Second

// Address is an address of a host with its subnet.
type Address struct {
	NIC    string       `json:"nic"`
	Prefix netip.Prefix `json:"prefix"` // the address itself, not masked
}

// sight is the output of ask.sh.
type sight struct {
	addresses []Address
	mounts    []mount
	silent    bool // the host has no ip command
}

func look(ctx context.Context, at assay.Place) (sight, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-s"}, Stdin: script, Timeout: glance})
	if err != nil {
		return sight{}, err // err names the host
	}
	s, err := parse(out.Stdout)
	if err != nil {
		line, _, _ := bytes.Cut(bytes.TrimSpace(out.Stderr), []byte("\n"))
		return sight{}, fmt.Errorf("host %s: sh exited %d (%q): %w", at.Host().Name, out.Exit, line, err)
	}
	return s, nil
}

// parse parses the output of ask.sh. It is pure and total.
func parse(raw []byte) (sight, error) {
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	_, text, found := strings.Cut("\n"+text, "\n@@ assay-survey 1\n") // a banner may come first
	if !found {
		return sight{}, fmt.Errorf("unexpected reply: %w", assay.ErrNoOutput)
	}
	s := sight{silent: true}
	section := ""
	for line := range strings.SplitSeq(text, "\n") {
		if head, is := strings.CutPrefix(line, "@@ "); is {
			section = head
			s.silent = s.silent && head != "addresses"
			continue
		}
		content, ok := strings.CutPrefix(line, " ")
		switch {
		case !ok:
		case section == "addresses":
			if a, ok := readAddress(content); ok {
				s.addresses = append(s.addresses, a)
			}
		case section == "mounts":
			if m, ok := readMount(content); ok {
				s.mounts = append(s.mounts, m)
			}
		}
	}
	if section != "end" {
		return sight{}, fmt.Errorf("truncated reply: %w", assay.ErrNoOutput)
	}
	return s, nil
}

// addressLine matches a line of ip -o addr: "2: eth0    inet 10.0.0.1/24 brd …
// scope global eth0". On a tunnel, "peer", the other end and its length come
// between.
var addressLine = lazyregexp.New(`^\d+: +([^\s@]+)\S* +inet6? +([0-9a-fA-F.:]+)(/\d+)?(?: peer \S+)? (.*)`)

// readAddress parses an address that other hosts can reach: one of global scope
// that is not temporary.
func readAddress(line string) (Address, bool) {
	m := addressLine.FindStringSubmatch(line)
	if m == nil || !strings.Contains(" "+m[4]+" ", " scope global ") {
		return Address{}, false
	}
	for _, passing := range []string{"temporary", "tentative", "deprecated", "dadfailed"} {
		if strings.Contains(" "+m[4]+" ", " "+passing+" ") {
			return Address{}, false
		}
	}
	ip, err := netip.ParseAddr(m[2])
	if err != nil {
		return Address{}, false
	}
	prefix := netip.PrefixFrom(ip, ip.BitLen())
	if m[3] != "" {
		if prefix, err = netip.ParsePrefix(m[2] + m[3]); err != nil {
			return Address{}, false
		}
	}
	return Address{NIC: m[1], Prefix: prefix}, true
}
