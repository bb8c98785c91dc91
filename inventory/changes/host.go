package changes

import (
	"assay"
)

// modules are the memory modules.
var modules = kind[assay.DIMM]{
	noun: "memory module", gone: true, fresh: true,
	key: func(d assay.DIMM) string { return words(d.Bank, d.Locator) },
	traits: []trait[assay.DIMM]{{of: func(d assay.DIMM) []string {
		return []string{
			number(float64(d.Bytes), 1<<30, "GiB"), d.Type, number(float64(d.MTs), 1, "MT/s"),
			number(float64(d.Rated), 1, "MT/s rated"), number(float64(d.Width), 1, "bits"), d.Part,
		}
	}}},
}

// programs are the measuring tools.
var programs = kind[assay.ToolFacts]{
	key: func(t assay.ToolFacts) string { return t.Name }, gone: true,
	traits: []trait[assay.ToolFacts]{{of: func(t assay.ToolFacts) []string { return []string{t.Version, t.Path} }}},
}

// stackTraits are the traits of replicated storage, without its health and its
// drives' measured values, which are momentary.
var stackTraits = []trait[assay.StackFacts]{
	{of: func(s assay.StackFacts) []string { return []string{s.Kind, s.Version} }},
	{what: "number of nodes", of: one(func(s assay.StackFacts) string { return count(s.Nodes) })},
	{what: "number of drives", of: one(func(s assay.StackFacts) string { return count(s.Drives) })},
	{what: "number of replicas", of: one(func(s assay.StackFacts) string { return count(s.Copies) })},
	{what: "number of remote replicas", of: one(func(s assay.StackFacts) string { return count(s.Remote) })},
	{what: "pool", of: func(s assay.StackFacts) []string { return assignments(s.Settings) }},
	{what: "OSDs", of: func(s assay.StackFacts) []string { return assignments(s.OSD) }},
	{what: "protocol", of: one(func(s assay.StackFacts) string { return s.Protocol })},
	{what: "way to the clients", of: one(func(s assay.StackFacts) string {
		if s.Outside {
			return "from other hosts"
		}
		return "from its nodes"
	})},
	{what: "network of the copies", of: one(func(s assay.StackFacts) string { return either(s.Apart, "one of its own", "that of the clients") })},
	{what: "interface on the public network", of: one(func(s assay.StackFacts) string { return s.PublicNIC })},
	{what: "interface on the cluster network", of: one(func(s assay.StackFacts) string { return s.ClusterNIC })},
	{what: "way between nodes", of: one(func(s assay.StackFacts) string { return wiring(s.Mesh) })},
}

// cloneTraits are what a guest made for each run is made from, and where.
var cloneTraits = []trait[assay.GuestFacts]{
	{what: "template", of: one(func(g assay.GuestFacts) string { return g.Template })},
	{what: "hypervisor", of: one(func(g assay.GuestFacts) string { return g.Hypervisor })},
}

// assignments returns settings as they are typed.
func assignments(m map[string]string) (all []string) {
	for _, p := range pairs(m) {
		all = append(all, p.name+"="+p.value)
	}
	return all
}
