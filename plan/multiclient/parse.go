package multiclient

import (
	"fmt"
	"maps"
	"strconv"

	"assay"
)

// Labels of the figures of several hosts.
const (
	labelClients = "clients" // on a total: the number of hosts
	labelHost    = "host"    // on a host's share: its name
)

// Parser reads what a tool printed; every assay.Probe is one.
type Parser interface {
	Parse(tr assay.Transcript) ([]assay.Measurement, error)
}

// Parse parses a transcript of any trial. One of a single host is left to the
// parser; for several, it returns the totals, then the figures of each host. It
// is as pure and total as the parser. An error names the host.
func Parse(p Parser, tr assay.Transcript) ([]assay.Measurement, error) {
	parts := Split(tr)
	if len(parts) < 2 {
		return p.Parse(tr)
	}
	var shares []share
	for _, part := range parts {
		all, err := p.Parse(part.Transcript)
		if err != nil {
			return nil, fmt.Errorf("host %s: %w", part.Host, err)
		}
		shares = append(shares, newShare(part.Host, all))
	}
	out, together := totals(shares)
	for _, s := range shares {
		for i, m := range s.all {
			if !together[s.keys[i]] {
				continue
			}
			m.Labels = maps.Clone(m.Labels)
			if m.Labels == nil {
				m.Labels = map[string]string{}
			}
			m.Labels[labelHost] = s.host
			out = append(out, m)
		}
	}
	return out, nil
}

// Of returns a result with the figures, the watch and the transcripts of only one of
// its hosts, without the label host, for comparison with that host's kernel and
// hardware. A result of one host is returned unchanged.
func Of(r assay.Result, host string) assay.Result {
	if len(r.Trial.Others) == 0 {
		return r
	}
	repeats := r.Repeats
	r.Repeats = nil
	for _, rep := range repeats {
		rep.Measurements = ofHost(rep.Measurements, host)
		if host != r.Trial.Subject.Host {
			rep.Watch = rep.Watches[host]
		}
		rep.Watches = nil
		for _, part := range Split(rep.Transcript) {
			if part.Host == host {
				rep.Transcript = part.Transcript
			}
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return r
}

func ofHost(all []assay.Measurement, host string) []assay.Measurement {
	var own []assay.Measurement
	for _, m := range all {
		if m.Labels[labelHost] == host && m.Labels[labelClients] == "" {
			m.Labels = maps.Clone(m.Labels)
			delete(m.Labels, labelHost)
			own = append(own, m)
		}
	}
	return own
}

// common returns the labels that all shares of a figure agree on, and the
// number of hosts.
func common(parts []assay.Measurement) map[string]string {
	labels := map[string]string{}
	for key, value := range parts[0].Labels {
		alike := true
		for _, m := range parts[1:] {
			v, there := m.Labels[key]
			alike = alike && there && v == value
		}
		if alike {
			labels[key] = value
		}
	}
	delete(labels, labelHost)
	labels[labelClients] = strconv.Itoa(len(parts))
	return labels
}
