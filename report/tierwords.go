package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/compare"
)

// TierLegend says once what the numbers of a table are; where says where a ratio
// stands, as seen from its figure.
func TierLegend(t TierTable, where string) string {
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
	if count := t.Count(); count != "" {
		words += " of " + count
	}
	if level > 0 {
		words += fmt.Sprintf(" with their %.0f %% interval", 100*level)
	}
	if ratios {
		words += "; " + where + ", the ratio with its own, and ~ where the repeats do not tell the two apart"
	}
	if refused {
		words += "; ≠ is of another load"
	}
	return words + "."
}

// operations names what a figure of large operations is of: "sequential writes",
// "PUTs of 10 MiB".
func operations(r assay.Result, metric string) string {
	words := strings.Split(metric, ".")
	load := happenedTo(r, metric)
	if words[0] == "object" {
		return fmt.Sprintf("%ss of %s", strings.ToUpper(words[1]), roundSize(requestSize(r, metric)))
	}
	order := "sequential "
	if strings.HasPrefix(load["pattern"], "rand") {
		order = "random "
	}
	return order + words[1] + "s"
}

// sentence says what binds, and of what kind that sentence is. busy is the
// number of the finding that the client was the bottleneck.
func (t TierBind) sentence(who, what string, nearest *TierLimit, busy int) (kind, text string) {
	missing := strings.Join(t.Missing, ", ")
	switch {
	case busy > 0:
		return "limit", fmt.Sprintf("%s: %s are bound by the client's own processor [%d]", who, what, busy)
	case nearest == nil && missing == "":
		return "next", fmt.Sprintf("%s: what binds %s is not known", who, what)
	case nearest == nil:
		return "next", fmt.Sprintf("%s: what binds %s is not known, for want of: %s", who, what, missing)
	}
	head := fmt.Sprintf("%s: %s at %.0f %% of %s (%s)", who, what, 100*t.Share, nearest.Name, Amount(nearest.Value, assay.BytesPerSecond))
	switch {
	case t.Share > beyond:
		return "doubt", head + ": more than it allows, so that it did not bind; see whether the facts are those of the way that was taken"
	case t.Share >= bindsFrom:
		return "limit", head
	case t.Share < farBelow && missing == "":
		return "note", head + ", below half of every hardware limit that is known: look at " + nearest.besides()
	case missing == "":
		return "note", head + ", the nearest limit that is known"
	}
	return "note", head + ", the nearest limit that is known; not known: " + missing
}

// besides says what else there is than a limit: a link says nothing of the drive
// behind it.
func (l TierLimit) besides() string {
	if l.Drive {
		return "the drive itself, software or queue depth"
	}
	return "software, clients or queue depth"
}

// Arithmetic is how the limits come about: "1.00 Gb/s × 1,448/1,538 / 8 / 2 = 58.8 MB/s".
func (t TierBind) Arithmetic() string {
	var sums []string
	for _, l := range t.Limits {
		sums = append(sums, l.Sum+" = "+Amount(l.Value, assay.BytesPerSecond))
	}
	if len(sums) == 0 {
		return ""
	}
	return Amount(t.Value, assay.BytesPerSecond) + " against " + strings.Join(sums, "; ")
}

// roundSize prints a size without noughts behind it: "1 MiB".
func roundSize(n int64) string { return strings.Replace(Bytes(n), ".00 ", " ", 1) }

