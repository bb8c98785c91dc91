package ingest

import (
	"maps"
	"slices"

	"assay"
	"assay/ingest/userfacts"
)

// Run returns the reading as a run that the audit can judge and the store can
// keep. given are facts by host, "" for all hosts: they override facts from
// outputs, and those of one host override those of all.
func (r *Reading) Run(given map[string]assay.Facts) assay.Run {
	run := assay.Run{Suite: assay.ImportSuite, Status: assay.RunDone}
	seen := map[string]bool{}
	add := func(host string) {
		if !seen[host] {
			seen[host] = true
			run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: host})
		}
	}
	for _, it := range r.Items {
		add(it.Trial.Subject.Host)
		run.Results = append(run.Results, it.Result)
		run.Inventory.Subjects = appendNew(run.Inventory.Subjects, it.Trial.Subject)
	}
	for _, host := range slices.Sorted(maps.Keys(r.Facts)) {
		add(host) // even if nothing was measured on it
	}
	run.Inventory.Facts = map[string]assay.Facts{}
	for host := range seen {
		known := userfacts.Merge(userfacts.Merge(r.Facts[""], given[""]), assay.Facts{Host: host})
		if host != "" {
			known = userfacts.Merge(userfacts.Merge(userfacts.Merge(r.Facts[""], r.Facts[host]), given[""]), given[host])
			known.Host = host
		}
		run.Inventory.Facts[host] = known
	}
	return run
}

func appendNew(all []assay.Subject, s assay.Subject) []assay.Subject {
	for _, other := range all {
		if other.ID == s.ID {
			return all
		}
	}
	return append(all, s)
}
