package fitness

import (
	"cmp"
	"slices"
)

// Grade is how well a use is served.
type Grade string

// The grades, the worst first.
const (
	Unfit       Grade = "unfit"
	NotMeasured Grade = "not measured"
	Borderline  Grade = "borderline" // the reading's interval straddles the threshold
	Light       Grade = "light load"
	Good        Grade = "good"
)

var grades = []Grade{Unfit, NotMeasured, Borderline, Light, Good}

// Worse reports whether a serves worse than b.
func (a Grade) Worse(b Grade) bool { return slices.Index(grades, a) < slices.Index(grades, b) }

// Reading is a figure with its interval, in base units.
type Reading struct {
	Value, Low, High float64
	// Scattered is set for a figure that is rejected for its scatter: Low and High are then
	// the lowest and highest repeat.
	Scattered bool
}

// Readings are what is known of one storage.
type Readings map[Measure]Reading

// Fitness is how well one use is served, and what decides it.
type Fitness struct {
	Use   Use
	Grade Grade
	By    Threshold
	// Reading is what was compared with By; zero if nothing was measured.
	Reading Reading
}

// Judge compares readings with thresholds and returns one Fitness per use, in the
// thresholds' order.
func Judge(all []Threshold, known Readings) []Fitness {
	var out []Fitness
	for _, t := range all {
		if !slices.ContainsFunc(out, func(f Fitness) bool { return f.Use == t.Use }) {
			out = append(out, judge(t.Use, all, known))
		}
	}
	return out
}

// judge returns the threshold that decides a use: the one with the worst grade
// and, among equal grades, the one with the least to spare.
func judge(use Use, all []Threshold, known Readings) Fitness {
	var worst *Fitness
	for _, t := range all {
		if t.Use != use {
			continue
		}
		one := t.hold(known)
		if worst == nil || one.Grade.Worse(worst.Grade) || one.Grade == worst.Grade && one.Spare() < worst.Spare() {
			worst = &one
		}
	}
	return *worst
}

// hold judges a single threshold.
func (t Threshold) hold(known Readings) Fitness {
	r, is := known[t.Measure]
	f := Fitness{Use: t.Use, By: t, Reading: r}
	missed, met := r.High < t.Least, r.Low >= t.Least
	if t.Least == 0 {
		missed, met = r.Low > t.Most, r.High <= t.Most
	}
	switch {
	case !is:
		f.Grade = NotMeasured
	case met:
		f.Grade = Good
	case t.Heavy:
		f.Grade = Light
	case missed:
		f.Grade = Unfit
	default:
		f.Grade = Borderline
	}
	return f
}

// Spare returns how far a reading is beyond its threshold, as a factor.
func (f Fitness) Spare() float64 {
	if f.By.Least == 0 {
		return f.By.Most / f.Reading.Value
	}
	return f.Reading.Value / f.By.Least
}

// Weakest returns, for each use, the fitness of the member that serves it worst, with
// its index: a cluster is as good as its weakest host. All members are judged by the
// same thresholds.
func Weakest(members [][]Fitness) (weakest []Fitness, of []int) {
	for use := range members[0] {
		at := 0
		for i := range members {
			if one, worst := members[i][use], members[at][use]; cmp.Or(compareGrades(one.Grade, worst.Grade), cmp.Compare(one.Spare(), worst.Spare())) < 0 {
				at = i
			}
		}
		weakest, of = append(weakest, members[at][use]), append(of, at)
	}
	return weakest, of
}

func compareGrades(a, b Grade) int { return slices.Index(grades, a) - slices.Index(grades, b) }
