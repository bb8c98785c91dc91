package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay"
)

// part is something that can be measured on its own.
type part struct {
	name  string
	bound time.Duration // for the whole part, including the lab it needs
	rows  func(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error)
}

// parts returns all parts in the order of the table. The last six need a lab.
func parts() []part {
	type simple = func(context.Context, wish, string, func(string)) ([]row, error)
	rowsAlone := func(f simple) func(context.Context, wish, string, func(string)) ([]row, []string, error) {
		return func(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error) {
			rows, err := f(ctx, w, dir, say)
			return rows, nil, err
		}
	}
	return []part{
		{"fio", 150 * time.Second, func(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error) {
			return measureStorage(ctx, dir, w.pairs, w.seconds, say)
		}},
		{"start-up", 60 * time.Second, rowsAlone(func(ctx context.Context, w wish, dir string, say func(string)) ([]row, error) {
			return measureStart(ctx, w.binary, dir, say)
		})},
		{"store", 60 * time.Second, rowsAlone(func(ctx context.Context, _ wish, dir string, say func(string)) ([]row, error) {
			return measureWrites(ctx, dir, say)
		})},
		{"store10m", 20 * time.Minute, measureAnswers},
		{"reports", 3 * time.Minute, rowsAlone(func(ctx context.Context, _ wish, _ string, say func(string)) ([]row, error) {
			return measureReports(ctx, say)
		})},
		{"reading", 90 * time.Second, func(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error) {
			return measureReading(ctx, w.python, dir, say)
		}},
		{"gate", 75 * time.Minute, measureGate},
		{"precision", 75 * time.Minute, measurePrecision},
		{"s3", 25 * time.Minute, measureS3},
		{"ceph", 10 * time.Minute, measureCeph},
		{"diagnosis", 4 * time.Hour, measureDiagnosis},
		{"diagnosis-guests", 4 * time.Hour, measureDiagnosisGuests},
		{"predictions", 45 * time.Minute, measurePredictions},
		{"cluster", 5 * time.Minute, measureCluster},
		{"matrix", 6 * time.Minute, measureMatrix},
		{"facts", 6 * time.Minute, measureFacts},
		{"memory", 6 * time.Minute, measureMemory},
	}
}

func partNames() []string {
	var names []string
	for _, p := range parts() {
		names = append(names, p.name)
	}
	return names
}

// chosen returns the parts named in words, separated by commas, or all for "".
func chosen(words string) ([]part, error) {
	if words == "" {
		return parts(), nil
	}
	wanted := strings.Split(words, ",")
	for _, word := range wanted {
		if !slices.Contains(partNames(), word) {
			return nil, assay.WithHint("the parts are: "+strings.Join(partNames(), ", "), "-only %s: there is no part %q", words, word)
		}
	}
	return slices.DeleteFunc(parts(), func(p part) bool { return !slices.Contains(wanted, p.name) }), nil
}
