package ceph

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Learn reads the output of ceph, text or JSON, of Jewel and later. It sets the
// stack's kind, health, version, drives that are in, nodes that hold some, and
// copies of each byte, as far as the output gives them. It fails if the output
// gives none of them, or if f is of another stack.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("ceph: %w: the transcript has no step %q", assay.ErrNoOutput, "measure")
	}
	if f.Stack != nil && f.Stack.Kind != "" && f.Stack.Kind != kind {
		return fmt.Errorf("ceph: this host's storage is %s already", f.Stack.Kind)
	}
	c, err := clusterOf(step.Output.Stdout)
	if err != nil {
		return err
	}
	if !c.says() {
		return fmt.Errorf("ceph: %w: no health, drives, nodes, pools or version", assay.ErrNoOutput)
	}
	var s assay.StackFacts
	if f.Stack != nil {
		s = *f.Stack
	}
	s.Kind = kind
	if c.health != "" {
		s.Health, s.Lacking = c.health, c.lacking()
	}
	setWord(&s.Version, c.version)
	setNumber(&s.Drives, c.drives())
	setNumber(&s.Nodes, len(c.hosts))
	setNumber(&s.Copies, c.copies())
	f.Stack = &s
	return nil
}

func setWord(to *string, v string) {
	if v != "" {
		*to = v
	}
}

func setNumber(to *int, v int) {
	if v > 0 {
		*to = v
	}
}

// cluster is what an output says about a cluster.
type cluster struct {
	health, version string
	in              int             // drives that hold data, as counted by the status
	osds            map[int]bool    // listed drives
	hosts           map[string]bool // that hold a listed drive
	pools           []poolCopies
	groups          []placed // placement groups by state
}

// placed is the number of placement groups in a state.
type placed struct {
	n     int
	state string
}

// lacking describes how many placement groups are not clean and what most of them
// are; "" if all are clean.
func (c *cluster) lacking() string {
	sum, most := 0, placed{}
	for _, g := range c.groups {
		if strings.HasPrefix(g.state, "active+clean") && !strings.Contains(g.state, "remapped") && !strings.Contains(g.state, "inconsistent") {
			continue
		}
		if sum += g.n; g.n > most.n {
			most = g
		}
	}
	if sum == 0 {
		return ""
	}
	return fmt.Sprintf("%d pgs not clean, most of them %s", sum, most.state)
}

type poolCopies struct {
	name   string
	copies int // 0 for erasure coding: it keeps parts, not copies
}

func newCluster() *cluster {
	return &cluster{osds: map[int]bool{}, hosts: map[string]bool{}}
}

func (c *cluster) says() bool {
	return c.health != "" || c.version != "" || c.in > 0 || len(c.osds) > 0 || len(c.pools) > 0
}

func (c *cluster) drives() int {
	if c.in > 0 {
		return c.in
	}
	return len(c.osds)
}

// ownPools are Ceph's internal pools: no benchmark writes to them.
var ownPools = map[string]bool{".mgr": true, "device_health_metrics": true, ".rgw.root": true}

// copies returns the number of copies that all pools keep, 0 if they differ.
func (c *cluster) copies() int {
	found := 0
	for _, p := range c.pools {
		if ownPools[p.name] {
			continue
		}
		if p.copies == 0 || found != 0 && p.copies != found {
			return 0
		}
		found = p.copies
	}
	return found
}

// most exceeds any count in any cluster.
const most = 1_000_000

func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%.20s is impossible", text)
	}
	return n, nil
}

// readText parses the lines it knows and skips the others.
func readText(text string) (*cluster, error) {
	c := newCluster()
	host := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if m := health.FindStringSubmatch(line); m != nil {
			setWord(&c.health, m[1])
		} else if m := drives.FindStringSubmatch(line); m != nil {
			n, err := count(m[3])
			if err != nil {
				return nil, fmt.Errorf("ceph's line %d: %w", i+1, err)
			}
			c.in = n
		} else if m := groups.FindStringSubmatch(line); m != nil {
			if n, err := count(m[1]); err == nil {
				c.groups = append(c.groups, placed{n, m[2]})
			}
		} else if m := release.FindStringSubmatch(line); m != nil {
			c.version = m[1]
		} else if m := pool.FindStringSubmatch(line); m != nil {
			n, err := count(m[3])
			if err != nil {
				return nil, fmt.Errorf("ceph's line %d: %w", i+1, err)
			}
			if m[2] == "erasure" {
				n = 0
			}
			c.pools = append(c.pools, poolCopies{m[1], n})
		} else if tree.MatchString(line) {
			named := strings.Contains(line, "TYPE NAME")
			host = noHost
			if named {
				host = ""
			}
		} else {
			host = c.treeLine(line, host)
		}
	}
	return c, nil
}

// noHost stands for the host in a list that names none.
const noHost = "\x00"

// treeLine parses a line of osd tree or osd df: a host, or a drive under one.
// It returns the host that the next line is under.
func (c *cluster) treeLine(line, host string) string {
	f := strings.Fields(line)
	if len(f) < 4 {
		return host
	}
	id, err := strconv.Atoi(f[0])
	if err != nil || id > most {
		return host
	}
	for i, word := range f {
		switch {
		case word == "host" && id < 0 && i+1 < len(f):
			return f[i+1]
		case word == "down":
			return host
		}
	}
	switch {
	case id < 0:
		return ""
	case host == noHost && len(f) >= 9:
		c.osds[id] = true
	case host != noHost && strings.Contains(line, "osd."+f[0]):
		c.osds[id] = true
		if host != "" {
			c.hosts[host] = true
		}
	}
	return host
}
