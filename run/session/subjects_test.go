package session

import (
	"maps"
	"strings"
	"testing"

	"assay"
	"assay/inventory"
	"assay/plan"
	probeall "assay/probe/all"
)

// What a stored trial names beside its subject is replaced too: the other end of a link, and
// the addresses of both.
func TestAStoredLinkIsMeasuredWhereItIsNow(t *testing.T) {
	inv := assay.Inventory{
		Hosts:    []assay.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}},
		Facts:    map[string]assay.Facts{"a": {Host: "a"}, "b": {Host: "b"}, "c": {Host: "c"}},
		Networks: []assay.Network{{Name: "net", Addresses: map[string]string{"a": "10.0.0.1", "b": "10.0.0.2", "c": "10.0.0.3"}}},
	}
	inv.Subjects = inventory.Links(inv)
	s := &Session{inventory: inv, probes: probeall.Probes()}
	genuine := assay.Trial{
		ID: "iperf3/tcp@a/link/net:b", Probe: "iperf3", Case: "tcp", Subject: inv.Subjects[0], Peer: "b",
		Settings: map[string]string{"mode": "tcp-single", "network": "net", "from": "a", "to": "b", "from_address": "10.0.0.1", "to_address": "10.0.0.2"},
	}
	for what, forge := range map[string]func(*assay.Trial){
		"nothing":             func(*assay.Trial) {},
		"the address":         func(one *assay.Trial) { one.Settings["to_address"] = "203.0.113.1" },
		"and the network":     func(one *assay.Trial) { one.Settings["to_address"], one.Subject.Network = "203.0.113.1", "elsewhere" },
		"and the setting":     func(one *assay.Trial) { one.Settings["to_address"], one.Settings["to"] = "203.0.113.1", "elsewhere" },
		"the other end":       func(one *assay.Trial) { one.Peer = "c" },
		"the subject's other": func(one *assay.Trial) { one.Subject.Peer = "c" },
	} {
		one := genuine
		one.Settings = maps.Clone(genuine.Settings)
		forge(&one)
		p, err := s.withSubjectsOfNow(plan.Plan{Suite: "cluster", Trials: []assay.Trial{one}})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if is := p.Trials[0]; is.Peer != "b" || is.Subject.Peer != "b" || is.Settings["to_address"] != "10.0.0.2" || is.Settings["from_address"] != "10.0.0.1" {
			t.Errorf("%s: to %s (%s), %v", what, is.Peer, is.Subject.Peer, is.Settings)
		}
	}
}

// A volume is given only subjects of its own: it was chosen by a database.
func TestAStoredTrialChoosesNoVolume(t *testing.T) {
	s := &Session{inventory: assay.Inventory{Subjects: []assay.Subject{
		{ID: "a/directory//srv", Kind: assay.KindDirectory, Host: "a", Name: "/srv"},
		{ID: "a/directory//mnt", Kind: assay.KindDirectory, Host: "a", Name: "/mnt", Volume: "hostpath"},
		{ID: "a/pool/p", Kind: assay.KindPool, Host: "a", Name: "p", Volume: "cephpool"},
	}}}
	for _, c := range []struct {
		subject, volume string
		scratch         int64
		refused         bool
	}{
		{"a/directory//srv", "dir", 1, false},
		{"a/directory//srv", "bucket", 1, true},
		{"a/directory//srv", "bucket", 0, false}, // none is lent
		{"a/directory//mnt", "hostpath", 1, false},
		{"a/directory//mnt", "dir", 1, false},
		{"a/directory//mnt", "rawblock", 1, true},
		{"a/pool/p", "cephpool", 1, false},
		{"a/pool/p", "radosspace", 1, true},
		{"a/pool/p", "dir", 1, true},
	} {
		one := assay.Trial{ID: "x@" + c.subject, Subject: assay.Subject{ID: c.subject, Host: "a", Volume: c.volume}, Scratch: c.scratch, Volume: c.volume}
		_, err := s.withSubjectsOfNow(plan.Plan{Suite: "quick", Trials: []assay.Trial{one}})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), `was lent as "`+c.volume) {
			t.Errorf("%s by %s: %v", c.subject, c.volume, err)
		}
	}
}
