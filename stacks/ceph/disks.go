package ceph

import (
	"fmt"
	"strings"

	"assay/internal/jsondoc"
)

// ReadDisks reads ceph osd metadata --format json: the kernel names of the drives under
// each OSD, by OSD number. An OSD that is down has none.
func ReadDisks(text []byte) (map[int][]string, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil || !n.IsList() {
		return nil, fmt.Errorf("ceph osd metadata: expected a list of OSDs: %w", errOr(err))
	}
	all := map[int][]string{}
	for _, o := range n.List() {
		number, err := count(o, "id")
		if err != nil {
			return nil, err
		}
		for device := range strings.SplitSeq(o.At("devices").Text(), ",") {
			if device = strings.TrimSpace(device); device != "" {
				all[number] = append(all[number], device)
			}
		}
	}
	return all, nil
}
