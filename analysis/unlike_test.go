package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/analysis/hypotheses"
)

func TestUnlike(t *testing.T) {
	kernel := func(versions ...string) map[string]assay.Facts {
		facts := map[string]assay.Facts{}
		for i, v := range versions {
			facts[[]string{"a", "b", "c", "d"}[i]] = assay.Facts{OS: assay.OSFacts{Kernel: v}}
		}
		return facts
	}
	governed := func(host string, driver, governor string, to map[string]assay.Facts) map[string]assay.Facts {
		f := to[host]
		f.CPU.Driver, f.CPU.Governor = driver, governor
		to[host] = f
		return to
	}
	odd := []Unlike{{Host: "c", Traits: []OddTrait{{"kernel", "6.1", "6.8"}}}}

	explained := []Outlier{{Standout: Standout{Host: "c"}, Why: &hypotheses.Cause{Hypothesis: &hypotheses.Hypothesis{}, Evidence: []string{"its kernel is 6.1, theirs 6.8"}}}}
	other := []Outlier{{Standout: Standout{Host: "c"}, Why: &hypotheses.Cause{Hypothesis: &hypotheses.Hypothesis{}, Evidence: []string{"its link is 1 Gb/s"}}}}
	slow := []Unlike{{Host: "c", Traits: odd[0].Traits, Slow: true}}
	for _, c := range []struct {
		name     string
		facts    map[string]assay.Facts
		outliers []Outlier
		want     []Unlike
	}{
		{"one of four", kernel("6.8", "6.8", "6.1", "6.8"), nil, odd},
		{"alike", kernel("6.8", "6.8", "6.8", "6.8"), nil, nil},
		{"two of four", kernel("6.8", "6.1", "6.1", "6.8"), nil, nil},
		{"the others differ too", kernel("6.8", "6.9", "6.1", "6.8"), nil, nil},
		{"one of two", kernel("6.8", "6.1"), nil, nil},
		{"not known of one", kernel("6.8", "6.8", "6.1", ""), nil, odd},
		{"not known of two", kernel("6.8", "", "6.1", ""), nil, nil},
		{"its own is not known", kernel("6.8", "6.8", "", "6.8"), nil, nil},
		{"told as a cause", kernel("6.8", "6.8", "6.1", "6.8"), explained, nil},
		{"slow for another reason", kernel("6.8", "6.8", "6.1", "6.8"), other, slow},
		{"a governor of another driver", governed("a", "intel_pstate", "powersave", governed("b", "acpi-cpufreq", "performance",
			governed("c", "acpi-cpufreq", "performance", kernel("6.8", "6.8", "6.8")))), nil, nil},
	} {
		b := builder{run: assay.Run{Inventory: assay.Inventory{Facts: c.facts}}}
		if diff := cmp.Diff(c.want, b.unlike(&Side{Hosts: []string{"a", "b", "c", "d"}}, c.outliers)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// A cause names a fact only by its words, not where its text is part of another
// word.
func TestFactsThatACauseNames(t *testing.T) {
	for _, c := range []struct {
		trait    OddTrait
		evidence string
		want     bool
	}{
		{OddTrait{"clock synchronisation", "no", "yes"}, "its control group has an I/O limit (loop3 60 writes/s), theirs none", false},
		{OddTrait{"clock synchronisation", "no", "yes"}, "its repeats differ by no more than 1 %", false},
		{OddTrait{"turbo", "off", "on"}, "its turbo is off, theirs on", true},
		{OddTrait{"governor", "powersave", "performance"}, "its governor is powersave, theirs performance", true},
		{OddTrait{"net.ipv4.tcp_rmem", "4096 8192 8192", "4096 131072 33554432"}, "its net.ipv4.tcp_rmem is 4096 8192 8192, theirs 4096 131072 33554432", true},
	} {
		if got := c.trait.isIn(c.evidence); got != c.want {
			t.Errorf("%q in %q: %v", c.trait.Own, c.evidence, got)
		}
	}
}
