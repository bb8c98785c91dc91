package hypotheses

import "assay"

// diskCrypt is encryption that the others do not have.
var diskCrypt = Hypothesis{
	ID: "disk-crypt", Layer: "storage", Name: "encryption", Usual: 3, Slower: true,
	Slows:   slows(.7, LargeReads, LargeWrites).and(.4, RandomReads, RandomWrites).and(seldom, SyncWrites, DeviceReads),
	Clues:   []Clue{{Ask: alone(encrypted, func(t string) bool { return t == "encrypted" }), If: .97, Else: .01, Proves: true, Says: "its storage is encrypted, theirs is not"}},
	Decides: "cryptsetup benchmark on that host",
	Remedy:  "Compare cryptsetup benchmark on {host} with its figures; without AES in the CPU, encrypt in the drive",
}

// encrypted reports whether dm-crypt is under what was measured.
func encrypted(f assay.Facts) string {
	text := ""
	for _, d := range f.Dirs {
		for next := []string{d.Device}; len(next) > 0; next = next[1:] {
			b := f.Device(next[0])
			switch {
			case b == nil:
			case b.Kind == "crypt":
				return "encrypted"
			default:
				text, next = "plain", append(next, b.On...)
			}
		}
	}
	return text
}
