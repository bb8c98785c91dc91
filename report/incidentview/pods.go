package incidentview

import (
	"fmt"
	"strings"
	"time"

	"assay/internal/prose"
	"assay/report/block"
)

// Pod is a failing pod, as Kubernetes reports it.
type Pod struct {
	Name      string    `json:"name"` // namespace/name
	Node      string    `json:"node,omitempty"`
	Container string    `json:"container"`
	State     string    `json:"state"`
	Restarts  int       `json:"restarts"`
	Exit      string    `json:"exit,omitempty"`
	Ended     time.Time `json:"ended,omitzero"`
	Volumes   []string  `json:"volumes,omitempty"` // "/data: claim default/db (local /mnt/a)"
	Said      []string  `json:"said,omitempty"`    // the last lines of the container that ended
}

// pods lists the pods that fail or have failed: how often, with what status, and on what
// storage.
func pods(all []Pod) block.Blocks {
	if len(all) == 0 {
		return nil
	}
	t := block.Table{Columns: []block.Column{{Heading: "pod"}, {Heading: "node"}, {Heading: "state"}, {Heading: "restarts", Right: true}, {Heading: "last exit"}}}
	var more []string
	for _, p := range all {
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(p.Name, p.Node, p.State, fmt.Sprint(p.Restarts), p.Exit)})
		about := p.Name + ": no storage"
		if len(p.Volumes) > 0 {
			about = p.Name + ", " + strings.Join(p.Volumes, "; ")
		}
		if n := len(p.Said); n > 0 {
			about += ". It printed last: " + p.Said[n-1]
		}
		more = append(more, about)
	}
	return block.Blocks{block.Heading{Level: 1, Text: "Pods that fail, or have failed", Aside: prose.Plural(len(all), "pod")}, t, block.List{Items: more}}
}
