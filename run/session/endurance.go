package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
	"assay/plan"
	"assay/reference"
	"assay/volume/device"
)

// Endurance is how much of a drive's life a run may use: bytes, or a share of its
// rating. The zero value is no bound.
type Endurance struct {
	Bytes int64
	Share float64
}

// noteEndurance is the id of notes about what a run writes to drives.
const noteEndurance = "endurance"

// ReadEndurance parses a bound such as 500G or 0.5%.
func ReadEndurance(word string) (e Endurance, err error) {
	if word == "" {
		return e, nil
	}
	wrong := assay.WithHint("give bytes or a share of the rated TBW, for example 500G or 0.5%", "%q is not an amount of writes", word)
	if percent, is := strings.CutSuffix(word, "%"); is {
		v, err := strconv.ParseFloat(percent, 64)
		if err != nil || !(v > 0 && v <= 100) {
			return e, wrong
		}
		return Endurance{Share: v / 100}, nil
	}
	n, ok := assay.ParseSize(word)
	if !ok || n <= 0 {
		return e, wrong
	}
	return Endurance{Bytes: n}, nil
}

// Wear is the most that a run writes to a drive that it overwrites.
type Wear struct {
	Host, Path string
	Most       int64   // bytes
	Rate       float64 // at most, in B/s
	RatedBy    string  // what says so
	TBW        float64 // rated endurance in bytes; 0 unknown
}

// words describes the wear before anything is written.
func (w Wear) words() string {
	text := fmt.Sprintf("the run writes at most %s to %s of %s (at %s or less: %s)", amount(w.Most), w.Path, w.Host, quantity.Amount(w.Rate, assay.BytesPerSecond), w.RatedBy)
	if w.TBW > 0 {
		return text + fmt.Sprintf("; that is %s of the %s that it is rated for", shareWord(float64(w.Most)/w.TBW), quantity.Amount(w.TBW, assay.Bytes))
	}
	return text + "; its rated endurance is unknown"
}

func amount(bytes int64) string { return quantity.Amount(float64(bytes), assay.Bytes) }

func shareWord(v float64) string { return strconv.FormatFloat(100*v, 'g', 2, 64) + " %" }

// unknownRate is faster than nearly all drives write, in B/s.
const unknownRate = 7e9

// fastest returns a drive's highest possible write rate, and what sets it.
func fastest(b *assay.BlockDevice) (rate float64, why string) {
	if b == nil {
		return unknownRate, "nothing is known of it"
	}
	if link := limits.Link(b.Link); link.Known() {
		return link.Value, link.Name
	}
	return unknownRate, "its link is unknown"
}

// wears returns the most that a plan writes to each drive that it overwrites.
func wears(p plan.Plan, inv assay.Inventory) []Wear {
	var all []Wear
	filled := map[string]bool{}
	for _, t := range p.Trials {
		if t.Absent != nil || t.Subject.Volume != device.Kind || t.Risk != assay.Writes {
			continue
		}
		i := slices.IndexFunc(all, func(w Wear) bool { return w.Host == t.Subject.Host && w.Path == t.Subject.Name })
		if i < 0 {
			i = len(all)
			all = append(all, wearOf(t, inv))
		}
		w := &all[i]
		if space := plan.Space(t); !filled[space] { // its region is written once before
			filled[space] = true
			w.Most += min(t.Scratch, int64(w.Rate*p.Prepare.Seconds()))
		}
		w.Most += writtenBy(t, p, w.Rate)
	}
	return all
}

func wearOf(t assay.Trial, inv assay.Inventory) Wear {
	w := Wear{Host: t.Subject.Host, Path: t.Subject.Name}
	b := inv.Facts[t.Subject.Host].DeviceAt(cmp.Or(t.Subject.Source, t.Subject.Name))
	w.Rate, w.RatedBy = fastest(b)
	if b != nil {
		if rated, known := reference.Drive(b.Model, b.Bytes); known {
			w.TBW = rated.TBW
			if rated.Write > 0 {
				w.Rate, w.RatedBy = rated.Write, "its rating"
			}
		}
	}
	return w
}

// soonest is less than any drive takes to complete a write.
const soonest = 10 * time.Microsecond

// writtenBy returns the most that all repeats of a trial write.
func writtenBy(t assay.Trial, p plan.Plan, rate float64) int64 {
	var share float64
	switch t.Settings["rw"] {
	case "write", "randwrite":
		share = 1
	case "rw", "randrw":
		share = .5
		if reads, err := strconv.Atoi(t.Settings["rwmixread"]); err == nil {
			share = 1 - float64(reads)/100
		}
	case "read", "randread":
		return 0
	default:
		share = 1
	}
	number := func(key string) float64 {
		n, ok := assay.ParseSize(t.Settings[key])
		if !ok || n < 1 {
			return 0
		}
		return float64(n)
	}
	if inFlight := number("bs") * number("iodepth") * number("numjobs"); inFlight > 0 {
		rate = min(rate, inFlight/soonest.Seconds())
	}
	each := t.Length
	if each == 0 {
		each = t.Overhead // a user's own job: its runtime
	}
	total := time.Duration(t.Repeats)*each + t.Warmup
	if t.Precision > 0 {
		total = p.Budget // repeats are added while time is left
	}
	return int64(rate * share * total.Seconds())
}

// endure notes the wear that the plan causes, and keeps it within the bound.
func (s *Session) endure(p plan.Plan) (plan.Plan, error) {
	p.Trials = slices.Clone(p.Trials)
	for _, w := range wears(p, s.inventory) {
		bound := w.within(s.options.Endurance)
		if s.options.Endurance.Share > 0 && w.TBW <= 0 {
			return p, invalid(assay.WithHint("give bytes, for example --endurance-budget 500G", "the rated endurance of %s on %s is unknown: cannot take a share of it", w.Path, w.Host))
		}
		if bound > 0 && w.Most > bound {
			var err error
			if w, err = s.shortened(&p, w, bound); err != nil {
				return p, err
			}
		}
		p.Notes = append(p.Notes, assay.Note{ID: noteEndurance, Text: w.words()})
	}
	return p, nil
}

// within returns the bound in bytes, 0 for none.
func (w Wear) within(e Endurance) int64 {
	if e.Share > 0 {
		return int64(e.Share * w.TBW)
	}
	return e.Bytes
}

// shortened shortens the trials that write to a drive until the wear is within
// the bound.
func (s *Session) shortened(p *plan.Plan, w Wear, bound int64) (Wear, error) {
	was := w.Most
	for range 20 {
		p.Shorten(func(t assay.Trial) bool {
			return t.Subject.Host == w.Host && t.Subject.Name == w.Path && writtenBy(t, *p, w.Rate) > 0
		}, min(.95, float64(bound)/float64(w.Most)))
		for _, now := range wears(*p, s.inventory) {
			if now.Host == w.Host && now.Path == w.Path {
				w = now
			}
		}
		if w.Most <= bound {
			p.Notes = append(p.Notes, assay.Note{ID: noteEndurance, Text: fmt.Sprintf("tests that write to %s of %s are shortened: they would have written up to %s, and --endurance-budget allows %s",
				w.Path, w.Host, amount(was), amount(bound))})
			return w, nil
		}
	}
	return w, invalid(assay.WithHint("allow more, or run fewer cases: --only", "--endurance-budget %s is not enough for %s on %s: the shortest tests write up to %s",
		amount(bound), w.Path, w.Host, amount(w.Most)))
}
