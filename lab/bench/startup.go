package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"assay"
	"assay/lab/bench/workload"
	"assay/store"
)

const (
	startRounds = 20
	manyRuns    = 200
	// fillBound is the time limit for writing them where commits are slow.
	fillBound = 10 * time.Second
)

// Exit statuses of assay run that concern its numbers, not assay itself: one
// rejected, some missing.
const (
	statusRejected = 3
	statusPartial  = 5
)

// measureStart times whole commands of the binary, in turns with a program that
// does nothing.
func measureStart(ctx context.Context, binary, dir string, say func(string)) ([]row, error) {
	say("start-up: a real run")
	one := filepath.Join(dir, "one.db")
	if _, err := execute(ctx, []string{
		binary, "run", "--only", "fio/" + storageCase, "--repeats", "1", "--time-budget", "10s", "--dir", dir, "--db", one,
	}, statusRejected, statusPartial); err != nil {
		return nil, err
	}
	say(fmt.Sprintf("start-up: a database of %d runs", manyRuns))
	many, large := filepath.Join(dir, "many.db"), filepath.Join(dir, "large.db")
	runs, err := copyRuns(ctx, one, many, manyRuns)
	if err != nil {
		return nil, err
	}
	if err := makeRun(ctx, large); err != nil {
		return nil, err
	}
	say(fmt.Sprintf("start-up: %d rounds", startRounds))
	command := func(argv ...string) work {
		return func(ctx context.Context) error {
			_, err := execute(ctx, argv)
			return err
		}
	}
	commands := []struct {
		what  string
		argv  []string
		claim claim
	}{
		{"assay --help", []string{binary, "--help"}, fastStart},
		{"assay show latest, one real run", []string{binary, "show", "latest", "--db", one}, fastStart},
		{fmt.Sprintf("assay show latest, %d runs", runs), []string{binary, "show", "latest", "--db", many}, fastStart},
		{"assay show latest, 1,000 measurements", []string{binary, "show", "latest", "--db", large}, claim{}},
	}
	works := []work{command("true")}
	for _, c := range commands {
		works = append(works, command(c.argv...))
	}
	times, err := turns(ctx, startRounds, works...)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, c := range commands {
		r, err := compare(c.what, "true", assay.Seconds, times[i+1], times[0], c.claim)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// copyRuns fills a database with copies of the newest run in another: most
// copies, or as many as time allows. It returns how many.
func copyRuns(ctx context.Context, from, to string, most int) (int, error) {
	run, err := loadLatest(ctx, from)
	if err != nil {
		return 0, err
	}
	st, err := store.Open(ctx, to)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	began := time.Now()
	id, started := run.ID, run.Started
	for n := range most {
		run.ID = fmt.Sprintf("%s-%d", id, n)
		run.Started = started.Add(time.Duration(n) * time.Hour)
		if err := keep(ctx, st, run); err != nil {
			return n, err
		}
		if time.Since(began) > fillBound {
			return n + 1, nil
		}
	}
	return most, nil
}

// loadLatest loads the newest run of a database with its transcripts.
func loadLatest(ctx context.Context, path string) (assay.Run, error) {
	st, err := store.Open(ctx, path)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()
	id, err := st.Resolve(ctx, "latest")
	if err != nil {
		return assay.Run{}, err
	}
	run, err := st.Load(ctx, id)
	if err != nil {
		return assay.Run{}, err
	}
	for i := range run.Results {
		result := &run.Results[i]
		for k := range result.Repeats {
			rep := &result.Repeats[k]
			if rep.Transcript, err = st.Transcript(ctx, id, result.Trial.ID, rep.N); err != nil {
				return assay.Run{}, err
			}
		}
	}
	return run, nil
}

func makeRun(ctx context.Context, path string) error {
	st, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer st.Close()
	return keep(ctx, st, workload.Run("made-up", 0, workload.ThousandMeasurements))
}

// keep stores a whole run, step by step as the engine does.
func keep(ctx context.Context, st *store.Store, run assay.Run) error {
	if err := st.Begin(ctx, run); err != nil {
		return err
	}
	var trials []assay.Trial
	for _, r := range run.Results {
		trials = append(trials, r.Trial)
	}
	if err := st.AddTrials(ctx, run.ID, trials); err != nil {
		return err
	}
	for _, r := range run.Results {
		for _, rep := range r.Repeats {
			if err := st.AddRepeat(ctx, run.ID, r.Trial.ID, rep); err != nil {
				return err
			}
		}
	}
	if err := st.SetFindings(ctx, run.ID, run.Findings); err != nil {
		return err
	}
	return st.Finish(ctx, run.ID, run.Status, run.Elapsed, run.Notes)
}
