package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/compare"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// tierTitles maps the IDs of the tables to their headings.
var tierTitles = map[string]string{
	analysis.StorageTiers: "Storage tiers", analysis.ObjectTiers: "Object storage", analysis.BesideTiers: "Object storage compared with the other tiers",
}

// besideNote says what an object store has in common with storage, and what it
// has not.
const besideNote = "An object store works differently: every object is an HTTP round trip to a server, and is read and written whole. " +
	"Only its throughput is compared with the other tiers, with as many requests in flight."

// tierTableNote says what is compared with what.
func tierTableNote(t analysis.TierTable) string {
	switch ratios := "Ratios are relative to " + t.Base; {
	case t.ID == analysis.BesideTiers && t.Base == "":
		return besideNote
	case t.ID == analysis.BesideTiers:
		return besideNote + " " + ratios + "."
	case t.Base == "" || len(t.Columns) < 2:
		return ""
	default:
		return ratios + ", the first tier, where the load was the same."
	}
}

// tierHeading names the figure of a row with its unit: "IOPS", "bandwidth in B/s",
// "requests/s".
func tierHeading(r TierRow) string {
	if _, unit := quantity.Short(r.Metric, 1); unit == "/s" {
		return r.Label + unit
	}
	return quantity.Heading(r.Label, r.Metric)
}

// loadWords describes the load: "16 in flight, direct".
func loadWords(l analysis.Load) string {
	var words []string
	if l.InFlight > 0 {
		words = append(words, fmt.Sprintf("%d in flight", l.InFlight))
	}
	words = append(words, filled(settingWords["direct="+l.Direct], settingWords["sync="+l.Sync])...)
	if l.Rate != "" {
		words = append(words, "rate "+l.Rate)
	}
	return strings.Join(words, ", ")
}

// tierWhat describes a tier: "pvc, access ReadWriteOnce, class longhorn, on node2".
func tierWhat(t assay.Tier, host string) string {
	words := []string{t.Kind}
	for _, key := range slices.Sorted(maps.Keys(t.Set)) {
		if t.Set[key] != "" {
			words = append(words, key+" "+t.Set[key])
		}
	}
	switch node := t.Nodes[host]; {
	case node != "":
		words = append(words, "on "+node)
	case host != t.Name:
		words = append(words, "from "+host)
	}
	return strings.Join(words, ", ")
}

// settingNames are readable names for the labels of a load, settingWords for
// values that mean more than their number.
var (
	settingNames = map[string]string{
		"iodepth": "depth", "bs": "blocks of", "size": "file of", "object_size": "objects of", "part_size": "parts of",
		"seconds": "repeats of", "rate_iops": "rate", "source": "data",
	}
	settingWords = map[string]string{
		"direct=0": "buffered", "direct=1": "direct", "sync=0": "no sync", "sync=1": "sync",
	}
)

// differenceInWords describes a difference with the base's value last: "depth 4
// against 16".
func differenceInWords(d compare.Difference) string {
	name := d.Name
	if n := settingNames[name]; n != "" {
		name = n
	}
	value := func(v string) (words string, named bool) {
		if word := settingWords[d.Name+"="+v]; word != "" {
			return word, true
		}
		n, isSize := assay.ParseSize(v)
		switch {
		case v == "":
			return "not said", false
		case d.Name == "seconds":
			return v + " s", false
		case isSize && slices.Contains([]string{"bs", "size", "object_size", "part_size"}, d.Name):
			return quantity.Bytes(n), false
		}
		return v, false
	}
	was, named := value(d.Values[0])
	is, _ := value(d.Values[1])
	if d.Name == analysis.InFlight {
		return is + " in flight vs " + was
	}
	if named {
		return is + " against " + was
	}
	return fmt.Sprintf("%s %s against %s", name, is, was)
}

// unlikeWords says what differed in the measurement; "" if nothing did.
func unlikeWords(all []compare.Difference) string {
	var words []string
	for _, d := range all {
		words = append(words, differenceInWords(d))
	}
	return strings.Join(words, ", ")
}

func refusalWords(r analysis.Refusal) string {
	return fmt.Sprintf("%s: %s: not compared (%s)", r.Column, unlikeWords(r.Unlike), prose.Enumerate(r.Titles, 4))
}

// tierLegend explains once what the numbers of a table are.
func tierLegend(t TierTable) string {
	level, ratios, refused := 0., false, false
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.Figure != nil {
				level = max(level, c.Figure.Level)
			}
			ratios, refused = ratios || c.Against != nil, refused || c.Refused != ""
		}
	}
	words := "Medians"
	if count := t.count(); count != "" {
		words += " of " + count
	}
	if level > 0 {
		words += fmt.Sprintf(" with their %.0f %% confidence interval", 100*level)
	}
	if ratios {
		words += "; ratios have their interval in brackets, ~ means the difference may be chance"
	}
	if refused {
		words += "; ≠ marks a different load"
	}
	return words + "."
}

// comparedWords summarises a column against the base, by the main figures of
// the cases.
func comparedWords(c analysis.Compared) string {
	var parts []string
	for _, w := range c.Ways {
		likely := ""
		if w.Likely {
			likely = "very likely "
		}
		parts = append(parts, fmt.Sprintf("%s%s%s than %s (%s)", likely, rangeWords(w), w.Than, c.Base, prose.Enumerate(w.Titles, 3)))
	}
	if len(c.Same) > 0 {
		parts = append(parts, fmt.Sprintf("as fast as %s (%s)", c.Base, prose.Enumerate(c.Same, 3)))
	}
	open := prose.Enumerate(c.Open, 3)
	switch text := c.Column + " is " + strings.Join(parts, ", and "); {
	case len(parts) == 0:
		return fmt.Sprintf("%s against %s is undecided (%s).", c.Column, c.Base, open)
	case open != "":
		return fmt.Sprintf("%s; the rest is undecided (%s).", text, open)
	default:
		return text + "."
	}
}

func rangeWords(r analysis.Range) string {
	if r.High == 0 {
		return ""
	}
	return fromTo(quantity.Three(r.Low), quantity.Three(r.High)) + " × "
}
