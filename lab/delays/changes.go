package delays

import (
	"cmp"
	"context"
	_ "embed" // the suite
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay"
	"assay/analysis"
	"assay/lab/guest"
	"assay/lab/internal/promised"
)

// setup is the rate of the cable, the state of both hosts' drives, and the storage on them.
type setup struct {
	link   float64       // bit/s, each way; 0 for no limit
	late   time.Duration // delay of what the measuring host sends
	flush  time.Duration // extra time per flush
	stream float64       // a drive's write rate, B/s; 0 for no limit
	sync   string        // property of the dataset, where there is one; "" for standard
}

// String describes the setup in a few words.
func (s setup) String() string {
	var words []string
	add := func(is bool, format string, a any) {
		if is {
			words = append(words, fmt.Sprintf(format, a))
		}
	}
	add(s.link > 0, "a link of %g Mb/s", s.link/1e6)
	add(s.late > 0, "a link that takes %v longer", s.late)
	add(s.flush > 0, "flushes that take %v longer", s.flush)
	add(s.stream > 0, "drives that write %g MB/s", s.stream/1e6)
	add(s.sync != "", "sync=%s", s.sync)
	if words == nil {
		return "nothing slow"
	}
	return strings.Join(words, ", ")
}

// change is a change that is predicted for a tier, and then made.
type change struct {
	what          string // as predict takes it
	before, after setup
	of, in        string // the tier before, and the one after
}

// The setups before and after the changes. Links are slow, so that they are the bottleneck and
// not the processors that both hosts share.
var (
	narrow, wider, wide = setup{link: 50e6}, setup{link: 100e6}, setup{link: 200e6}
	late                = setup{link: 100e6, late: 5 * time.Millisecond}
	flushing            = setup{link: 200e6, flush: 5 * time.Millisecond}
	throttled           = setup{link: 200e6, stream: 8e6}
)

// nativeChanges are for replicated storage; the measurement without the peer predicts what one
// replica will do.
var nativeChanges = []change{
	{"pve*.nic=100M", narrow, wider, Both, Both},
	{"pve*.nic=200M", narrow, wide, Both, Both},
	{"pve*.nic=50M", wider, narrow, Both, Both},
	{"pve*.nic=200M", wider, wide, Both, Both},
	{"pve*.nic=50M", wide, narrow, Both, Both},
	{"pve*.nic=100M", wide, wider, Both, Both},
	{Both + ".replicas=1", narrow, wide, Both, Alone},
	{Both + ".replicas=1", late, narrow, Both, Alone},
	{Both + ".drive=8MB/s", wide, throttled, Both, Both},
	{Both + ".drive=PLP", flushing, wide, Both, Both},
	{Alone + ".drive=PLP", flushing, wide, Alone, Alone},
}

// emulatedChanges are for ZFS.
var emulatedChanges = []change{
	{Below + ".drive=PLP", setup{flush: 10 * time.Millisecond}, setup{}, Below, Below},
	{Below + ".sync=off", setup{flush: 10 * time.Millisecond}, setup{flush: 10 * time.Millisecond, sync: "disabled"}, Below, Below},
	{Both + ".replicas=1", setup{late: 20 * time.Millisecond}, setup{}, Both, Alone},
}

//go:embed changes.yaml
var changesSuite []byte

// Predict measures before and after each change, and compares what was predicted from the
// first run with the second.
func (b *Bed) Predict(ctx context.Context, w Wanted, say func(string)) (all []promised.Row, err error) {
	w.Suite, w.Length = filepath.Join(b.dir, "changes.yaml"), "2s"
	if err := os.WriteFile(w.Suite, changesSuite, 0o600); err != nil {
		return nil, err
	}
	runs := map[setup]assay.Run{}
	for _, c := range b.changes {
		for _, s := range []setup{c.before, c.after} {
			if _, known := runs[s]; known {
				continue
			}
			say(s.String())
			if err := b.set(ctx, s); err != nil {
				return all, err
			}
			if runs[s], _, err = b.Measure(ctx, w); err != nil {
				return all, err
			}
		}
		what, err := analysis.ParseChange(c.what)
		if err != nil {
			return all, err
		}
		all = append(all, promised.Hold(what, runs[c.before], runs[c.after], figure, func(p, m analysis.Prediction) bool {
			return p.Storage == c.of && m.Storage == c.in && p.Size == m.Size
		})...)
	}
	return all, nil
}

func (b *Bed) set(ctx context.Context, s setup) error {
	slow := guest.Delays{Flush: s.flush}
	b.Slow(slow, slow)
	for _, d := range b.disks {
		d.Throttle(s.stream)
	}
	err := b.cable(ctx, s.link, s.late)
	if b.Bottom == Below {
		err = errors.Join(err, b.sync(ctx, cmp.Or(s.sync, "standard")))
	}
	return err
}

func figure(p analysis.Prediction) string {
	if p.Unit == assay.PerSecond {
		return "synchronous writes of " + p.Storage
	}
	return "writes of " + p.Storage
}
