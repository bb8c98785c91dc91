package record_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/place/local"
	"assay/place/placetest"
	"assay/place/record"
	"assay/place/replay"
)

func TestConformance(t *testing.T) {
	placetest.Test(t, func(*testing.T) assay.Place { return record.New(local.New("here", ""), io.Discard) })
}

func TestWhatWasRecordedIsReplayed(t *testing.T) {
	var tape bytes.Buffer
	rec := record.New(local.New("here", ""), &tape)
	ctx := context.Background()
	ask := []assay.Cmd{
		{Argv: []string{"sh", "-c", "echo out; echo err >&2; exit 3"}},
		{Argv: []string{"sh", "-c", "cat"}, Stdin: []byte("in")},
		{Argv: []string{"assay-no-such-command"}},
		{Argv: []string{"echo", "/x/assay-0123456789ab/data"}},
	}
	var outs []assay.Output
	for _, c := range ask {
		out, _ := rec.Run(ctx, c)
		outs = append(outs, out)
	}
	p, err := replay.New(&tape, "tape")
	if err != nil {
		t.Fatal(err)
	}
	if p.Host().Name != "here" {
		t.Errorf("host %q", p.Host().Name)
	}
	ask[3].Argv[1] = "/x/assay-ba9876543210/data" // another run's scratch
	for i, c := range ask {
		out, err := p.Run(ctx, c)
		if i == 2 && !errors.Is(err, assay.ErrNoCommand) {
			t.Errorf("%q: %v, want ErrNoCommand", c.Argv, err)
		}
		out.Started, outs[i].Started = outs[i].Started.UTC(), outs[i].Started.UTC()
		if diff := cmp.Diff(string(outs[i].Stdout), string(out.Stdout)); diff != "" || out.Exit != outs[i].Exit || out.CPU != outs[i].CPU {
			t.Errorf("%q: exit %d, cpu %v: %s", c.Argv, out.Exit, out.CPU, diff)
		}
	}
	if out, err := p.Run(ctx, assay.Cmd{Argv: ask[1].Argv, Stdin: []byte("a later script")}); err != nil || string(out.Stdout) != "in" {
		t.Errorf("the same command with another script: %q, %v; want the recorded answer", out.Stdout, err)
	}
	if _, err := p.Run(ctx, assay.Cmd{Argv: []string{"never", "asked"}}); err == nil || assay.Hint(err) == "" {
		t.Errorf("a command that was not recorded: %v", err)
	}
}

func TestDamagedRecordings(t *testing.T) {
	for _, tape := range []string{"", "{}\n", "rubbish\n", `{"host":"a\u001b[2Jb","argv":["a"]}`, `{"host":"a\nb","argv":["a"]}`, `{"host":"h","argv":["a"]}` + "\n{"} {
		if _, err := replay.New(bytes.NewBufferString(tape), "tape"); err == nil {
			t.Errorf("%q was accepted", tape)
		}
	}
}
