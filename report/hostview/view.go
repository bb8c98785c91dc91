package hostview

import (
	"assay"
	"assay/inventory/cluster"
	"assay/inventory/differences"
	"assay/inventory/survey"
)

// View describes the hosts, in the form that JSON has.
type View struct {
	Cluster     string                   `json:"cluster"` // the file
	Hosts       []Host                   `json:"hosts"`
	Differences []differences.Difference `json:"differences"`
}

// Host is one host with its facts, or with the reason it has none.
type Host struct {
	cluster.Host
	Error     string           `json:"error,omitempty"`
	Hint      string           `json:"hint,omitempty"`
	Facts     *assay.Facts     `json:"facts,omitempty"`
	Addresses []survey.Address `json:"addresses,omitempty"`
}

// Build returns the view of the answers from the hosts of c. Interfaces are
// compared on the networks of c, or, if it names none, on those that the
// addresses imply.
func Build(c cluster.Cluster, answers []survey.Answer) View {
	v := View{Cluster: c.File, Hosts: []Host{}, Differences: []differences.Difference{}}
	reached := map[string]string{}
	for i := range answers {
		a := &answers[i]
		reached[a.Host.Name] = a.Host.Address
		h := Host{Host: a.Host, Addresses: a.Addresses}
		if a.Err != nil {
			h.Error, h.Hint = a.Reason(), assay.Hint(a.Err)
		} else {
			h.Facts = &a.Facts
		}
		v.Hosts = append(v.Hosts, h)
	}
	networks := c.Networks
	if len(networks) == 0 {
		networks = survey.Networks(answers, func(host string) string { return reached[host] })
	}
	v.Differences = append(v.Differences, differences.Find(networks, answers)...)
	return v
}

// Answered counts the hosts that answered.
func (v View) Answered() int {
	n := 0
	for _, h := range v.Hosts {
		if h.Facts != nil {
			n++
		}
	}
	return n
}
