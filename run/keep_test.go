package run_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"assay"
)

// refuse makes the database refuse repeats, or accept them again.
func refuse(t *testing.T, file string, refused bool) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text := `DROP TRIGGER away`
	if refused {
		text = `CREATE TRIGGER away BEFORE INSERT ON repeat BEGIN SELECT RAISE(ABORT, 'the server is away'); END`
	}
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// A repeat that the store refuses is retried at the end: what was measured
// while a server was away is stored once it is back.
func TestRepeatsWaitForTheStore(t *testing.T) {
	for _, back := range []bool{true, false} {
		b := newBench(t)
		b.cases = 1
		b.probe.behave = func(_ context.Context, n int, _ assay.Bench) error {
			if n == 2 {
				refuse(t, b.db, true)
			}
			if n == 3 && back {
				refuse(t, b.db, false)
			}
			return nil
		}
		got, st, err := b.carry(context.Background(), t)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := st.Load(context.Background(), runID)
		if err != nil {
			t.Fatal(err)
		}
		stored, noted := len(loaded.Results[0].Counted()), strings.Contains(fmt.Sprint(got.Notes), "some results could not be stored")
		switch {
		case back && (stored != 3 || noted || got.Status != assay.RunDone):
			t.Errorf("the store was back: it has %d of 3 repeats, %s, %v", stored, got.Status, got.Notes)
		case !back && (stored != 1 || !noted || got.Status != assay.RunPartial):
			t.Errorf("the store stayed away: it has %d repeats, %s, %v", stored, got.Status, got.Notes)
		}
		if n := len(got.Results[0].Counted()); n != 3 {
			t.Errorf("%d figures are left to print", n)
		}
	}
}
