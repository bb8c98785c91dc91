package documents_test

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/audit"
	"assay/reference/documents"
)

// evidence returns what a document publishes, as the rules see it.
func evidence(d documents.Document) audit.Evidence {
	return audit.Evidence{Inventory: assay.Inventory{Facts: d.Table.Facts}, Results: d.Table.Results}
}

// The mistakes of each document were worked out by hand: at least these rules
// find them.
var found = map[string][]int{
	"four_proxmox_hosts":   {1, 4, 11, 12, 13, 14, 33, 37, 49, 50, 51},
	"linstor_cluster":      {8, 11, 15, 20, 21, 24, 26, 27, 34, 48, 51},
	"proxmox_ceph":         {19, 21, 22, 28, 40, 43, 44, 51},
	"raspberry_pi_storage": {3, 18, 20, 22, 33, 45, 51, 52},
	"wyse_dd":              {18, 19, 33},
}

func TestKnownMistakesAreFound(t *testing.T) {
	for _, d := range documents.All() {
		findings := audit.Audit(evidence(d))
		for _, number := range found[d.Name] {
			fires := slices.ContainsFunc(findings, func(f assay.Finding) bool {
				return f.Severity != assay.NotChecked && f.Rule == rule(t, number).ID
			})
			if !fires {
				t.Errorf("%s: rule %d, %s, does not fire", d.Name, number, rule(t, number).ID)
			}
		}
	}
}

// What looks like a mistake but is not.
func TestWhatIsRightIsNotFound(t *testing.T) {
	for _, c := range []struct {
		document string
		number   int
		about    string // part of the subject, "" for all
		why      string
	}{
		{"linstor_cluster", 23, "", "p99.99 of 279 ms over a greatest of 277 ms is the histogram's own error"},
		{"linstor_cluster", 25, "", "shares of printed buckets add up to 100.03 % by rounding"},
		{"linstor_cluster", 5, "", "9.37 Gb/s of 10 is what TCP can carry"},
		{"linstor_cluster", 10, "", "33 of 34 retransmits are of slow start"},
		{"four_proxmox_hosts", 5, "", "9.39 Gb/s of 10, and .93 of 1, are what TCP can carry"},
		{"proxmox_ceph", 29, "Seagate", "117 synchronous writes a second are fewer than the turns of a disk"},
		{"proxmox_ceph", 20, "client", "latency and operations of the pool agree with 16, 32 and 48 in flight"},
		{"proxmox_ceph", 44, "1 client", "one client's spread is its own"},
	} {
		i := slices.IndexFunc(documents.All(), func(d documents.Document) bool { return d.Name == c.document })
		for _, f := range audit.Audit(evidence(documents.All()[i])) {
			if f.Rule == rule(t, c.number).ID && f.Severity != assay.NotChecked && strings.Contains(f.Subject, c.about) {
				t.Errorf("%s: rule %d, %s, says %s of %s: %s; but %s", c.document, c.number, f.Rule, f.Severity, f.Subject, f.Arithmetic, c.why)
			}
		}
	}
}

// Two clients read as many objects as they wrote before: that is consistent.
func TestReadsOfAllThatWasWrittenAreConsistent(t *testing.T) {
	i := slices.IndexFunc(documents.All(), func(d documents.Document) bool { return d.Name == "proxmox_ceph" })
	for _, f := range audit.Audit(evidence(documents.All()[i])) {
		if f.Rule == rule(t, 43).ID && f.Severity != assay.NotChecked && !strings.Contains(f.Arithmetic, "614") {
			t.Errorf("%s: %s", f.Subject, f.Arithmetic)
		}
	}
}

func rule(t *testing.T, number int) audit.Rule {
	t.Helper()
	i := slices.IndexFunc(audit.Rules(), func(r audit.Rule) bool { return r.Number == number })
	if i < 0 {
		t.Fatalf("no rule %d", number)
	}
	return audit.Rules()[i]
}
