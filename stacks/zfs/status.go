package zfs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/prose"
)

// Status is the output of zpool status for one pool.
type Status struct {
	Pool  string
	State string // ONLINE, DEGRADED, SUSPENDED
	Why   string // why the state is not well
	Code  string // of that: ZFS-8000-HC
	Scan  string // last or running scrub or resilver, first line only
	Vdevs []Vdev // top-level ones, of every class
}

// Vdev is a virtual device, or a device.
type Vdev struct {
	Class   string // of top-level ones: data, logs, special, dedup, cache, spares
	Name    string // mirror-0, or a device's path
	State   string
	Members []Vdev
}

// The classes.
const (
	Data    = "data"
	Log     = "logs"
	Special = "special"
	Cache   = "cache"
	Spares  = "spares"
)

var classes = []string{Log, Special, "dedup", Cache, Spares}

// ReadStatus parses zpool status -P -L of one pool, even if its tabs have become
// blanks.
func ReadStatus(text []byte) (Status, error) {
	var s Status
	var tree *config
	key := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if name, value, is := heading(line); is {
			key = name
			value = strings.TrimSpace(value)
			switch key {
			case "pool":
				if s.Pool != "" {
					return Status{}, fmt.Errorf("zpool status: two pools, %s and %s", s.Pool, value)
				}
				s.Pool = value
			case "state":
				s.State = value
			case "status":
				s.Why = value
			case "see":
				s.Code = value[strings.LastIndexByte(value, '/')+1:]
			case "scan", "scrub":
				// dRAID may have one line for the last scrub and one for a running
				// operation.
				if !running(s.Scan) {
					s.Scan = value
				}
			case "config":
				tree = &config{}
			}
			continue
		}
		switch key {
		case "status":
			s.Why = strings.TrimSpace(s.Why + " " + strings.TrimSpace(line))
		case "config":
			tree.add(line)
		}
	}
	switch {
	case s.Pool == "" || s.State == "":
		return Status{}, fmt.Errorf("zpool status: %w: no pool with a state", assay.ErrNoOutput)
	case tree == nil || len(tree.vdevs()) == 0:
		return Status{}, fmt.Errorf("zpool status: no devices of pool %s", s.Pool)
	}
	s.Vdevs = tree.vdevs()
	return s, nil
}

var headings = []string{"pool", "state", "status", "action", "see", "scan", "scrub", "remove", "checkpoint", "expand", "config", "errors"}

// heading splits a line such as " state: ONLINE".
func heading(line string) (name, value string, is bool) {
	name, value, found := strings.Cut(line, ":")
	name = strings.TrimLeft(name, " ")
	return name, value, found && slices.Contains(headings, name)
}

// config is the device tree during parsing.
type config struct {
	base  int // column of NAME
	begun bool
	class string
	nodes []*node
	path  []*node // to the last one read
}

type node struct {
	Vdev
	depth   int
	members []*node
}

func (c *config) add(line string) {
	line = strings.ReplaceAll(line, "\t", "        ")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	depth := len(line) - len(strings.TrimLeft(line, " "))
	if !c.begun {
		c.begun, c.base = words[0] == "NAME", depth
		return
	}
	if depth <= c.base {
		c.class, c.path = Data, nil
		if slices.Contains(classes, words[0]) && (len(words) == 1 || words[1] == "-") {
			c.class = words[0]
		}
		return // the pool itself, or a class heading
	}
	if c.class == "" {
		return
	}
	n := &node{Vdev: Vdev{Class: c.class, Name: words[0]}, depth: depth}
	if len(words) > 1 {
		n.State = words[1]
	}
	for len(c.path) > 0 && c.path[len(c.path)-1].depth >= depth {
		c.path = c.path[:len(c.path)-1]
	}
	if len(c.path) == 0 {
		c.nodes = append(c.nodes, n)
	} else {
		above := c.path[len(c.path)-1]
		above.members = append(above.members, n)
	}
	// No pool is nested deeper, even with a spare replacing part of a mirror.
	if len(c.path) < 8 {
		c.path = append(c.path, n)
	}
}

func (c *config) vdevs() []Vdev { return vdevs(c.nodes) }

func vdevs(nodes []*node) []Vdev {
	var all []Vdev
	for _, n := range nodes {
		v := n.Vdev
		v.Members = vdevs(n.members)
		all = append(all, v)
	}
	return all
}

// Devices returns the leaf devices.
func (v Vdev) Devices() []string {
	if len(v.Members) == 0 {
		return []string{v.Name}
	}
	var all []string
	for _, m := range v.Members {
		all = append(all, m.Devices()...)
	}
	return all
}

// Devices returns the leaf devices of a class.
func (s Status) Devices(class string) []string {
	var all []string
	for _, v := range s.Vdevs {
		if v.Class == class {
			all = append(all, v.Devices()...)
		}
	}
	return all
}

// grouped matches the names of vdevs with several devices: raidz2-0, and
// draid2:4d:10c:1s-0.
var grouped = lazyregexp.New(`^(mirror|raidz\d?|draid\d?)\b.*-\d+$`)

// Layout describes the layout of a class: "2 x mirror of 2", "raidz2 of 6", "3
// disks"; "" if it has no devices.
func (s Status) Layout(class string) string {
	var words []string
	counts := map[string]int{}
	for _, v := range s.Vdevs {
		if v.Class != class {
			continue
		}
		word := ""
		if m := grouped.FindStringSubmatch(v.Name); m != nil {
			word = m[1] + " of " + strconv.Itoa(len(v.Members))
		}
		if counts[word]++; counts[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		switch n := counts[word]; {
		case word == "":
			words[i] = prose.Plural(n, "disk")
		case n > 1:
			words[i] = strconv.Itoa(n) + " x " + word
		}
	}
	return strings.Join(words, " and ")
}

// Suspended reports whether the pool has stopped all I/O: commands on it may never end.
// Versions before 0.8 show ONLINE or UNAVAIL, with the code of one of the two faults
// that suspend a pool.
func (s Status) Suspended() bool {
	return s.State == "SUSPENDED" || s.Code == "ZFS-8000-HC" || s.Code == "ZFS-8000-JQ"
}

// Busy returns the running scrub or resilver, "" for none.
func (s Status) Busy() string {
	if !running(s.Scan) {
		return ""
	}
	what, _, _ := strings.Cut(s.Scan, " ")
	return what
}

// running reports whether a line such as "resilver (draid3:19d:24c:2s-0) in progress
// since ..." describes a running operation.
func running(scan string) bool { return strings.Contains(scan, " in progress") }

// Disturbed returns the reasons why figures would not represent the pool's usual
// performance; none if it is healthy and idle.
func (s Status) Disturbed() []string {
	var why []string
	switch {
	case s.Suspended():
		why = append(why, "it is suspended: an I/O failure stopped all reads and writes")
	case s.State != "ONLINE":
		why = append(why, "it is "+s.State)
	}
	if busy := s.Busy(); busy != "" {
		why = append(why, "a "+busy+" is running")
	}
	return why
}
