package plan

import (
	"fmt"
	"maps"
	"slices"

	"assay"
	"assay/internal/order"
	"assay/plan/multiclient"
)

// atOnce returns a case's trials on several hosts of each tier at once: on two of
// them, on three, and so on up to all that can measure it, in the order in which
// the tier names them. On one host it is the ordinary trial. If a host has several
// subjects of a tier, the first takes part.
func atOnce(inv assay.Inventory, trials []assay.Trial) []assay.Trial {
	var tiers []string
	byTier := map[string][]assay.Trial{}
	for _, t := range trials {
		name := t.Subject.Tier
		if name == "" || t.Absent != nil || t.Peer != "" {
			continue
		}
		if len(byTier[name]) == 0 {
			tiers = append(tiers, name)
		}
		if !slices.ContainsFunc(byTier[name], func(o assay.Trial) bool { return o.Subject.Host == t.Subject.Host }) {
			byTier[name] = append(byTier[name], t)
		}
	}
	var out []assay.Trial
	for _, name := range tiers {
		members := byTier[name]
		order.Stable(members, func(a, b assay.Trial) int {
			return rankIn(inv, name, a.Subject.Host) - rankIn(inv, name, b.Subject.Host)
		})
		for _, k := range multiclient.Counts(len(members)) {
			out = append(out, joint(members[:k]))
		}
	}
	return out
}

// onePerTier keeps, for each tier, the trials of the first host that can measure
// it: what each host gets alone is worth the time only if they are measured at
// once as well.
func onePerTier(inv assay.Inventory, trials []assay.Trial) []assay.Trial {
	first := map[string]string{}
	for _, able := range []bool{true, false} {
		for _, t := range trials {
			tier, host := t.Subject.Tier, t.Subject.Host
			chosen, known := first[tier]
			switch {
			case tier == "" || able != (t.Absent == nil):
			case !known, able && rankIn(inv, tier, host) < rankIn(inv, tier, chosen):
				first[tier] = host
			}
		}
	}
	return slices.DeleteFunc(trials, func(t assay.Trial) bool { return t.Subject.Tier != "" && t.Subject.Host != first[t.Subject.Tier] })
}

// rankIn returns a host's position in its tier; one that the tier does not name
// is last.
func rankIn(inv assay.Inventory, tier, host string) int {
	for _, t := range inv.Tiers {
		if i := slices.Index(t.Hosts, host); t.Name == tier && i >= 0 {
			return i
		}
	}
	return 1 << 30
}

// joint returns a case on several hosts at once. All have the same settings and
// as much scratch space as the one with the least; hosts that would be measured
// in different ways are not added up.
func joint(members []assay.Trial) assay.Trial {
	k, first := len(members), members[0]
	t := first
	t.Case, t.Title = multiclient.Case(first.Case, k), multiclient.Title(first.Title, k)
	t.ID = fmt.Sprintf("%s/%s@%s", t.Probe, t.Case, t.Subject.ID)
	t.Claims = nil
	for i, m := range members {
		if i > 0 {
			t.Others = append(t.Others, m.Subject)
		}
		for _, claim := range m.Claims {
			if !slices.Contains(t.Claims, claim) {
				t.Claims = append(t.Claims, claim)
			}
		}
		if m.Scratch < t.Scratch {
			t.Scratch, t.Settings = m.Scratch, m.Settings
		}
		t.Overhead = max(t.Overhead, m.Overhead)
		t.Bound = max(t.Bound, m.Bound)
	}
	for _, m := range members[1:] {
		if what := unlike(first, m); what != "" {
			t.Absent = &assay.Absence{
				Word: assay.NotSupported,
				Why:  fmt.Sprintf("%s and %s would be measured in different ways (%s), so their total would be meaningless", first.Subject.Host, m.Subject.Host, what),
				Hint: "set it in the suite's case to a value that all hosts support",
			}
			break
		}
	}
	if t.Absent != nil {
		t.Scratch = 0
	}
	return t
}

// unlike returns the first difference in how two hosts are measured, "" for none.
// How much scratch space each would choose does not count: all get the least.
func unlike(a, b assay.Trial) string {
	if a.Probe != b.Probe {
		return a.Probe + " and " + b.Probe
	}
	if a.Volume != b.Volume {
		return fmt.Sprintf("volume %q and %q", a.Volume, b.Volume)
	}
	keys := maps.Clone(a.Settings)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, b.Settings)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		x, y := a.Settings[key], b.Settings[key]
		chosen := x == fmt.Sprint(a.Scratch) && y == fmt.Sprint(b.Scratch)
		if x != y && !chosen {
			return fmt.Sprintf("%s %q and %q", key, x, y)
		}
	}
	return ""
}
