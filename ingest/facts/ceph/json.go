package ceph

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assay"
	"assay/internal/jsondoc"
)

// clusterOf parses an output: a JSON document, with or without text after it, or
// text.
func clusterOf(out []byte) (*cluster, error) {
	trimmed := bytes.TrimLeft(out, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return readText(string(out))
	}
	first := 1 + bytes.Count(out[:len(out)-len(trimmed)], []byte("\n"))
	var raw json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(trimmed)).Decode(&raw); err != nil {
		return nil, assay.WithHint("keep the whole output", "ceph's line %d: broken or truncated JSON", first)
	}
	n, err := jsondoc.Parse(raw, first)
	if err != nil {
		return nil, fmt.Errorf("ceph: %w", err)
	}
	return readJSON(n)
}

func readJSON(n jsondoc.Node) (*cluster, error) {
	c := newCluster()
	c.health = n.At("health", "status").Text()
	if c.health == "" {
		c.health = n.At("health", "overall_status").Text() // Kraken and before
	}
	osdmap := n.At("osdmap")
	if inner := osdmap.At("osdmap"); inner.IsObject() {
		osdmap = inner // Nautilus and before
	}
	in, known, err := osdmap.At("num_in_osds").NotNegative("num_in_osds", 1)
	if err == nil && known && in > most {
		err = fmt.Errorf("line %d: num_in_osds is %g, which is impossible", osdmap.Line(), in)
	}
	if err != nil {
		return nil, fmt.Errorf("ceph's %w", err)
	}
	c.in = int(in)
	for _, g := range n.At("pgmap", "pgs_by_state").List() {
		if k, ok := g.At("count").Number(); ok && k >= 0 && k <= most {
			c.groups = append(c.groups, placed{int(k), g.At("state_name").Text()})
		}
	}
	c.nodes(n.At("nodes").List())
	for _, p := range n.List() {
		name := p.At("pool_name").Text()
		size, okSize := p.At("size").Number()
		form, okForm := p.At("type").Number()
		if name == "" || !okSize || !okForm || size < 1 || size > most {
			continue
		}
		if form != replicated {
			size = 0
		}
		c.pools = append(c.pools, poolCopies{name, int(size)})
	}
	return c, nil
}

// replicated is the JSON type of a replicated pool.
const replicated = 1

// nodes reads the buckets and drives of osd tree and osd df.
func (c *cluster) nodes(list []jsondoc.Node) {
	for _, d := range list {
		id, ok := d.At("id").Number()
		if ok && d.At("type").Text() == "osd" && d.At("status").Text() != "down" && id >= 0 && id <= most {
			c.osds[int(id)] = true
		}
	}
	for _, b := range list {
		if b.At("type").Text() != "host" {
			continue
		}
		for _, child := range b.At("children").List() {
			if id, ok := child.Number(); ok && id >= 0 && id <= most && c.osds[int(id)] {
				c.hosts[b.At("name").Text()] = true
				break
			}
		}
	}
}
