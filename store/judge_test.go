package store

import (
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"assay"
)

// Findings are not stored for a run that is still in progress, nor for one that has some.
func TestJudgeLeavesAlone(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s := at.fresh(t)
		must(t, keep(t.Context(), s, small("r", time.Unix(1, 0).UTC())))
		findings := func(want ...string) {
			t.Helper()
			var rules []string
			for _, f := range mustLoad(t, s, "r").Findings {
				rules = append(rules, f.Rule)
			}
			if len(rules) != len(want) || len(want) > 0 && rules[0] != want[0] {
				t.Errorf("stored: %q, want %q", rules, want)
			}
		}
		must(t, s.SetFindings(t.Context(), "r", nil))
		must(t, s.write(t.Context(), "run", func(tx *sql.Tx) error {
			_, err := tx.Exec(`UPDATE run SET status = 'running'`)
			return err
		}))
		if err := s.Judge(t.Context(), "r", []assay.Finding{{Rule: "early"}}); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("a run in progress: %v", err)
		}
		findings()
		killed := func(want ...string) {
			t.Helper()
			if got, err := s.Unjudged(t.Context()); err != nil || !slices.Equal(got, want) {
				t.Errorf("killed without findings: %q, %v, want %q", got, err, want)
			}
		}
		killed()
		must(t, s.write(t.Context(), "reboot", func(tx *sql.Tx) error {
			_, err := tx.Exec(`UPDATE run SET owner_boot = 'another'`)
			return err
		}))
		killed("r")
		must(t, s.SetFindings(t.Context(), "r", []assay.Finding{{Rule: "known"}}))
		killed()
		must(t, s.SetFindings(t.Context(), "r", nil))
		must(t, s.Finish(t.Context(), "r", assay.RunInterrupted, time.Second, nil))
		must(t, s.Judge(t.Context(), "r", []assay.Finding{{Rule: "first"}}))
		must(t, s.Judge(t.Context(), "r", []assay.Finding{{Rule: "second"}}))
		findings("first")
	})
}
