package local_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"assay"
	"assay/place/local"
	"assay/place/placetest"
)

func TestConformance(t *testing.T) {
	placetest.Test(t, func(*testing.T) assay.Place { return local.New("here", "") })
}

func TestCPUTimeIsCounted(t *testing.T) {
	out, err := local.New("here", "").Run(context.Background(),
		assay.Cmd{Argv: []string{"sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"}})
	if err != nil {
		t.Fatal(err)
	}
	if out.CPU <= 0 || out.CPU > 2*out.Elapsed {
		t.Errorf("CPU time %v of %v elapsed", out.CPU, out.Elapsed)
	}
}

func TestEndlessOutputIsStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	out, err := local.New("here", "").Run(ctx, assay.Cmd{Argv: []string{"cat", "/dev/zero"}})
	if !errors.Is(err, assay.ErrTooLong) {
		t.Fatalf("got %v, want ErrTooLong", err)
	}
	if len(out.Stdout) != assay.OutputLimit {
		t.Errorf("kept %d bytes, want %d", len(out.Stdout), assay.OutputLimit)
	}
}

// A process that left its group is out of reach of a group kill; Reap finds it
// by its mark.
func TestReapFindsWhatWasLeft(t *testing.T) {
	mark := "test-" + t.Name()
	p := local.New("here", mark)
	if _, err := p.Run(context.Background(), assay.Cmd{Argv: []string{"setsid", "--fork", "sleep", "600"}}); err != nil {
		t.Skipf("needs setsid: %v", err)
	}
	if n, err := p.Reap(context.Background(), "another mark"); n != 0 || err != nil {
		t.Errorf("reaped %d of another mark, %v", n, err)
	}
	for _, odd := range []string{"x\nASSAY_MARK=" + mark, mark + "\x00"} {
		if n, err := p.Reap(context.Background(), odd); n != 0 || err == nil {
			t.Errorf("%q: reaped %d, %v", odd, n, err)
		}
	}
	if n, err := p.Reap(context.Background(), mark); n != 1 || err != nil {
		t.Errorf("reaped %d, %v; want 1", n, err)
	}
	if n, err := p.Reap(context.Background(), mark); n != 0 || err != nil {
		t.Errorf("%d were still there when it returned, %v", n, err)
	}
}
