package store

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
)

// Machines cloned from one image may share a machine-id: with another boot and another
// name, a process is not of this machine, and its run is not over.
func TestCloneIsAnotherMachine(t *testing.T) {
	self, err := Self("r")
	if err != nil {
		t.Fatal(err)
	}
	sign, name, _ := strings.Cut(self.Machine, "/")
	for _, test := range []struct {
		boot, name string
		elsewhere  bool
	}{
		{"another", name + "-clone", true},
		{"another", name, false},             // before it booted
		{self.Boot, name + "-before", false}, // renamed since
	} {
		o := Owner{PID: 1 << 30, Start: "1", Boot: test.boot, Machine: sign + "/" + test.name}
		if o.Elsewhere() != test.elsewhere || Alive(o) != test.elsewhere {
			t.Errorf("%+v is elsewhere: %v, alive: %v", o, o.Elsewhere(), Alive(o))
		}
	}
}

// The seal proves that a receipt is from this machine, whatever it was called then.
func TestOwnReceiptsAreFromHereUnderAnyName(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := onServer.fresh(t)
	sign, _, _ := strings.Cut(thisMachine(), "/")
	for id, machine := range map[string]string{"renamed": sign + "/before", "another": "0123456789abcdef/before"} {
		must(t, s.Journal(t.Context(), assay.Receipt{ID: id}, Owner{PID: 1 << 30, Start: "1", Boot: "another", Run: "r", Machine: machine}))
	}
	entries, err := s.Outstanding(t.Context())
	must(t, err)
	for _, e := range entries {
		if Alive(e.Owner) != (e.Receipt.ID == "another") {
			t.Errorf("%s: %+v is alive: %v", e.Receipt.ID, e.Owner, Alive(e.Owner))
		}
	}
	if len(entries) != 2 {
		t.Errorf("%d receipts", len(entries))
	}
}

// Only a person can tell that another machine was this one before it was renamed, or is
// gone: the hints say how to end its run.
func TestRunsElsewhereCanBeEnded(t *testing.T) {
	s := onServer.fresh(t)
	must(t, keep(t.Context(), s, small("r", time.Unix(1, 0).UTC())))
	must(t, s.write(t.Context(), "own", func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE run SET status = 'running', owner_boot = 'b@0123456789abcdef/before'`)
		return err
	}))
	for what, err := range map[string]error{"resume": s.Reopen(t.Context(), "r", nil), "delete": s.Delete(t.Context(), "r")} {
		if !errors.Is(err, assay.ErrBusy) || !strings.Contains(assay.Hint(err), "UPDATE assay.run SET status = 'interrupted' WHERE id = 'r'") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A /proc mounted with hidepid hides other users' processes, or keeps their files to them.
func TestHiddenProcessIsAlive(t *testing.T) {
	for _, err := range []error{os.ErrNotExist, os.ErrPermission} {
		if !running(Owner{PID: os.Getpid(), Start: "1"}, nil, err) {
			t.Errorf("with %v, a process that exists counts as dead", err)
		}
		if running(Owner{PID: 1 << 30, Start: "1"}, nil, err) || running(Owner{}, nil, err) {
			t.Errorf("with %v, a process that does not exist counts as alive", err)
		}
	}
}
