package migration

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/internal/outage"
)

func observed(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "observed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadSeen(t *testing.T) {
	s, err := ReadSeen([]byte(observed(t)))
	if err != nil {
		t.Fatal(err)
	}
	gap, ok := s.UDP.Gap()
	if !ok || gap != (outage.Gap{From: 1795725535.556240, To: 1795725536.060653}) {
		t.Errorf("the longest gap is %+v, %t", gap, ok)
	}
	if s.UDP.Lost() != 231 || s.UDP.Interval != .0009 || s.TCP.Lost() != 0 || math.Abs(s.TCP.Longest-.51149) > 1e-6 || s.Dropped != 12 || len(s.Broken) != 1 || s.Paused != .020298 {
		t.Errorf("%+v, %+v, %v, %v, %v", s.UDP, s.TCP, s.Dropped, s.Broken, s.Paused)
	}
	if s.Disk != "ext4" || s.Memory != 256<<20 || len(s.Writes) != 2 || s.Writes[1].Longest != .012 || len(s.Load) != 2 || s.Load[1].Bytes != 51265536 {
		t.Errorf("%q, %v, %+v, %+v", s.Disk, s.Memory, s.Writes, s.Load)
	}
}

func TestWhatIsNotSeen(t *testing.T) {
	good := observed(t)
	for says, text := range map[string]string{
		"ends before its figures": good[:strings.Index(good, "tcp asked")],
		"line 5: times go back":   strings.Replace(good, "udp gap 1795725534.210994", "udp gap 1795725533.0", 1),
		"is cut off":              strings.Replace(good, " reset 12", "", 1),
		"is not a valid figure":   strings.Replace(good, "1795725535.556240", "NaN", 1),
	} {
		if s, err := ReadSeen([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v, %v: want %s", s, err, says)
		}
	}
}

func FuzzReadSeen(f *testing.F) {
	f.Add([]byte(observed(f)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ReadSeen(text)
		if err != nil {
			return
		}
		for _, a := range []Asked{s.UDP, s.TCP} {
			g, _ := a.Gap()
			st, _ := s.Stood(g)
			w, _ := s.LongestWrite(g.From, g.To, &st)
			if v := a.Longest + a.Lost() + g.Seconds() + st.Still + st.Off + max(w.Guest, 0); math.IsNaN(v) || v < 0 {
				t.Errorf("%+v of %q", a, text)
			}
		}
		_, _ = s.Guest(1)
	})
}

// The clock of a stalled guest stands still too; that of a guest that is only unreachable does
// not.
func TestStood(t *testing.T) {
	gap := outage.Gap{From: 10, To: 10.6}
	for name, c := range map[string]struct{ lag, want float64 }{"it stood still": {.6, .6}, "half of it the network's": {.3, .3}, "the network's": {0, 0}} {
		var s Seen
		for at := 8.; at < 13; at += .1 {
			if at > gap.From && at < gap.To {
				continue
			}
			theirs := at - 5
			if at >= gap.To {
				theirs -= c.lag
			}
			took := .002
			if math.Abs(at-gap.To) < .15 {
				took = .5 // what was sent in the gap
			}
			s.Clock = append(s.Clock, Tick{At: at + took/2, Guest: theirs, Took: took})
		}
		slices.SortFunc(s.Clock, func(a, b Tick) int { return int(math.Copysign(1, a.At-b.At)) })
		st, ok := s.Stood(gap)
		if !ok || math.Abs(st.Still-c.want) > 1e-6 || st.Off > .003 {
			t.Errorf("%s: %+v, %t; want %v", name, st, ok, c.want)
		}
		if c.lag < .6 {
			continue
		}
		// During the stall its clock did not advance.
		if at, ok := s.Guest(10.3); !ok || math.Abs(at-5.1) > .15 {
			t.Errorf("%s: the guest's clock at 10.3 is %v, %t", name, at, ok)
		}
	}
	if _, ok := (Seen{}).Stood(gap); ok {
		t.Error("of nothing something is known")
	}
}

// world returns a guest whose clock is 5 s behind, which stalled from 10 to 10.5 and wrote
// every 5 ms.
func world(longest ...Write) (s Seen, st Standstill) {
	for at := 8.; at < 13; at += .1 {
		theirs := at - 5
		if at > 10 && at < 10.5 {
			continue
		} else if at >= 10.5 {
			theirs -= .5
		}
		s.Clock = append(s.Clock, Tick{At: at, Guest: theirs})
		s.Load = append(s.Load, Change{theirs, 1e6 * theirs})
	}
	s.Disk, s.Writes = "ext4", longest
	st, _ = s.Stood(outage.Gap{From: 9.999, To: 10.501})
	return s, st
}

// The duration of a write is measured by the clock outside: a stalled guest cannot
// tell.
func TestLongestWrite(t *testing.T) {
	for name, c := range map[string]struct {
		writes []Write
		want   outage.Gap
	}{
		"it waited through it": {[]Write{{At: 4.9, Began: 4.8, Longest: .003}, {At: 5.02, Began: 4.99, Longest: .03}}, outage.Gap{From: 9.99, To: 10.52}},
		"another was longer":   {[]Write{{At: 4.7, Began: 4, Longest: .7}, {At: 5.02, Began: 5.01, Longest: .003}}, outage.Gap{From: 9, To: 9.7}},
		"it was a short one":   {[]Write{{At: 5.1, Began: 5.05, Longest: .02}}, outage.Gap{From: 9.999, To: 10.499}},
	} {
		s, st := world(c.writes...)
		f, ok := s.LongestWrite(9, 12, &st)
		if !ok || !s.Wrote() || math.Abs(f.From-c.want.From) > 1e-6 || math.Abs(f.To-c.want.To) > 2e-3 {
			t.Errorf("%s: %+v, %t; want %+v", name, f, ok, c.want)
		}
	}
	s, st := world(Write{At: 3.5, Began: 3.1, Longest: .3})
	if f, ok := s.LongestWrite(9, 12, &st); ok {
		t.Errorf("%+v was before", f)
	}
	if f, ok := s.LongestWrite(8, 9, nil); !ok || math.Abs(f.Seconds()-.3) > 1e-9 {
		t.Errorf("%+v, %t", f, ok)
	}
	for _, disk := range []string{"tmpfs", ""} {
		if s.Disk = disk; s.Wrote() {
			t.Errorf("%q is a disk", disk)
		}
	}
}

// A stalled guest changes no memory, and rates are per second of outside time.
func TestRate(t *testing.T) {
	s, st := world()
	for _, c := range []struct{ from, to, want float64 }{{8.5, 9.5, 1e6}, {9.5, 11, 1e6 / 1.5}, {11, 12, 1e6}} {
		if rate, ok := s.Rate(c.from, c.to, &st); !ok || math.Abs(rate-c.want) > 1 {
			t.Errorf("from %v to %v: %v, %t", c.from, c.to, rate, ok)
		}
	}
	for _, c := range []struct{ from, to float64 }{{1, 9}, {9, 9}, {9, 20}} {
		if rate, ok := s.Rate(c.from, c.to, &st); ok {
			t.Errorf("from %v to %v: %v", c.from, c.to, rate)
		}
	}
}
