package faults

import (
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// ways to lose a host midway.
var ways = []struct {
	name  string
	fault hosts.Fault
}{
	{"dies", hosts.PowerOff},
	{"is cut off", hosts.Cut},
}

// A host is lost while fio runs there: the other host is still measured
// completely.
func TestHostLostDuringFio(t *testing.T) {
	for i, c := range ways {
		t.Run(c.name, func(t *testing.T) {
			if i > 0 {
				notQuick(t)
			}
			t.Parallel()
			b := newBed(t, 2)
			m := b.measure(short, 3, slowDisk...)
			b.awaitRunning(m, "host1", "fio", "--rw=randread")
			b.breakHost("host1", c.fault)
			o := m.end()
			o.expectExit(partial)
			o.expectFigures("host2")
			o.expectSaid("host1", "went away")
			b.expectCommandsEnd("host1")
			b.mend("host1", c.fault)
			b.forgetSessions("host1", c.fault)
			if c := b.laptop.CleanUp(); len(c.Released) != 1 || c.InUse != 0 {
				t.Errorf("cleanup: %+v, want the scratch space of host1", c)
			}
			b.expectNothingLeft()
		})
	}
}

// A host is lost while it is one end of iperf3: the other hosts' links are
// measured, in both directions.
func TestHostLostDuringIperf3(t *testing.T) {
	notQuick(t)
	for _, role := range []string{"as server", "as client"} {
		for _, c := range ways {
			t.Run(role+" "+c.name, func(t *testing.T) {
				t.Parallel()
				b := newBed(t, 3)
				one, two, lost := enter(t, b.lab, "host1"), enter(t, b.lab, "host2"), enter(t, b.lab, "host3")
				address := func(host string) string { return b.lab.Address(host, hosts.Storage) }
				m := b.measure(3*time.Minute, 2, slowLink...)
				b.awaitThat(m, "host3 is in the middle "+role, func() bool {
					if role == "as client" {
						return lost.runs("iperf3", "-c")
					}
					return lost.runs("iperf3", "-s") && (one.runs("iperf3", "-c", address("host3")) || two.runs("iperf3", "-c", address("host3")))
				})
				b.breakHost("host3", c.fault)
				o := m.end()
				o.expectExit(partial)
				o.expectLink("host1", "host2")
				o.expectLink("host2", "host1")
				o.expectSaid("host3", "went away")
				b.expectCommandsEnd("host3")
				b.mend("host3", c.fault)
				b.forgetSessions("host3", c.fault)
				b.expectNothingLeft()
			})
		}
	}
}

// expectCommandsEnd fails if a host that is still cut off keeps measuring. A
// powered-off host cannot.
func (b *bed) expectCommandsEnd(host string) {
	b.t.Helper()
	if !b.lab.Alive()[host] {
		return
	}
	at := enter(b.t, b.lab, host)
	if !laptop.Eventually(2*time.Minute, func() bool { return !at.runs("fio") && !at.runs("iperf3") }) {
		b.t.Errorf("%s measures on, without us: %q", host, at.processes())
	}
}

// forgetSessions ends the sessions that sshd had when the network was cut: on
// its own it would notice only after a minute, or hours.
func (b *bed) forgetSessions(host string, f hosts.Fault) {
	b.t.Helper()
	if f == hosts.Cut {
		b.breakHost(host, hosts.DropSessions)
	}
}

// All connections to a host break but can be re-established: the run continues
// there and loses only what was in progress.
func TestSessionsDropped(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	m := b.measure(5*time.Minute, 3, "--suite", "baseline", "--only", "randread-4k", "--length", "6s")
	b.awaitFigures(m)
	b.awaitRunning(m, "host1", "fio", "--rw=randread")
	b.breakHost("host1", hosts.DropSessions)
	o := m.end()
	o.expectExit(partial)
	o.expectFigures("host1", "host2")
	o.expectSaid("host1", "the connection was lost")
	b.expectNothingLeft()
}
