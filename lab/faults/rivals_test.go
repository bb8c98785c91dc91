package faults

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/executable"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// Two laptops unaware of each other: the second is refused, is told who has the
// host, and disturbs nothing.
func TestTwoRunsAtOnce(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	other := laptop.New(t, b.laptop.File)
	first := b.measure(4*time.Minute, 30, slowDisk...)
	b.awaitRunning(first, "host1", "fio", "--rw=randread")
	second := measure(other, short, 1, quickDisk...).Wait(short + overtime)
	if first.Over() {
		t.Fatalf("the first was over too early to be in anyone's way; it said %s", first.Said())
	}
	third := b.runOn("host1")
	had := first.measured("host1")
	b.awaitThat(first, "the first measures on", func() bool { return first.measured("host1") > had && first.measured("host2") > 0 })
	first.Signal(syscall.SIGINT)
	o := first.end()
	o.expectExit(interrupted)
	o.expectFigures("host1", "host2")
	for who, said := range map[string]string{"another laptop": second.Said, "the host itself": third} {
		for _, w := range []string{"already in use", "run " + o.doc.Run.ID, "hint: wait until it has finished"} {
			if !strings.Contains(said, w) {
				t.Errorf("on %s it does not say %q but %s", who, w, said)
			}
		}
	}
	if second.Exit != failed || second.Stdout != "" {
		t.Errorf("the second ended with %d and printed %q", second.Exit, second.Stdout)
	}
	other.ExpectEmpty()
	b.expectNothingLeft()
	again := measure(other, short, 3, quickDisk...).end()
	again.expectMeasured()
	again.expectFigures("host1", "host2")
	b.expectNothingLeft()
	other.ExpectEmpty()
}

// runOn runs assay on a host, as a user logged in there would, and returns what
// it printed if it was refused.
func (b *bed) runOn(host string) string {
	b.t.Helper()
	file, err := laptop.Binary()
	if err != nil {
		b.t.Fatal(err)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	const there = "/home/visitor"
	dir := filepath.Join(string(enter(b.t, b.lab, host).first), "root", there)
	if err := os.Mkdir(dir, 0o700); err != nil {
		b.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := executable.Write(filepath.Join(dir, "assay"), string(program)); err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	_, err = b.lab.Run(ctx, host, "env", "HOME="+there, "ASSAY_DB="+there+"/assay.db", "TMPDIR="+there,
		there+"/assay", "run", "--suite", "quick", "--dir", hosts.BenchDir, "--time-budget", "5s")
	if err == nil {
		b.t.Errorf("assay on %s ran beside another", host)
		return ""
	}
	return err.Error()
}
