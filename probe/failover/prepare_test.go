package failover

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"assay"
	"assay/stacks/failover"
)

// site is a host that answers what is run before a stop.
type site struct {
	name  string
	asked *[]string
	says  func(script string) (exit int)
}

func (s site) Host() assay.Host { return assay.Host{Name: s.name} }
func (s site) Close() error     { return nil }

func (s site) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	script := c.Argv[len(c.Argv)-1]
	*s.asked = append(*s.asked, s.name+": "+script)
	return assay.Output{Exit: s.says(script)}, nil
}

// Before each stop the service is failed back to where it is stopped, once redundancy is
// whole; then redundancy is awaited again.
func TestWhatFailsBackBeforeAStop(t *testing.T) {
	e := failover.Entry{
		Name: "web", Host: "k2", Service: "kubelet", Address: "10.0.0.9", Observers: []string{"a", "b"},
		Whole: "is it whole", Failback: "bring it",
	}
	trial := assay.Trial{ID: "x", Subject: assay.Subject{Params: e.Confirmed()}}
	for name, c := range map[string]struct {
		there int // failbacks that fail first
		want  []string
	}{
		"it is there": {0, []string{"a: is it whole", "a: bring it", "a: is it whole"}},
		"it is away":  {1, []string{"a: is it whole", "a: bring it", "a: bring it", "a: is it whole"}},
	} {
		var asked []string
		brought := 0
		says := func(script string) int {
			if script == "bring it" {
				if brought++; brought <= c.there {
					return 1
				}
			}
			return 0
		}
		of := func(host string) assay.Place { return site{host, &asked, says} }
		on := assay.Bench{Place: of("k2"), Helpers: []assay.Place{of("a"), of("b")}, Scratch: assay.Scratch{Dir: "/run/x", Bytes: 1}}
		if _, err := New().(assay.RepeatPreparer).PrepareRepeat(t.Context(), trial, on); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := asked[1:]; !slices.Equal(got, c.want) || !strings.HasPrefix(asked[0], "k2: ") {
			t.Errorf("%s: asked %q, want %q", name, asked, c.want)
		}
	}
}

// The failback happens after the last stop too; if it fails, that is reported.
func TestWhatFailedOverComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		times := 0
		says := func(script string) int { times++; return 2 - times }
		s := scene{
			Entry:     failover.Entry{Name: "web", Host: "k2", Observers: []string{"a"}, Failback: "bring it"},
			observers: []assay.Place{site{"a", &asked, func(script string) int { return says(script) }}}, tr: &assay.Transcript{},
		}
		if err := s.bringBack(t.Context()); err != nil || len(s.tr.Steps) != 0 || !slices.Equal(asked, []string{"a: bring it", "a: bring it"}) {
			t.Errorf("%v, asked %q, steps %+v", err, asked, s.tr.Steps)
		}
		says = func(string) int { return 7 }
		if err := s.bringBack(t.Context()); err != nil || s.tr.Step(stepAway) == nil {
			t.Fatalf("%v, steps %+v", err, s.tr.Steps)
		}
		if said := string(s.tr.Step(stepAway).Output.Stderr); !strings.HasPrefix(said, "web did not fail back to k2 (on a the command under failback: exited 7") {
			t.Errorf("says %q", said)
		}
		interrupted, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.bringBack(interrupted); err == nil {
			t.Error("goes on when it is interrupted")
		}
		s.Failback, asked = "", nil
		if err := s.bringBack(t.Context()); err != nil || len(asked) > 0 {
			t.Errorf("%v, asked %q of what does not fail back", err, asked)
		}
	})
}

// What is not running is not stopped, and not failed back to.
func TestNothingIsBroughtToWhatDoesNotRun(t *testing.T) {
	e := failover.Entry{Name: "web", Host: "k2", Service: "kubelet", Address: "10.0.0.9", Observers: []string{"a"}, Failback: "bring it"}
	var asked []string
	of := func(host string) assay.Place { return site{host, &asked, func(string) int { return 3 }} }
	on := assay.Bench{Place: of("k2"), Helpers: []assay.Place{of("a")}, Scratch: assay.Scratch{Dir: "/run/x", Bytes: 1}}
	_, err := New().(assay.RepeatPreparer).PrepareRepeat(t.Context(), assay.Trial{ID: "x", Subject: assay.Subject{Params: e.Confirmed()}}, on)
	if len(asked) != 1 || err == nil || !strings.Contains(err.Error(), "does not run on k2") {
		t.Error(fmt.Sprint(err), asked)
	}
}
