package hosts

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/lab/internal/wires"

	"assay"
	"assay/lab/internal/turns"
)

func TestNothingIsLeft(t *testing.T) {
	needLab(t)
	ctx := testContext(t)
	dir := filepath.Join(t.TempDir(), "a lab")
	l, err := Up(ctx, dir, Standard(4))
	if err != nil {
		t.Fatal(err)
	}
	ns := namespaces(l)
	had := traces(l, ns)
	for _, kind := range traceKinds {
		if len(had[kind]) == 0 {
			t.Errorf("a lab that is up shows no %s: the test would not see one that is left", kind)
		}
	}
	// A process still running on a host, and an open file on its disk.
	if _, err := l.Run(ctx, "host1", "sh", "-c", "exec setsid sleep 1000 >"+BenchDir+"/open 2>&1 &"); err != nil {
		t.Error(err)
	}
	if err := l.Down(ctx); err != nil {
		t.Error(err)
	}
	gone(t, l, ns)
	if err := Down(ctx, dir); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestUpAgainChangesNothing(t *testing.T) {
	l := up(t, Standard(2))
	before := l.processes().Alive()
	again, err := Up(testContext(t), l.Dir, Standard(2))
	if err != nil {
		t.Fatal(err)
	}
	after := again.processes().Alive()
	for name, pid := range before {
		if after[name] != pid {
			t.Errorf("%s was process %d and is %d", name, pid, after[name])
		}
	}
	if _, err := Up(testContext(t), l.Dir, Standard(3)); err == nil || assay.Hint(err) == "" {
		t.Errorf("a lab of other hosts in the same directory: %v", err)
	}
}

func TestADirectoryOfSomethingElseIsLeftAlone(t *testing.T) {
	needLab(t)
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Up(testContext(t), dir, Standard(1)); err == nil {
		t.Error("Up took a directory that is not empty")
	}
	if err := Down(testContext(t), dir); err == nil {
		t.Error("Down of no lab went well")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of no lab: %v", err)
	}
}

func TestOneProgramAtATime(t *testing.T) {
	dir := t.TempDir()
	unlock, err := homeOf(dir).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := Down(testContext(t), dir); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	unlock()
	if err := Down(testContext(t), dir); err != nil {
		t.Errorf("after the other has ended: %v", err)
	}
}

func TestACancelledUpLeavesNothing(t *testing.T) {
	needLab(t)
	for cancelled := false; !cancelled; { // a busy machine may notice too late that a host has started
		dir := filepath.Join(t.TempDir(), "lab")
		ctx, cancel := context.WithCancel(testContext(t))
		done := make(chan error, 1)
		go func() {
			_, err := Up(ctx, dir, Standard(4))
			done <- err
		}()
		var l *Lab
		eventually(t, "a host starts", func() bool {
			l, _ = Open(dir)
			return len(l.processes().Alive()) > 1
		})
		ns := namespaces(l)
		cancel()
		err := <-done
		if cancelled = errors.Is(err, context.Canceled); !cancelled {
			if err != nil {
				t.Fatalf("got %v, want context.Canceled", err)
			}
			if err := Down(testContext(t), dir); err != nil {
				t.Fatal(err)
			}
		}
		gone(t, l, ns)
	}
}

// TestChild is the program that the next test kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("LAB_TEST_DIR")
	if dir == "" {
		t.Skip("run by another test")
	}
	if _, err := Up(testContext(t), dir, Standard(3)); err != nil {
		t.Fatal(err)
	}
	select {}
}

func TestKilledAtAnyMoment(t *testing.T) {
	needLab(t)
	for _, moment := range []string{
		homeOf("").State, hostsDir + "/switch.log", keyFile, hostsDir + "/host2.img", clusterFile, hostsDir + "/host3.sh", "",
	} {
		t.Run("at "+moment, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "lab")
			child := exec.Command(os.Args[0], "-test.run=^TestChild$")
			child.Env = append(os.Environ(), "LAB_TEST_DIR="+dir)
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = child.Process.Kill() }()
			var l *Lab
			eventually(t, "the lab gets there", func() bool {
				_, err := os.Stat(filepath.Join(dir, moment))
				l, _ = Open(dir)
				return err == nil && l.state.ID != "" && (moment != "" || l.state.Ready)
			})
			_ = child.Process.Kill()
			_ = child.Wait()
			l, _ = Open(dir)
			ns := namespaces(l)
			if err := Down(testContext(t), dir); err != nil {
				t.Error(err)
			}
			gone(t, l, ns)
		})
	}
}

// What a killed program left half made is not a lab: Up rebuilds it.
func TestUpAfterAKill(t *testing.T) {
	l := up(t, Standard(2))
	l.state.Ready = false
	if err := l.write(); err != nil {
		t.Fatal(err)
	}
	ns := namespaces(l)
	again, err := Up(testContext(t), l.Dir, Standard(2))
	if err != nil {
		t.Fatal(err)
	}
	left := traces(l, ns)
	if len(left["process"])+len(left["link"]) > 0 && again.state.ID == l.state.ID {
		t.Errorf("the half-made lab is still there: %v", left)
	}
	mustSSH(t, again, "host2", "true")
}

func TestTwoLabsAtATime(t *testing.T) {
	turns.NotQuick(t, "a second lab")
	needLab(t)
	ctx, dirs := testContext(t), []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	labs := make([]*Lab, 2)
	var wait sync.WaitGroup
	for i, dir := range dirs {
		wait.Go(func() {
			var err error
			if labs[i], err = Up(ctx, dir, Standard(2)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	defer func() {
		for _, dir := range dirs {
			if err := Down(ctx, dir); err != nil {
				t.Error(err)
			}
		}
	}()
	if t.Failed() {
		return
	}
	a, b := labs[0], labs[1]
	if a.state.Octet == b.state.Octet {
		t.Fatalf("both have 10.%d", a.state.Octet)
	}
	if err := a.Down(testContext(t)); err != nil {
		t.Fatal(err)
	}
	for _, host := range b.Names() {
		if got := mustSSH(t, b, host, "hostname"); got != host {
			t.Errorf("%s calls itself %q", host, got)
		}
	}
}

// Another lab takes the interface after its number was chosen.
func TestAddressesThatAreTakenAreLeft(t *testing.T) {
	l := up(t, Standard(1))
	taken := map[int]bool{}
	for range 50 {
		octet, err := wires.FreeOctet()
		if err != nil {
			t.Fatal(err)
		}
		taken[octet] = true
	}
	if taken[l.state.Octet] {
		t.Errorf("10.%d is in use and was chosen", l.state.Octet)
	}
	other := &Lab{Dir: t.TempDir(), state: l.state}
	if _, err := other.linkLaptop(testContext(t)); err == nil || !strings.Contains(err.Error(), "File exists") {
		t.Errorf("took the interface of another lab: %v", err)
	}
	nic, err := net.InterfaceByName(l.laptopNIC())
	if err != nil || nic.Index != l.state.Cable {
		t.Errorf("the interface is not the one that was made: %v %v", nic, err)
	}
}
