package report

import (
	"fmt"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// operations names the large operations that a figure measures: "sequential
// writes", "PUTs of 10 MiB".
func operations(b analysis.TierBind) string {
	words := strings.Split(b.Metric, ".")
	switch {
	case words[0] == "object":
		return fmt.Sprintf("%ss of %s", strings.ToUpper(words[1]), quantity.Size(b.Size))
	case b.Random:
		return "random " + words[1] + "s"
	}
	return "sequential " + words[1] + "s"
}

// bindWords describes what limits a tier.
func bindWords(b analysis.TierBind) string {
	who, missing := b.Column+": ", strings.Join(b.Missing, ", ")
	switch b.Says {
	case analysis.ClientBinds:
		return fmt.Sprintf("%s%s are limited by the client's own CPU [%d]", who, operations(b), b.Busy)
	case analysis.NoLimit:
		return who + joinWords("; missing: ", "can't tell what limits "+operations(b), missing)
	}
	if b.Says == analysis.HolderBinds {
		for _, l := range b.Holders {
			if l.Binds() {
				return who + operations(b) + " are limited by " + holderWords(l)
			}
		}
	}
	if b.Pool && (b.Says == analysis.FarBelow || b.Says == analysis.BelowLimit) {
		return who + poolWords(b)
	}
	near := b.Nearest
	head := fmt.Sprintf("%s%s at %.0f %% of %s (%s)", who, operations(b), 100*b.Share, near.Name, quantity.Amount(near.Value, assay.BytesPerSecond))
	switch b.Says {
	case analysis.BeyondLimit:
		return head + ": exceeds this limit, so it is not the bottleneck; check the facts"
	case analysis.LimitBinds:
		return head
	case analysis.FarBelow:
		besides := "software, clients or queue depth"
		if near.Drive { // its link's limit is not the drive's own
			besides = "the drive itself, software or queue depth"
		}
		return head + ", less than half of every known hardware limit: check " + besides
	}
	return joinWords("; unknown: ", head+", the nearest known limit", missing)
}

// explains is the share of the latency's prediction from which a measured value counts
// as explained by latency.
const explains = .7

// poolWords describes how far replicated storage is from each of its limits, and what to
// do next: if no hardware limits it, latency does, and more operations in flight hide
// that.
func poolWords(b analysis.TierBind) string {
	var shares []string
	for _, l := range b.Limits {
		if l.Load {
			continue
		}
		word := "'s"
		if strings.HasSuffix(l.Name, "s") {
			word = "'"
		}
		if len(shares) == 0 {
			word += " ceiling"
		}
		shares = append(shares, fmt.Sprintf("%.0f %% of %s%s (%s)", 100*b.Value/l.Value, l.Name, word, quantity.Amount(l.Value, assay.BytesPerSecond)))
	}
	text := operations(b) + " at " + prose.And(shares)
	switch {
	case len(b.Missing) > 0:
		text += "; unknown: " + strings.Join(b.Missing, ", ")
	case len(shares) == 1:
		text += ": not bound by it"
	case len(shares) == 2:
		text += ": bound by neither"
	default:
		text += ": bound by none of them"
	}
	if b.Predicted <= 0 {
		return text
	}
	predicted := fmt.Sprintf("; latency at %d in flight predicts %s", b.InFlight, quantity.Amount(b.Predicted, assay.BytesPerSecond))
	switch {
	case b.Saturated > 0:
		text += predicted + fmt.Sprintf(", and more than %s add nothing", prose.Plural(b.Saturated, "client"))
		if len(b.Holders) == 0 {
			text += ": check the CPU of the OSDs"
		}
		return text
	case b.Value < explains*b.Predicted:
		return text + predicted + ": the clients kept fewer in flight; check their CPU"
	}
	return text + predicted + ": add clients"
}

// holderWords names a resource of a host that holds a pool's data, and how busy it
// was.
func holderWords(l analysis.HolderLoad) string {
	percent := fmt.Sprintf("%.0f %%", 100*l.Share)
	switch {
	case l.Resource == analysis.HolderCPU && l.Client:
		return fmt.Sprintf("the CPU of %s (%s busy, its client included)", l.Host, percent)
	case l.Resource == analysis.HolderCPU:
		return fmt.Sprintf("the CPU of %s (%s busy)", l.Host, percent)
	case l.Resource == analysis.HolderDrive:
		return fmt.Sprintf("the drive %s of %s (busy %s of the time, %s)", l.Name, l.Host, percent, quantity.Amount(l.Rate, assay.BytesPerSecond))
	case l.Of != "":
		return fmt.Sprintf("the interface %s of %s (%s, %s of %s)", l.Name, l.Host, quantity.Amount(l.Rate, assay.BytesPerSecond), percent, l.Of)
	}
	return fmt.Sprintf("the interface %s of %s (%s; its speed is unknown)", l.Name, l.Host, quantity.Amount(l.Rate, assay.BytesPerSecond))
}

// fullFrom is the share from which a resource counts as near its limit.
const fullFrom = .8

// holdersWords returns which resources of the hosts that hold a pool's data were busiest,
// and whether one was near its limit; "" if none was watched.
func holdersWords(b analysis.TierBind) string {
	var all []string
	room := true
	for _, l := range b.Holders {
		all = append(all, holderWords(l))
		room = room && l.Share > 0 && l.Share < fullFrom
	}
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf("Busiest on the storage hosts during the %s: %s", operations(b), prose.And(all))
	if room {
		text += "; none was near its limit"
	}
	return text
}

// Arithmetic returns how the limits are computed: "1.00 Gb/s × 1,448/1,538 / 8 / 2 = 58.8
// MB/s".
func (t TierBind) Arithmetic() string {
	var sums []string
	for _, l := range t.Limits {
		sums = append(sums, l.Sum+" = "+quantity.Amount(l.Value, assay.BytesPerSecond))
	}
	if len(sums) == 0 {
		return ""
	}
	return quantity.Amount(t.Value, assay.BytesPerSecond) + " against " + strings.Join(sums, "; ")
}
