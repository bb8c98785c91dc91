package report

import (
	"fmt"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
)

// operations names what a figure of large operations is of: "sequential writes",
// "PUTs of 10 MiB".
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

// bindWords says what binds.
func bindWords(b analysis.TierBind) string {
	who, missing := b.Column+": ", strings.Join(b.Missing, ", ")
	switch b.Says {
	case analysis.ClientBinds:
		return fmt.Sprintf("%s%s are limited by the client's own CPU [%d]", who, operations(b), b.Busy)
	case analysis.NoLimit:
		return who + joinWords("; missing: ", "can't tell what limits "+operations(b), missing)
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
		if near.Drive { // its link says nothing of the drive itself
			besides = "the drive itself, software or queue depth"
		}
		return head + ", less than half of every known hardware limit: check " + besides
	}
	return joinWords("; unknown: ", head+", the nearest known limit", missing)
}

// Arithmetic is how the limits come about: "1.00 Gb/s × 1,448/1,538 / 8 / 2 = 58.8 MB/s".
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
