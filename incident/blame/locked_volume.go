package blame

import "assay/incident"

var lockedVolume = Rule{ID: "locked-volume", Title: "An encrypted volume was given no key that fits", Check: func(c Case) []Cause {
	events := c.of(incident.LUKSNoKey)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Operator, Host: events[0].Host, How: VeryLikely, Says: "a passphrase or key file that does not match, not a bad disk", Why: "The header of the volume could be read, and none of its slots accepted the key: the wrong key, or a different keyboard layout.", Evidence: quote(3, events),
		Next: []Step{{"check which slots there are, and try the key against one", "cryptsetup luksDump /dev/DEVICE; cryptsetup open --test-passphrase -v /dev/DEVICE"}}, explains: []incident.Kind{incident.LUKSNoKey, incident.RootMissing, incident.MountFailed}}
	if !c.only(cause.explains) {
		cause.How = Possible
	}
	return []Cause{cause}
}}
