package faults

import (
	"path/filepath"
	"testing"

	"assay/lab/hosts"
)

func needFaketime(t *testing.T) {
	t.Helper()
	if found, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1"); len(found) == 0 {
		t.Skip("no libfaketime")
	}
}

// Durations are monotonic and no file dates matter: a host whose clock is an
// hour off yields the same figures.
func TestClockOff(t *testing.T) {
	notQuick(t)
	t.Parallel()
	needFaketime(t)
	b := newBed(t, 2)
	b.breakHost("host1", hosts.Clock, "+3600")
	b.remember("host1")
	o := b.measure(short, 3, quickDisk...).end()
	o.expectMeasured()
	o.expectFigures("host1", "host2")
	o.expectLikeEachOther("storage.read.iops", "host1", "host2")
	b.expectNothingLeft()
}

// A clock that jumps ahead an hour mid-repeat spoils no figure.
func TestClockJumps(t *testing.T) {
	notQuick(t)
	t.Parallel()
	needFaketime(t)
	b := newBed(t, 2)
	m := b.measure(short, 3, slowDisk...)
	b.awaitRunning(m, "host1", "fio", "--rw=randread")
	b.breakHost("host1", hosts.Clock, "+3600")
	o := m.end()
	o.expectMeasured()
	o.expectFigures("host1", "host2")
	o.expectLikeEachOther("storage.read.iops", "host1", "host2")
	b.mend("host1", hosts.Clock, "+3600")
	b.expectNothingLeft()
}
