package drbd

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Resource is the setup of a resource, as its own node sees it. What was not printed
// is "" or 0: without --show-defaults that includes all defaults.
type Resource struct {
	Name    string
	Quorum  string // off, majority, a number
	Volumes []Volume
	Peers   []Peer
}

// Volume is one replicated device.
type Volume struct {
	Number    string
	Minor     int    // of /dev/drbdN; -1 unknown
	Disk      string // under it; "" or "none" on a diskless node
	ALExtents int    // of 4 MiB each, writable without a metadata update
	MaxRate   int64  // B/s, of a resync
	Flushes   string // "no" where the disk's cache is not flushed
}

// Peer is a connection to another node.
type Peer struct {
	Name     string // "" with DRBD 8
	Protocol string // A, B or C
	Paths    []Path
}

// Path is the two addresses that a connection runs between, without ports.
type Path struct{ Here, There string }

// ReadShow parses the output of drbdsetup show from DRBD 8.4 and 9.
func ReadShow(text []byte) ([]Resource, error) {
	root, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("drbdsetup show: %w", err)
	}
	var all []Resource
	for _, top := range root.all("resource") {
		r, err := resourceOf(top)
		if err != nil {
			return nil, fmt.Errorf("drbdsetup show: %w", err)
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("drbdsetup show: %w: no resource", assay.ErrNoOutput)
	}
	return all, nil
}

func resourceOf(top *node) (Resource, error) {
	if len(top.words) < 2 {
		return Resource{}, fmt.Errorf("a resource without a name")
	}
	r := Resource{Name: top.words[1], Quorum: top.value("options", "quorum")}
	protocol := top.value("net", "protocol")
	here := top.block("_this_host")
	if here == nil {
		return Resource{}, fmt.Errorf("resource %s has no _this_host", r.Name)
	}
	for _, b := range here.all("volume") {
		r.Volumes = append(r.Volumes, volumeOf(b))
	}
	for _, b := range top.all("connection") {
		p := Peer{Name: b.value("net", "_name"), Protocol: b.value("net", "protocol")}
		if p.Protocol == "" {
			p.Protocol = protocol
		}
		for _, path := range b.all("path") {
			p.Paths = append(p.Paths, Path{address(path.following("_this_host")), address(path.following("_remote_host"))})
		}
		r.Peers = append(r.Peers, p)
	}
	if there := top.block("_remote_host"); there != nil && len(r.Peers) == 0 { // DRBD 8
		r.Peers = []Peer{{Protocol: protocol, Paths: []Path{{address(here.following("address")), address(there.following("address"))}}}}
	}
	return r, nil
}

func volumeOf(b *node) Volume {
	v := Volume{Minor: -1, Disk: b.last("disk"), Flushes: b.value("disk", "disk-flushes")}
	if len(b.words) > 1 {
		v.Number = b.words[1]
	}
	if n, err := strconv.Atoi(b.last("device")); err == nil && n >= 0 {
		v.Minor = n
	}
	if n, err := strconv.Atoi(b.value("disk", "al-extents")); err == nil && n > 0 {
		v.ALExtents = n
	}
	// Sizes may have the suffix k, M or G; plain numbers are bytes here.
	if n, ok := assay.ParseSize(b.value("disk", "c-max-rate")); ok {
		v.MaxRate = n
	}
	return v
}

// address returns the address in "ipv4 10.0.0.1:7789" or "ipv6 [fd00::1]:7789".
func address(words []string) string {
	if len(words) == 0 {
		return ""
	}
	text := words[len(words)-1]
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		text = text[:i]
	}
	return strings.Trim(text, "[]")
}

// node is a statement: its words, and the statements in its braces, if any.
type node struct {
	words  []string
	braces bool
	inner  []*node
}

// deepest is how deep braces may nest; drbdsetup nests four.
const deepest = 16

// parse reads statements that end with ; or have braces. A # begins a comment.
func parse(text string) (*node, error) {
	root := &node{braces: true}
	open := []*node{root}
	var words []string
	for line := range strings.Lines(text) {
		for _, word := range split(line) {
			here := open[len(open)-1]
			switch word {
			case "{":
				n := &node{words: words, braces: true}
				here.inner, words = append(here.inner, n), nil
				if open = append(open, n); len(open) > deepest {
					return nil, fmt.Errorf("braces are nested deeper than %d", deepest)
				}
			case "}":
				if len(open) == 1 {
					return nil, fmt.Errorf("a brace closes nothing")
				}
				open, words = open[:len(open)-1], nil
			case ";":
				if len(words) > 0 {
					here.inner = append(here.inner, &node{words: words})
				}
				words = nil
			default:
				words = append(words, word)
			}
		}
	}
	if len(open) > 1 {
		return nil, fmt.Errorf("it ends within braces")
	}
	return root, nil
}

// split returns the words, braces and semicolons of a line. Quotes are removed.
func split(line string) []string {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t\r") {
		switch c := line[0]; c {
		case '#':
			return words
		case '{', '}', ';':
			words, line = append(words, string(c)), line[1:]
		case '"':
			word, rest, closed := strings.Cut(line[1:], `"`)
			if !closed {
				return append(words, word)
			}
			words, line = append(words, word), rest
		default:
			end := strings.IndexAny(line, " \t\r{};#\"")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
		}
	}
	return words
}

func (n *node) all(name string) []*node {
	var found []*node
	for _, i := range n.inner {
		if i.braces && len(i.words) > 0 && i.words[0] == name {
			found = append(found, i)
		}
	}
	return found
}

// block returns the first braced statement of that name, or nil.
func (n *node) block(name string) *node {
	if found := n.all(name); len(found) > 0 {
		return found[0]
	}
	return nil
}

// following returns the words after a name without braces.
func (n *node) following(name string) []string {
	for _, i := range n.inner {
		if !i.braces && len(i.words) > 1 && i.words[0] == name {
			return i.words[1:]
		}
	}
	return nil
}

func (n *node) last(name string) string {
	words := n.following(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// value returns an option of a block, such as protocol in net.
func (n *node) value(block, name string) string {
	for _, b := range n.all(block) {
		if v := b.last(name); v != "" {
			return v
		}
	}
	return ""
}
