package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
)

// Summary is one line about a run.
type Summary struct {
	ID       string
	Suite    string
	Hosts    []string
	Started  time.Time // UTC
	Elapsed  time.Duration
	Status   assay.RunStatus
	Owner    Owner    // a run that is running and whose owner is not Alive was cut short
	Trials   int      // planned, with those that could not be measured
	Repeats  int      // that count: done, and no warm-ups
	Rejected int      // findings of severity assay.Rejects
	Names    []string // that it was given, sorted: see Pin
}

// StatusNow is how the run stands: one whose process has died is not running,
// whatever it last stored.
func (s Summary) StatusNow() assay.RunStatus {
	if s.Status == assay.RunRunning && !Alive(s.Owner) {
		return assay.RunInterrupted
	}
	return s.Status
}

// Find loads the run that a name means (see Resolve), "" for the newest, as it
// stands now: one whose process has died is interrupted, with a note that says so.
func (s *Store) Find(ctx context.Context, name string) (assay.Run, error) {
	id, err := s.Resolve(ctx, name)
	if err != nil {
		return assay.Run{}, err
	}
	r, err := s.Load(ctx, id)
	if err != nil || r.Status != assay.RunRunning {
		return r, err
	}
	runs, err := s.Runs(ctx)
	for _, one := range runs {
		if one.ID == id && one.StatusNow() != r.Status {
			r.Status = one.StatusNow()
			r.Notes = append(r.Notes, assay.Note{ID: "killed", Text: "the run was killed; this is what it had stored until then"})
		}
	}
	return r, err
}

// Runs gives all runs, the newest first.
func (s *Store) Runs(ctx context.Context) ([]Summary, error) {
	var all []Summary
	err := s.read(ctx, "list runs", func(tx *sql.Tx) error {
		err := each(ctx, tx, func(rows *sql.Rows) error {
			one, err := scanSummary(rows)
			all = append(all, one)
			return err
		}, `
			SELECT id, suite, hosts, started, elapsed_ns, status, owner_pid, owner_start, owner_boot,
			       (SELECT count(*) FROM trial WHERE trial.run = run.id),
			       (SELECT count(*) FROM repeat WHERE repeat.run = run.id AND n > 0 AND outcome = ?),
			       (SELECT count(*) FROM finding WHERE finding.run = run.id AND severity = ?)
			FROM run ORDER BY started DESC, rowid DESC`, string(assay.Done), string(assay.Rejects))
		if err != nil {
			return err
		}
		named, err := pins(ctx, tx)
		for i := range all {
			for _, p := range named {
				if p.Run == all[i].ID {
					all[i].Names = append(all[i].Names, p.Name)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func scanSummary(rows *sql.Rows) (one Summary, err error) {
	var hosts, started, status string
	var elapsed int64
	if err := rows.Scan(&one.ID, &one.Suite, &hosts, &started, &elapsed, &status,
		&one.Owner.PID, &one.Owner.Start, bootOf{&one.Owner}, &one.Trials, &one.Repeats, &one.Rejected); err != nil {
		return one, err
	}
	one.Owner.Run = one.ID
	one.Status, one.Elapsed = assay.RunStatus(status), time.Duration(elapsed)
	if err := fromJSON([]byte(hosts), &one.Hosts); err != nil {
		return one, fmt.Errorf("hosts of run %s: %w", one.ID, err)
	}
	one.Started, err = parseTime(started)
	return one, err
}

// latest is the newest run, whatever its id.
const latest = "latest"

// Resolve gives the id of the run that name means: the newest for "" and
// "latest", else the run of that id, else the one that was given that name, else
// the only one whose id begins so. Any other name gives assay.ErrNotFound with a
// hint that lists what was near.
func (s *Store) Resolve(ctx context.Context, name string) (string, error) {
	var ids []string // the newest first
	var named []Pin
	err := s.read(ctx, "find run "+name, func(tx *sql.Tx) error {
		err := each(ctx, tx, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		}, `SELECT id FROM run ORDER BY started DESC, rowid DESC`)
		if err != nil {
			return err
		}
		named, err = pins(ctx, tx)
		return err
	})
	if err != nil {
		return "", err
	}
	return resolve(name, ids, named)
}

func resolve(name string, ids []string, named []Pin) (string, error) {
	if len(ids) == 0 {
		return "", assay.WithHint("start one with `assay run`", "no runs are stored yet: %w", assay.ErrNotFound)
	}
	if name == "" || name == latest {
		return ids[0], nil
	}
	if slices.Contains(ids, name) {
		return name, nil
	}
	near := slices.Clone(ids)
	for _, p := range named {
		if p.Name == name {
			return p.Run, nil
		}
		near = append(near, p.Name)
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", assay.WithHint("the nearest: "+list(nearest(name, near)), "run %q: %w", name, assay.ErrNotFound)
	default:
		return "", assay.WithHint("use more characters: "+list(found),
			"run %q matches %d runs: %w", name, len(found), assay.ErrNotFound)
	}
}

// nearest puts those first that share the longest beginning with name.
func nearest(name string, ids []string) []string {
	near := slices.Clone(ids)
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Compare(shared(b, name), shared(a, name))
	})
	return near
}

func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// list names a few.
func list(ids []string) string {
	const few = 5
	if len(ids) > few {
		return strings.Join(ids[:few], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}
