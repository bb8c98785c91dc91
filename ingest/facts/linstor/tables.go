package linstor

import (
	"slices"
	"strings"
)

// cells returns the words between the bars of a table line; nil for any other
// line.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	for _, bar := range []string{"┊", "|"} {
		if strings.HasPrefix(line, bar) && strings.HasSuffix(line, bar) && len(line) > 2*len(bar) {
			all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, bar), bar), bar)
			for i := range all {
				all[i] = strings.TrimSpace(all[i])
			}
			return all
		}
	}
	return nil
}

// The supported tables.
const (
	tableNodes     = "nodes"
	tableResources = "resources"
	tableVolumes   = "volumes"
)

// kindOf identifies a table by its header; "" for any other.
func kindOf(header []string) string {
	has := func(all ...string) bool {
		for _, name := range all {
			if !slices.Contains(header, name) {
				return false
			}
		}
		return true
	}
	switch {
	case has("Node", "NodeType", "State"):
		return tableNodes
	case has("ResourceName", "Node", "State"):
		return tableResources
	case has("Node", "Resource", "StoragePool", "State"):
		return tableVolumes
	}
	return ""
}

// fromTables reads the tables of a text, one after the other.
func fromTables(text string) placement {
	var p placement
	kind, width := "", 0
	column := map[string]int{}
	for _, line := range strings.Split(text, "\n") {
		row := cells(line)
		if row == nil {
			continue
		}
		if k := kindOf(row); k != "" {
			kind, width = k, len(row)
			clear(column)
			for i, name := range row {
				column[name] = i
			}
			continue
		}
		if kind != "" && len(row) == width {
			p.row(kind, func(name string) string {
				if i, ok := column[name]; ok {
					return row[i]
				}
				return ""
			})
		}
	}
	return p
}

// row reads one row, by the names of its columns.
func (p *placement) row(kind string, at func(string) string) {
	if at("Node") == "" {
		return // a continuation row
	}
	state, _, _ := strings.Cut(at("State"), " ")
	state, _, _ = strings.Cut(state, "(") // SyncTarget(43.13%)
	switch kind {
	case tableNodes:
		p.nodes = append(p.nodes, node{name: at("Node"), kind: at("NodeType"), state: state})
	case tableResources, tableVolumes:
		if layers := at("Layers"); layers != "" && !strings.Contains(layers, "DRBD") {
			return
		}
		if kind == tableVolumes && !strings.HasPrefix(at("DeviceName"), "/dev/drbd") {
			return // a volume that is not replicated
		}
		name := at("ResourceName") + at("Resource")
		p.copies = append(p.copies, replica{
			resource: name, node: at("Node"), state: state, diskless: isDiskless(state), used: at("Usage") == "InUse" || at("InUse") == "InUse",
		})
	}
}
