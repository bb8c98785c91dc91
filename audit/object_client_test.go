package audit

import "testing"

// ownLoad is what assay's own load on a bucket measures: busy is the share of its
// CPUs that the client used.
func ownLoad(busy float64, labels ...string) printout {
	p := requested("get", 160, .1, append([]string{"tool", "s3", "cpus", "4", "endpoint", "192.0.2.1:3900"}, labels...)...)
	p.figures["object.cpu"] = busy
	return p
}

func TestOwnObjectClient(t *testing.T) {
	lan := lineOf(10, 300e-6)
	const set = "128 MiB are read, and "
	checkForeign(t, []fires{
		{"client-saturated", "all processors", told(lan, ownLoad(.93)), "E", "the client used 93.0 % of the 4 CPUs that it could use, against 80.0 %"},
		{"client-saturated", "one processor", told(lan, ownLoad(.93, "cpus", "1")), "E", "of the one CPU"},
		{"client-saturated", "half of them", told(lan, ownLoad(.5)), "", ""},
		{"cache-state", "cold", told(lan, ownLoad(.1, "cache", "cold: "+set+"the store has 32 MiB of memory")), "", ""},
		{"cache-state", "warm", told(lan, ownLoad(.1, "cache", "warm: 128 MiB that this run wrote")), "", ""},
		{"cache-state", "nobody knows", told(lan, ownLoad(.1, "cache", "unknown: "+set+"nobody knows the store's memory")), "W", "cache unknown: " + set + "nobody knows"},
	})
}
