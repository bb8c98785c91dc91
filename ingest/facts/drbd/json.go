package drbd

import (
	"fmt"

	"assay/internal/jsondoc"
)

// fromJSON reads drbdsetup status --json.
func fromJSON(text []byte) ([]resource, error) {
	raw, err := document(text)
	if err != nil {
		return nil, err
	}
	doc, err := jsondoc.Parse(raw, 1)
	if err != nil {
		return nil, fmt.Errorf("drbd: %w", err)
	}
	list := doc.List()
	if doc.IsObject() {
		list = []jsondoc.Node{doc}
	}
	var all []resource
	for _, n := range list {
		if !n.At("devices").Exists() {
			continue
		}
		r := resource{name: n.At("name").Text()}
		for _, d := range n.At("devices").List() {
			r.disks = append(r.disks, d.At("disk-state").Text())
		}
		for _, c := range n.At("connections").List() {
			p := peer{name: c.At("name").Text(), connection: c.At("connection-state").Text()}
			for _, d := range c.At("peer_devices").List() {
				p.disks = append(p.disks, d.At("peer-disk-state").Text())
			}
			r.peers = append(r.peers, p)
		}
		all = append(all, r)
	}
	return all, nil
}
