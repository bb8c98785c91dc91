package fitness

import (
	"math"
	"net/url"
	"slices"
	"testing"
)

func exactly(v float64) Reading { return Reading{Value: v, Low: v, High: v} }

// enough returns readings that exactly meet each threshold.
func enough(all []Threshold) Readings {
	r := Readings{}
	for _, t := range all {
		switch was, is := r[t.Measure]; {
		case t.Least == 0 && (!is || t.Most < was.Value):
			r[t.Measure] = exactly(t.Most)
		case t.Least > was.Value:
			r[t.Measure] = exactly(t.Least)
		}
	}
	return r
}

func gradeOf(t *testing.T, all []Threshold, r Readings, use Use) Fitness {
	t.Helper()
	judged := Judge(all, r)
	i := slices.IndexFunc(judged, func(f Fitness) bool { return f.Use == use })
	if i < 0 {
		t.Fatalf("%s is not judged", use)
	}
	return judged[i]
}

// Each threshold decides alone: at its bound the use is served, just beyond it is
// not, and without a reading it is not measured.
func TestEveryThresholdAtItsEdge(t *testing.T) {
	for _, all := range [][]Threshold{Storage, Objects, Logs} {
		for _, by := range all {
			just, missed := by.Least, math.Nextafter(by.Least, 0)
			if by.Least == 0 {
				just, missed = by.Most, math.Nextafter(by.Most, 1)
			}
			beyond := Unfit
			if by.Heavy {
				beyond = Light
			}
			readings := enough(all)
			if got := gradeOf(t, all, readings, by.Use); got.Grade != Good {
				t.Errorf("%s with all that is asked: %s by %+v", by.Use, got.Grade, got.By)
			}
			readings[by.Measure] = exactly(missed)
			if got := gradeOf(t, all, readings, by.Use); got.Grade != beyond || got.By != by {
				t.Errorf("%s with %s of %v: %s by %+v", by.Use, by.Measure, missed, got.Grade, got.By)
			}
			alone := []Threshold{by}
			for value, want := range map[Reading]Grade{exactly(just): Good, exactly(missed): beyond} {
				if got := Judge(alone, Readings{by.Measure: value})[0]; got.Grade != want || got.Reading != value || got.By != by {
					t.Errorf("%s alone with %v: %+v, want %s", by.Measure, value.Value, got, want)
				}
			}
			delete(readings, by.Measure)
			if got := gradeOf(t, all, readings, by.Use); got.Grade != NotMeasured || got.By.Measure != by.Measure {
				t.Errorf("%s without %s: %s by %s", by.Use, by.Measure, got.Grade, got.By.Measure)
			}
		}
	}
}

func TestAnIntervalAcrossTheThresholdIsBorderline(t *testing.T) {
	r := enough(Storage)
	for reading, want := range map[Reading]Grade{
		{Value: 9e-3, Low: 8e-3, High: 10e-3}:   Good,
		{Value: 9e-3, Low: 8e-3, High: 11e-3}:   Borderline,
		{Value: 12e-3, Low: 10e-3, High: 14e-3}: Borderline,
		{Value: 12e-3, Low: 11e-3, High: 14e-3}: Unfit,
	} {
		r[SyncWriteP99] = reading
		if got := gradeOf(t, Storage, r, Etcd); got.Grade != want {
			t.Errorf("a p99 of %+v: %s, want %s", reading, got.Grade, want)
		}
	}
}

// A failed threshold fails the use, whatever else was not measured; an unmeasured one
// never counts as good.
func TestAFailureOutweighsWhatIsNotKnown(t *testing.T) {
	slow := Readings{SyncWriteP99: exactly(90e-3)}
	if got := gradeOf(t, Storage, slow, Etcd); got.Grade != Unfit || got.By.Measure != SyncWriteP99 {
		t.Errorf("%+v", got)
	}
	for _, all := range [][]Threshold{Storage, Objects} {
		for _, f := range Judge(all, nil) {
			if f.Grade != NotMeasured {
				t.Errorf("%s with nothing measured: %s", f.Use, f.Grade)
			}
		}
	}
}

func TestTheTightestThresholdDecides(t *testing.T) {
	r := enough(Storage)
	r[SyncWrites], r[RandomReads] = exactly(20), exactly(1000)
	if got := gradeOf(t, Storage, r, Databases); got.Grade != Unfit || got.By.Measure != SyncWrites {
		t.Errorf("a fifth of the writes and a third of the reads: decided by %s", got.By.Measure)
	}
	r[SyncWrites], r[RandomReads] = exactly(1e4), exactly(3300)
	if got := gradeOf(t, Storage, r, Databases); got.Grade != Good || got.By.Measure != RandomReads {
		t.Errorf("reads with 10 %% to spare: %s, decided by %s", got.Grade, got.By.Measure)
	}
}

func TestTheWeakestHostDecides(t *testing.T) {
	fast, slow, unknown := enough(Storage), enough(Storage), enough(Storage)
	slow[SyncWriteP99] = exactly(90e-3)
	delete(unknown, SequentialWrite)
	weakest, of := Weakest([][]Fitness{Judge(Storage, fast), Judge(Storage, slow), Judge(Storage, unknown)})
	for i, f := range weakest {
		want, who := Good, 0
		switch f.Use {
		case Etcd:
			want, who = Unfit, 1
		case Images, Backups:
			want, who = NotMeasured, 2
		}
		if f.Grade != want || of[i] != who {
			t.Errorf("%s: %s by member %d, want %s by %d", f.Use, f.Grade, of[i], want, who)
		}
	}
}

// People check the table: each threshold has one bound and a source to look it up.
func TestTheTable(t *testing.T) {
	for _, by := range slices.Concat(Storage, Objects, Logs) {
		if (by.Least > 0) == (by.Most > 0) {
			t.Errorf("%+v: one bound is wanted", by)
		}
		if u, err := url.Parse(by.Source.URL); by.Source.Name == "" || err != nil || by.Source != night && (u.Scheme != "https" || u.Host == "") {
			t.Errorf("%s, %s: source %+v", by.Use, by.Measure, by.Source)
		}
	}
	for _, all := range [][]Threshold{Storage, Objects} {
		for _, by := range all {
			if by.Heavy && !slices.ContainsFunc(all, func(t Threshold) bool { return t.Use == by.Use && t.Measure == by.Measure && !t.Heavy }) {
				t.Errorf("%s asks for %s under heavy use alone", by.Use, by.Measure)
			}
		}
	}
}
