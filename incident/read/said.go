package read

import "assay/incident"

// said returns signatures of one kind, without a device, for words that mean it
// anywhere.
func said(kind incident.Kind, words ...string) []signature {
	all := make([]signature, len(words))
	for i, w := range words {
		all[i] = signature{has: w, kind: kind, device: nothing}
	}
	return all
}
