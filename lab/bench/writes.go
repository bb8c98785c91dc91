package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"assay"
	"assay/lab/bench/workload"
	"assay/store"
)

const (
	writeRounds = 12
	writeBatch  = 10 // commits or repeats per turn
	pageBytes   = 4096
)

// measureWrites times durable writes to the store, in turns with the least work
// that does the same: appending to a file and waiting until it is on disk.
func measureWrites(ctx context.Context, dir string, say func(string)) ([]row, error) {
	say("store: durable writes")
	st, err := store.Open(ctx, filepath.Join(dir, "writes.db"))
	if err != nil {
		return nil, err
	}
	defer st.Close()
	file, err := os.OpenFile(filepath.Join(dir, "writes"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	run := workload.Run("writes", 0, workload.Size{Trials: 1, Repeats: 0})
	if err := keep(ctx, st, run); err != nil {
		return nil, err
	}
	n := 0
	times, err := turns(ctx, writeRounds,
		func(ctx context.Context) error { return commits(ctx, st) },
		func(context.Context) error {
			return syncedLines(file, func() ([]byte, error) { return make([]byte, pageBytes), nil })
		},
		func(ctx context.Context) error {
			for range writeBatch {
				n++
				if err := st.AddRepeat(ctx, run.ID, run.Results[0].Trial.ID, repeatNumber(n)); err != nil {
					return err
				}
			}
			return nil
		},
		func(context.Context) error {
			return syncedLines(file, func() ([]byte, error) { n++; return jsonLine(repeatNumber(n)) })
		})
	if err != nil {
		return nil, err
	}
	rate := func(seconds float64) float64 { return writeBatch / seconds }
	commit, err := compare("commits to the store", "4 KiB, fdatasync", assay.PerSecond, each(times[0], rate), each(times[1], rate), claim{})
	if err != nil {
		return nil, err
	}
	repeats, err := compare("repeats into the store", "JSON line, fdatasync", assay.PerSecond, each(times[2], rate), each(times[3], rate), claim{})
	return []row{commit, repeats}, err
}

// commits runs a batch of the smallest transactions.
func commits(ctx context.Context, st *store.Store) error {
	for range writeBatch / 2 {
		r := assay.Receipt{ID: "bench", Volume: "dir"}
		if err := st.Journal(ctx, r, store.Owner{}); err != nil {
			return err
		}
		if err := st.Strike(ctx, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// syncedLines appends a batch of lines, syncing each to disk before the next.
func syncedLines(file *os.File, line func() ([]byte, error)) error {
	for range writeBatch {
		b, err := line()
		if err != nil {
			return err
		}
		if _, err := file.Write(b); err != nil {
			return err
		}
		if err := syscall.Fdatasync(int(file.Fd())); err != nil {
			return err
		}
	}
	return nil
}

// repeatNumber returns a repeat like that of a storage trial.
func repeatNumber(n int) assay.Repeat {
	return workload.Repeat(time.Unix(0, 0), 0, n, workload.Size{Trials: 1, Repeats: 1, Samples: 30})
}

// jsonLine returns a whole repeat as one line.
func jsonLine(rep assay.Repeat) ([]byte, error) {
	return json.Marshal(struct {
		assay.Repeat
		Transcript assay.Transcript `json:"transcript"`
	}{rep, rep.Transcript})
}
