package read

import "assay/incident"

// said are signatures of one kind whose words mean it wherever they stand, of no device.
func said(kind incident.Kind, words ...string) []signature {
	all := make([]signature, len(words))
	for i, w := range words {
		all[i] = signature{has: w, kind: kind, device: nothing}
	}
	return all
}
