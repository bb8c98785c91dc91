package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"assay"
	"assay/report"
	"assay/stats"
	"assay/store"
)

const answerRounds = 12

// fastAnswer is assay's claim for a query on a long history.
var fastAnswer = claim{text: "limit 300 ms", high: .3, unit: assay.Seconds}

// measureAnswers times queries on a database of more than ten million samples, as
// whole processes, in turns with a program that does nothing. The database is kept
// beside the binary.
func measureAnswers(ctx context.Context, w wish, _ string, say func(string)) (rows []row, notes []string, err error) {
	if w.only == "" {
		return nil, []string{"store10m was not measured: it keeps a database of 6 GB, and makes it for minutes; -only store10m does"}, nil
	}
	path, err := historyDatabase(ctx, filepath.Dir(w.binary), say)
	if err != nil {
		return nil, nil, err
	}
	samples, ids, err := measureHistory(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	last := len(ids) - 1
	of := func(host int) string { // the newest run of a host
		id, _ := historyRun(historyRuns - historyHosts + host)
		return id
	}
	questions := []struct {
		what  string
		words []string
		claim claim
	}{
		{"assay show latest", []string{"show", "latest"}, fastAnswer},
		{"assay compare RUN RUN", []string{"compare", ids[last-historyHosts], ids[last]}, fastAnswer},
		{"assay compare RUN RUN --all", []string{"compare", ids[last-historyHosts], ids[last], "--all"}, fastAnswer},
		{"assay compare, of two hosts", []string{"compare", "host=pve1", "run=" + of(0), "vs", "host=pve2", "run=" + of(1)}, fastAnswer},
		{"assay trend storage.read.iops", []string{"trend", "storage.read.iops"}, fastAnswer},
		{"assay trend cpu.events_per_second", []string{"trend", "cpu.events_per_second"}, fastAnswer},
		{"assay trend …iops --runs 0", []string{"trend", "storage.read.iops", "--runs", "0"}, claim{}},
		{"assay runs", []string{"runs"}, claim{}},
	}
	works := []work{func(ctx context.Context) error { _, err := execute(ctx, []string{"true"}); return err }}
	cpu := make([][]float64, len(questions))
	for i, q := range questions {
		works = append(works, func(ctx context.Context) error {
			out, err := execute(ctx, append([]string{w.binary, "--db", path}, q.words...))
			if err == nil && len(out.stdout) == 0 {
				err = fmt.Errorf("%s: it said nothing", strings.Join(q.words, " "))
			}
			cpu[i] = append(cpu[i], out.cpu)
			return err
		})
	}
	say(fmt.Sprintf("store10m: %d rounds", answerRounds))
	times, err := turns(ctx, answerRounds, works...)
	if err != nil {
		return nil, nil, err
	}
	for i, q := range questions {
		r, err := compare(q.what, "true", assay.Seconds, times[i+1], times[0], q.claim)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, r)
		notes = append(notes, fmt.Sprintf("%s: %s of CPU time", q.what, report.Amount(stats.Median(cpu[i]), assay.Seconds)))
	}
	return rows, append(notes, fmt.Sprintf("the database has %s samples in %s runs", thousands(samples), thousands(len(ids)))), nil
}

// measureHistory counts the samples of a history, from those of its first run,
// which the other runs copy, and returns the ids of its runs, oldest first.
func measureHistory(ctx context.Context, path string) (samples int, ids []string, err error) {
	st, err := store.Open(ctx, path)
	if err != nil {
		return 0, nil, err
	}
	defer st.Close()
	heads, err := st.Heads(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, h := range heads {
		ids = append([]string{h.ID}, ids...)
	}
	run, err := st.Load(ctx, ids[0])
	if err != nil {
		return 0, nil, err
	}
	for _, r := range run.Results {
		for _, rep := range r.Repeats {
			for _, m := range rep.Measurements {
				samples += len(m.Samples)
			}
		}
	}
	return samples * len(ids), ids, nil
}
