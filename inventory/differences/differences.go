package differences

import (
	"cmp"

	"assay"
	"assay/internal/order"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/inventory/traits"
)

// Difference is one thing that differs between hosts that should have it alike.
type Difference struct {
	What   string  `json:"what"`            // "kernel", "MTU on storage"
	Among  string  `json:"among,omitempty"` // what these hosts have in common; "" for all hosts
	Values []Value `json:"values"`          // the most common first
	// Usual is the value of more than half of the hosts, or the one that
	// cluster.yaml asks for; "" if there is none.
	Usual    string `json:"usual,omitempty"`
	Declared bool   `json:"declared,omitempty"` // Usual is from cluster.yaml
	// Odd are the hosts without the usual value; empty if there is none: then
	// they simply differ.
	Odd    []string `json:"odd,omitempty"`
	Silent []string `json:"silent,omitempty"` // hosts that do not say it
}

// Value is a value and the hosts that have it.
type Value struct {
	Text  string   `json:"text"`
	Hosts []string `json:"hosts"`
}

// Find returns the differences between the hosts that answered, in the order in
// which one would look. networks are those whose interfaces should be alike, as
// found by survey.Networks or named in cluster.yaml.
func Find(networks []cluster.Network, answers []survey.Answer) []Difference {
	var found []Difference
	add := func(t gathered, declared string) {
		for _, g := range t.groups {
			if d, differs := g.compare(t.what, declared); differs {
				found = append(found, d)
			}
		}
	}
	for _, t := range traits.Host {
		if t.For(traits.Alike) {
			add(gather(t.Name, answers, ofHost(t)), "")
		}
	}
	for _, t := range itemTraits() {
		for _, item := range t.items(answers) {
			add(gather(t.what+item, answers, func(a survey.Answer) (string, string, bool) {
				text, has := t.of(a, item)
				return text, "", has
			}), "")
		}
	}
	for _, n := range networks {
		for _, t := range perNetwork {
			declared := t.declared(n)
			add(gather(t.what+n.Name, answers, func(a survey.Answer) (string, string, bool) {
				on := n.Address(a.Host.Name).IsValid()
				if !on {
					return "", "", false
				}
				return t.of(a, n), "", true
			}), declared)
		}
		found = append(found, duplicates(n, answers)...)
	}
	return found
}

// ofHost reads a trait from a host's answer.
func ofHost(t traits.Trait[assay.Facts]) func(survey.Answer) (text, among string, asked bool) {
	return func(a survey.Answer) (text, among string, asked bool) {
		if asked = true; t.Among != nil {
			among, asked = t.Among(a.Facts)
		}
		return t.Text(a.Facts), among, asked
	}
}

// gathered is what hosts report about one thing, in groups that should be
// alike.
type gathered struct {
	what   string
	groups []*group
}

// group is hosts that should report the same.
type group struct {
	among  string
	values []Value
	silent []string
}

// gather collects a value from each host that answered. of returns the value,
// "" if unknown; the group in which it is comparable; and whether it applies to
// the host at all.
func gather(what string, answers []survey.Answer, of func(survey.Answer) (text, among string, asked bool)) gathered {
	t := gathered{what: what}
	for _, a := range answers {
		if a.Err != nil {
			continue
		}
		text, among, asked := of(a)
		if !asked {
			continue
		}
		t.group(among).add(a.Host.Name, text)
	}
	return t
}

func (t *gathered) group(among string) *group {
	for _, g := range t.groups {
		if g.among == among {
			return g
		}
	}
	g := &group{among: among}
	t.groups = append(t.groups, g)
	return g
}

func (g *group) add(host, text string) {
	if text == "" {
		g.silent = append(g.silent, host)
		return
	}
	for i := range g.values {
		if g.values[i].Text == text {
			g.values[i].Hosts = append(g.values[i].Hosts, host)
			return
		}
	}
	g.values = append(g.values, Value{text, []string{host}})
}

// compare reports whether the group differs, within itself or from what is
// declared.
func (g *group) compare(what, declared string) (Difference, bool) {
	same := len(g.values) < 2
	if declared != "" && len(g.values) == 1 {
		same = g.values[0].Text == declared
	}
	if same {
		return Difference{}, false
	}
	order.Stable(g.values, func(a, b Value) int { return cmp.Compare(len(b.Hosts), len(a.Hosts)) })
	d := Difference{What: what, Among: g.among, Values: g.values, Usual: declared, Declared: declared != "", Silent: g.silent}
	speaking := 0
	for _, v := range g.values {
		speaking += len(v.Hosts)
	}
	if declared == "" && 2*len(g.values[0].Hosts) > speaking {
		d.Usual = g.values[0].Text
	}
	for _, v := range g.values {
		if d.Usual != "" && v.Text != d.Usual {
			d.Odd = append(d.Odd, v.Hosts...)
		}
	}
	return d, true
}
