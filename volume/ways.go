package volume

import "assay"

// Ways are the places of a run's hosts, by name, for volumes with parts on several.
type Ways map[string]assay.Place

// To returns the place of a host, which may be here. The error mentions what the host has
// to do with it: "which has a replica".
func (w Ways) To(here assay.Place, host, has string) (assay.Place, error) {
	if host == here.Host().Name {
		return here, nil
	}
	if there := w[host]; there != nil {
		return there, nil
	}
	return nil, assay.WithHint("give the cluster.yaml that says how to reach it", "host %s, %s, is not reachable from here", host, has)
}