// countWord writes a small number out.
func countWord(n int) string {
	if words := []string{"no", "one", "two", "three", "four", "five", "six"}; n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// syncAdvice is the p99 of a sync of its log that etcd asks for at most, in s
// (etcd's FAQ, "failed to send out heartbeat on time": wal_fsync_duration_seconds).
const syncAdvice = 10e-3

// tierNotes are the sentences that are about the tiers as a whole.
func (b *builder) tierNotes(t *Tiers, storage []TierColumn, blocks []tierCase) []string {
	out := b.syncNote(storage, blocks)
	for i, c := range storage {
		block := slices.ContainsFunc(blocks, func(k tierCase) bool {
			return k.results[i] != nil && k.results[i].Trial.Subject.Kind == assay.KindBlock
		})
		if block {
			out = append(out, c.Name+" is a block device, no file system under it: what a file system costs the others, it does not pay.")
		}
	}
	if note := engineNote(storage, blocks); note != "" {
		out = append(out, note)
	}
	for _, c := range t.Columns {
		if s := b.run.Inventory.Facts[c.Host].Stack; s != nil && s.Health != "" && !isHealthy(s.Health) {
			out = append(out, fmt.Sprintf("%s says of itself that it is %s: with fewer copies it writes less, so that these are not its figures when it is well.", c.Name, s.Health))
		}
	}
	return out
}

// isHealthy knows the words with which Longhorn, Ceph, DRBD and Garage say that
// all is well.
func isHealthy(word string) bool {
	return slices.Contains([]string{"healthy", "health_ok", "uptodate", "ok"}, strings.ToLower(word))
}

// engineNote names the engines where they differ: how operations are handed to
// the kernel is part of the difference then, if mostly a small one.
func engineNote(columns []TierColumn, cases []tierCase) string {
	var engines []string
	users := map[string][]string{}
	for i, c := range columns {
		for _, k := range cases {
			if k.results[i] == nil {
				continue
			}
			for _, f := range tierFigures(k.results[i]) {
				engine := labelsOf(*k.results[i], f.metric)["engine"]
				if engine == "" || slices.Contains(users[engine], c.Name) {
					continue
				}
				if !slices.Contains(engines, engine) {
					engines = append(engines, engine)
				}
				users[engine] = append(users[engine], c.Name)
			}
		}
	}
	if len(engines) < 2 {
		return ""
	}
	var parts []string
	for _, e := range engines {
		parts = append(parts, e+" ("+strings.Join(users[e], ", ")+")")
	}
	return "The engines differ, with as many in flight: " + strings.Join(parts, ", ") + "."
}

// syncNote holds the synchronous writes at depth 1 against etcd's advice.
func (b *builder) syncNote(columns []TierColumn, cases []tierCase) []string {
	const metric = "storage.write.latency.p99"
	var within, beyondIt, open []string
	for i, c := range columns {
		for _, k := range cases {
			r := k.results[i]
			if r == nil || !waitsForEach(*r) {
				continue
			}
			cell := b.tierCell(r, tierFigure{column{metric, "p99"}, false}, c.Host)
			f := cell.Figure
			if f == nil || f.Rejected {
				continue
			}
			text := fmt.Sprintf("%s (%s)", c.Name, Quantity(metric, f.Value))
			switch {
			case f.High < syncAdvice:
				within = append(within, text)
			case f.Low >= syncAdvice:
				beyondIt = append(beyondIt, text)
			default:
				open = append(open, text)
			}
		}
	}
	var parts []string
	for _, group := range []struct {
		names []string
		one   string
		many  string
	}{{within, "is within it", "are within it"}, {beyondIt, "is not", "are not"}, {open, "lies about there", "lie about there"}} {
		switch len(group.names) {
		case 0:
		case 1:
			parts = append(parts, group.names[0]+" "+group.one)
		default:
			parts = append(parts, andList(group.names)+" "+group.many)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"Synchronous writes at depth 1 are what etcd and a write-ahead log feel; etcd asks for a p99 below " +
		strconv.Itoa(int(1000*syncAdvice)) + " ms: " + strings.Join(parts, "; ") + "."}
}

// waitsForEach says that a result is of small writes, one at a time, each of them
// durable before the next.
func waitsForEach(r assay.Result) bool {
	load := happenedTo(r, "storage.write.iops")
	size := requestSize(r, "storage.write.iops")
	return strings.Contains(load["pattern"], "write") && inFlight(load) == 1 && load["sync"] != "" && load["sync"] != "0" && size > 0 && size < largeRequest
}

// tierVerdict is the verdict on tiers: how each compares with the base, what
// binds, and what is not to be believed.
func tierVerdict(d Document, run assay.Run) []Sentence {
	out := awaySentences(d)
	var compared, bound []Sentence
	var storage []string
	for _, t := range d.Tiers.Tables {
		columns := t.Columns
		switch t.ID {
		case "storage":
			storage = columns
		case "beside": // the others were held against the base already
			columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(storage, c) })
		}
		compared = append(compared, t.comparisons(columns)...)
	}
	out = append(out, few(compared, "tier")...)
	if len(d.Tiers.Notes) > 0 && strings.HasPrefix(d.Tiers.Notes[0], "Synchronous") {
		out = append(out, Sentence{"note", d.Tiers.Notes[0]})
	}
	for _, bind := range d.Tiers.Binds {
		if bind.Kind == "limit" || bind.Kind == "doubt" {
			bound = append(bound, Sentence{bind.Kind, bind.Text + "."})
		}
	}
	out = append(out, few(bound, "limit")...)
	if d.Side != nil {
		for _, s := range standingOut(d.Side) {
			if s.Kind != "good" { // of tiers nobody asks whether they are alike
				out = append(out, s)
			}
		}
	}
	out = append(out, append(append(append(health(d), standing(d, run)...), company(d)...), doubts(d)...)...)
	return append(append(out, knownSentences(d)...), nextStep(d)...)
}

