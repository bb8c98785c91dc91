package multiclient

import (
	"fmt"
	"testing"

	"assay"
)

func TestCounts(t *testing.T) {
	for n, want := range map[int]string{
		0: "[]", 1: "[]", 2: "[2]", 3: "[2 3]", 6: "[2 3 4 5 6]", 7: "[2 4 7]", 8: "[2 4 8]", 9: "[2 4 8 9]", 16: "[2 4 8 16]", 20: "[2 4 8 16 20]",
	} {
		if got := fmt.Sprint(Counts(n)); got != want {
			t.Errorf("of %d hosts: %s, want %s", n, got, want)
		}
	}
}

// On each of its hosts, a multi-host trial is the suite's case on one subject.
func TestPartsAreTheCaseItself(t *testing.T) {
	alone := assay.Trial{Case: "randread-4k", Subject: assay.Subject{ID: "a/x", Host: "a"}}
	if got := Parts(alone); len(got) != 1 || got[0].Case != alone.Case || got[0].Subject.ID != "a/x" {
		t.Errorf("of one host: %+v", got)
	}
	three := alone
	three.Case, three.Others = Case(alone.Case, 3), []assay.Subject{{ID: "b/x", Host: "b"}, {ID: "c/x", Host: "c"}}
	if three.Case != "randread-4k-3-hosts" || Title("4 KiB random read", 3) != "4 KiB random read on 3 hosts at once" {
		t.Errorf("it is called %q, %q", three.Case, Title("4 KiB random read", 3))
	}
	got := ""
	for _, p := range Parts(three) {
		got += fmt.Sprint(p.Case, "@", p.Subject.ID, " ", len(p.Others), "; ")
	}
	if want := "randread-4k@a/x 0; randread-4k@b/x 0; randread-4k@c/x 0; "; got != want {
		t.Errorf("its parts are %s, want %s", got, want)
	}
	if len(three.Others) != 2 || three.Subject.Host != "a" {
		t.Errorf("it was changed: %+v", three)
	}
	odd := alone
	odd.Case = "scrub-3-hosts"
	if Base(odd) != odd.Case {
		t.Errorf("a case of one host that is called %s is %s", odd.Case, Base(odd))
	}
}
