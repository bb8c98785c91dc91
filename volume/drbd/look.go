package drbd

import (
	"cmp"
	"context"
	_ "embed" // the script
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stacks/drbd"
)

//go:embed look.sh
var lookScript string

// sight is a host's DRBD setup.
type sight struct {
	host     string
	node     string // uname -n
	version  string // of the kernel module
	major    int
	minors   map[int]bool // in use, or named in a configuration
	ports    map[int]bool // of TCP, likewise
	common   []drbd.Option
	protocol string // that common says; "" without
}

func look(ctx context.Context, at assay.Place) (sight, error) {
	text, err := run(ctx, at, "look for DRBD", lookScript)
	if err != nil {
		return sight{}, err
	}
	s, err := readSight(at.Host().Name, text)
	if err != nil {
		return sight{}, fmt.Errorf("%s: %w", at.Host().Name, err)
	}
	return s, nil
}

var (
	minorWord = lazyregexp.New(`\bminor\s+(\d{1,7})\s*;`)
	drbdPath  = lazyregexp.New(`/dev/drbd(\d{1,7})\b`)
	portWord  = lazyregexp.New(`:(\d{1,5})\s*;`)
)

// readSight parses the output of look.sh. It is pure and total.
func readSight(host string, text []byte) (sight, error) {
	s := sight{host: host, minors: map[int]bool{}, ports: map[int]bool{}}
	parts := map[string]string{}
	name := ""
	for line := range strings.Lines(string(text)) {
		if head, is := strings.CutPrefix(strings.TrimSpace(line), "== "); is {
			name = head
			continue
		}
		parts[name] += line
	}
	s.node = strings.TrimSpace(parts["node"])
	if !nodeName.MatchString(s.node) {
		return sight{}, fmt.Errorf("uname -n is %.100q, which drbdadm would not find itself by", s.node)
	}
	var err error
	if s.version, s.major, err = drbd.ReadVersion([]byte(parts["proc"])); err != nil {
		return sight{}, assay.WithHint("modprobe drbd there", "the kernel's module drbd is not loaded: %w", err)
	}
	if s.major != 8 && s.major != 9 {
		return sight{}, fmt.Errorf("DRBD %s is neither 8 nor 9: %w", s.version, assay.ErrNotSupported)
	}
	for _, word := range strings.Fields(parts["devices"]) {
		note(s.minors, word, 10)
	}
	for _, section := range []string{"show", "dump"} {
		for _, form := range []*lazyregexp.Regexp{minorWord, drbdPath} {
			for _, m := range form.FindAllStringSubmatch(parts[section], -1) {
				note(s.minors, m[1], 10)
			}
		}
		for _, m := range portWord.FindAllStringSubmatch(parts[section], -1) {
			note(s.ports, m[1], 10)
		}
	}
	for line := range strings.Lines(parts["ports"]) {
		if words := strings.Fields(line); len(words) > 3 {
			_, port, _ := strings.Cut(words[1], ":")
			note(s.ports, port, 16)
		}
	}
	if s.common, err = drbd.Common([]byte(parts["dump"])); err != nil {
		return sight{}, err
	}
	s.protocol = drbd.CommonProtocol([]byte(parts["dump"]))
	return s, nil
}

func note(into map[int]bool, word string, base int) {
	if n, err := strconv.ParseInt(word, base, 32); err == nil {
		into[int(n)] = true
	}
}

// Ranges searched for a free minor and port. LINSTOR assigns minors from 1000 and ports from
// 7000 up, and Linux assigns ephemeral ports from 32768 up.
const (
	firstMinor, manyMinors = 20000, 10000
	firstPort, manyPorts   = 20000, 10000
)

// choose picks a minor and a port that no host uses. The search starts at an offset derived
// from the id, so it rarely hits one that is reserved but not in use yet.
func (h *how) choose(id string, seen []sight) error {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(id))
	from := int(hash.Sum32() % manyMinors)
	h.Minor = free(firstMinor, manyMinors, from, func(n int) bool { return used(seen, n, func(s sight) map[int]bool { return s.minors }) })
	h.Port = free(firstPort, manyPorts, from, func(n int) bool { return used(seen, n, func(s sight) map[int]bool { return s.ports }) })
	if h.Minor < 0 || h.Port < 0 {
		return fmt.Errorf("no minor or port is free on all hosts")
	}
	first := seen[0]
	h.Major, h.Common, h.Protocol = first.major, first.common, cmp.Or(h.Protocol, first.protocol, protocolC)
	for _, s := range seen[1:] {
		if s.major != first.major {
			return fmt.Errorf("%s has DRBD %s and %s has %s: they have no configuration in common: %w", first.host, first.version, s.host, s.version, assay.ErrNotSupported)
		}
	}
	for i, r := range h.Replicas {
		for _, other := range h.Replicas[:i] {
			if other.Node == r.Node {
				return assay.WithHint("give each its own with hostnamectl", "%s and %s are both called %s (uname -n), by which DRBD tells its nodes apart", other.Host, r.Host, r.Node)
			}
		}
	}
	if h.Major == 8 && len(h.Replicas) > 2 {
		return assay.WithHint("name two hosts under replicas", "DRBD %s has two replicas at most: %w", first.version, assay.ErrNotSupported)
	}
	return nil
}

func free(first, many, from int, used func(int) bool) int {
	for i := range many {
		if n := first + (from+i)%many; !used(n) {
			return n
		}
	}
	return -1
}

func used(seen []sight, n int, of func(sight) map[int]bool) bool {
	for _, s := range seen {
		if of(s)[n] {
			return true
		}
	}
	return false
}