// mostTiers is how much of one kind the verdict says.
const mostTiers = 6

// few gives the first sentences of many, and counts the others.
func few(all []Sentence, what string) []Sentence {
	if len(all) <= mostTiers {
		return all
	}
	more := Sentence{"note", fmt.Sprintf("%s more: see the tables.", plural(len(all)-mostTiers+1, what))}
	return append(slices.Clone(all[:mostTiers-1]), more)
}

// comparisons sums up each column against the base, by what the cases are about.
func (t TierTable) comparisons(columns []string) []Sentence {
	var out []Sentence
	for i, name := range t.Columns {
		if !slices.Contains(columns, name) {
			continue
		}
		ways := map[string]*ratioRange{"faster": {}, "slower": {}, "higher": {}, "lower": {}}
		var same, open []string
		for _, r := range t.Rows {
			a := r.Cells[i].Against
			switch {
			case !r.Headline || a == nil:
			case a.Verdict == compare.Equivalent:
				same = append(same, r.Title)
			case r.Cells[i].Same():
				open = append(open, r.Title)
			default:
				ways[howBetter(a.Verdict)].add(a.Ratio, r.Title)
			}
		}
		var parts []string
		for _, way := range []string{"faster", "slower", "higher", "lower"} {
			if w := ways[way]; len(w.titles) > 0 {
				parts = append(parts, fmt.Sprintf("%s%s than %s (%s)", w, way, t.Base, enumerate(w.titles, 3)))
			}
		}
		if len(same) > 0 {
			parts = append(parts, fmt.Sprintf("as fast as %s (%s)", t.Base, enumerate(same, 3)))
		}
		text := name + " is " + strings.Join(parts, ", and ")
		switch {
		case len(parts) == 0 && len(open) == 0:
			continue
		case len(parts) == 0:
			text = fmt.Sprintf("%s against %s is undecided (%s)", name, t.Base, enumerate(open, 3))
		case len(open) > 0:
			text += fmt.Sprintf("; the rest is undecided (%s)", enumerate(open, 3))
		}
		out = append(out, Sentence{"note", text + "."})
	}
	return out
}

// ratioRange is from where to where some ratios lie, as factors above 1; what is
// compared with nothing, or is itself nothing, has none.
type ratioRange struct {
	titles    []string
	low, high float64
}

func (s *ratioRange) add(ratio float64, title string) {
	s.titles = append(s.titles, title)
	if ratio > 0 && !math.IsInf(ratio, 0) {
		f := factor(ratio)
		if s.high == 0 {
			s.low = f
		}
		s.low, s.high = min(s.low, f), max(s.high, f)
	}
}

func (s *ratioRange) String() string {
	low, high := significant(s.low), significant(s.high)
	switch {
	case s.high == 0:
		return ""
	case low == high:
		return low + " × "
	}
	return low + " to " + high + " × "
}
