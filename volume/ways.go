package volume

import "assay"

// Ways are the ways to the hosts of a run, by name, for what has a part on several.
type Ways map[string]assay.Place

// To is the way to a host, which may be the one that here leads to. The error says what the
// host has to do with it: "which has a replica".
func (w Ways) To(here assay.Place, host, has string) (assay.Place, error) {
	if host == here.Host().Name {
		return here, nil
	}
	if there := w[host]; there != nil {
		return there, nil
	}
	return nil, assay.WithHint("give the cluster.yaml that says how to reach it", "host %s, %s, is not reachable from here", host, has)
}
