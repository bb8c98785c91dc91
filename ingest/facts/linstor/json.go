package linstor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay"
	"assay/internal/jsondoc"
)

// fromJSON parses linstor -m output: nested lists of nodes or resources, and
// the single object of the first versions, which keeps states and resources
// apart.
func fromJSON(text []byte) (placement, error) {
	var p placement
	decoder := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return p, assay.WithHint("keep the whole output", "linstor: truncated JSON")
	}
	doc, err := jsondoc.Parse(text[:decoder.InputOffset()], 1)
	if err != nil {
		return p, fmt.Errorf("linstor: %w", err)
	}
	for _, n := range doc.Objects() {
		switch {
		case n.At("net_interfaces").Exists():
			p.nodes = append(p.nodes, node{name: n.At("name").Text(), kind: n.At("type").Text(), state: n.At("connection_status").Text()})
		case n.At("resource_states").Exists():
			p.first(n)
		case n.At("node_name").Exists():
			p.resource(n)
		}
	}
	return p, nil
}

// resource reads one resource on one node.
func (p *placement) resource(n jsondoc.Node) {
	if kind := n.At("layer_object", "type").Text(); kind != "" && !strings.Contains(kind, "DRBD") && !hasDRBD(n.At("layer_object"), 0) {
		return
	}
	r := replica{resource: n.At("name").Text(), node: n.At("node_name").Text()}
	r.used, _ = n.At("state", "in_use").Bool()
	for _, flag := range n.At("flags").List() {
		switch flag.Text() {
		case "DISKLESS", "DRBD_DISKLESS", "TIE_BREAKER":
			r.diskless = true
		}
	}
	for _, v := range n.At("volumes").List() {
		state := v.At("state", "disk_state").Text()
		r.diskless = r.diskless || v.At("provider_kind").Text() == "DISKLESS" || isDiskless(state)
		if r.state == "" || r.state == "UpToDate" {
			r.state = state
		}
	}
	p.copies = append(p.copies, r)
}

// hasDRBD reports whether a layer (a cache, encryption) is on top of DRBD.
func hasDRBD(layer jsondoc.Node, depth int) bool {
	for _, child := range layer.At("children").List() {
		if child.At("type").Text() == "DRBD" || depth < 8 && hasDRBD(child, depth+1) {
			return true
		}
	}
	return false
}

// first reads the JSON of LINSTOR before 0.9.
func (p *placement) first(n jsondoc.Node) {
	for _, s := range n.At("resource_states").List() {
		r := replica{resource: s.At("rsc_name").Text(), node: s.At("node_name").Text()}
		r.used, _ = s.At("in_use").Bool()
		for _, v := range s.At("vlm_states").List() {
			state := v.At("disk_state").Text()
			r.diskless = r.diskless || isDiskless(state)
			if r.state == "" || r.state == "UpToDate" {
				r.state = state
			}
		}
		p.copies = append(p.copies, r)
	}
}

func isDiskless(state string) bool {
	return state == "Diskless" || state == "TieBreaker"
}
