package farclock

import (
	"math"
	"testing"
	"time"

	"assay"
)

func TestAhead(t *testing.T) {
	asked := assay.Step{Output: assay.Output{Stdout: []byte("1795657445.002000000\n"), Started: time.Unix(1795653845, 0), Elapsed: 4 * time.Millisecond}}
	ahead, off, err := Ahead(asked)
	if err != nil || math.Abs(ahead-3600) > 1e-6 || math.Abs(off-.002) > 1e-9 {
		t.Errorf("%v ahead, %v off, %v", ahead, off, err)
	}
	// BusyBox's date knows no %N: the second may have just begun, or be nearly over.
	for _, said := range []string{"1795657445.%N\n", "1795657445\n"} {
		asked.Output.Stdout = []byte(said)
		if ahead, off, err := Ahead(asked); err != nil || math.Abs(ahead-3600.498) > 1e-6 || math.Abs(off-.502) > 1e-9 {
			t.Errorf("%q: %v ahead, %v off, %v", said, ahead, off, err)
		}
	}
	asked.Output.Stdout = []byte("date: invalid option\n")
	if _, _, err := Ahead(asked); err == nil {
		t.Error("words are no time")
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]float64{"1795653845.5\n": 1795653845.5, "1795653845.%N\n": 1795653845, "1795653845": 1795653845} {
		if at, err := Read([]byte(text)); err != nil || at != want {
			t.Errorf("%q: %v, %v", text, at, err)
		}
	}
	for _, text := range []string{"", "x", "-1"} {
		if at, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, at)
		}
	}
}
