package store

import (
	"os"
	"strings"
	"testing"
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
