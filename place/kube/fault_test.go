package kube_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	lab "assay/lab/kube"
	place "assay/place/kube"
	"assay/place/remote"
	"assay/stacks/kube"
)

// answer is what Run returned.
type answer struct {
	out assay.Output
	err error
}

// begin starts a command that does not end by itself, and waits until it runs. It
// is identified by its number of seconds.
func (b bed) begin(t *testing.T, p *place.Place, seconds string) chan answer {
	t.Helper()
	given := make(chan answer, 1)
	begun := make(chan bool, 1)
	go func() {
		out, err := p.Run(b.ctx, assay.Cmd{
			Argv: []string{"sh", "-c", "echo begun; sleep " + seconds + "; echo well"},
			OnStdout: func([]byte) bool {
				select {
				case begun <- true:
				default:
				}
				return false
			},
		})
		given <- answer{out, err}
	}()
	select {
	case <-begun:
	case a := <-given:
		t.Fatalf("the command ended at once: %+v", a)
	case <-time.After(10 * time.Minute):
		t.Fatal("the command did not begin")
	}
	return given
}

// fails expects that a command was ended, and returns its error.
func fails(t *testing.T, given chan answer) error {
	t.Helper()
	select {
	case a := <-given:
		t.Logf("%v (%s)", a.err, assay.Hint(a.err))
		if a.err == nil {
			t.Errorf("a command that was ended by force gave %+v and no error", a.out)
		}
		if string(a.out.Stdout) != "begun\n" {
			t.Errorf("its output was %q", a.out.Stdout)
		}
		if !errors.Is(a.err, assay.ErrHostGone) {
			t.Error("that is not assay.ErrHostGone")
		}
		return a.err
	case <-time.After(10 * time.Minute):
		t.Fatal("the command did not end")
		return nil
	}
}

// gone waits until no process on a node sleeps that many seconds.
func (b bed) gone(t *testing.T, node, seconds string) {
	t.Helper()
	b.eventually(t, func() error {
		out, err := b.Run(b.ctx, node, "sh", "-c", `for f in /proc/[0-9]*/cmdline; do tr '\0' ' ' <$f 2>/dev/null | grep -x "sleep $0 "; done; true`, seconds)
		if err == nil && strings.TrimSpace(out) != "" {
			err = fmt.Errorf("on %s runs %s", node, out)
		}
		return err
	})
}

func (b bed) eventually(t *testing.T, done func() error) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for {
		err := done()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Error(err)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// streams cuts an exec midway, both where the client sees no error and where it
// does.
func streams(t *testing.T, b bed) {
	p := b.open(t, options("cut"))
	for host, seconds := range map[string]string{"node1": "10001", lab.Control: "10002"} {
		given := b.begin(t, p, seconds)
		if err := b.CutStreams(b.ctx, host); err != nil {
			t.Fatal(err)
		}
		if err := fails(t, given); !errors.Is(err, remote.ErrLost) {
			t.Errorf("cut at %s: %v, want ErrLost", host, err)
		}
		b.gone(t, "node1", seconds)
		if _, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}}); err != nil {
			t.Errorf("after the cut at %s: %v", host, err)
		}
	}
}

// tails checks the ends of large outputs, which servers lose if they close a
// connection before it is fully read: one in nine, unless the far side lingers.
func tails(t *testing.T, b bed) {
	p := b.open(t, options("tails"))
	var all sync.WaitGroup
	for range 6 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 3 {
				out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"head", "-c", "16777216", "/dev/zero"}})
				if err != nil || len(out.Stdout) != 16<<20 {
					t.Errorf("%d bytes, %v", len(out.Stdout), err)
				}
			}
		}()
	}
	all.Wait()
}

// server restarts the API server while a command runs, and before one has
// started.
func server(t *testing.T, b bed) {
	p := b.open(t, options("server"))
	given := b.begin(t, p, "10003")
	if err := b.Stop(b.ctx, lab.Control, lab.APIServer); err != nil {
		t.Fatal(err)
	}
	if err := fails(t, given); !errors.Is(err, remote.ErrLost) {
		t.Errorf("%v, want ErrLost", err)
	}
	later := make(chan answer, 1)
	go func() {
		out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"echo", "back"}})
		later <- answer{out, err}
	}()
	if err := b.Start(b.ctx, lab.Control, lab.APIServer); err != nil {
		t.Fatal(err)
	}
	if a := <-later; a.err != nil || string(a.out.Stdout) != "back\n" {
		t.Errorf("a command that waited for the API server: %+v", a)
	}
	b.gone(t, "node1", "10003")
}

// mine marks a directory as the pod's, as a volume does.
const mine = `echo "$(readlink /proc/self/ns/pid) $(uname -n)" >/data/.assay-0123456789/.pod`

// scratch creates a directory as a volume does, inside one that outlives the
// pod.
func scratch(t *testing.T, b bed, host string) *place.Place {
	t.Helper()
	if _, err := b.Run(b.ctx, "node1", "sh", "-c", "rm -rf /srv/bench/.assay-*; mkdir -p /srv/bench/.assay-of0others /srv/bench/.assay-Not_ours"); err != nil {
		t.Fatal(err)
	}
	o := options(host)
	o.Attachments = []kube.Attachment{hostPath("/srv/bench", "/data")}
	p := b.place(o)
	if err := p.Open(b.ctx, nil); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"sh", "-c", "mkdir /data/.assay-0123456789 && " + mine + " && echo x >/data/.assay-0123456789/data"}}); err != nil || out.Exit != 0 {
		t.Fatalf("%v %s", err, out.Stderr)
	}
	return p
}

// cleared waits until the scratch directory of scratch is gone, and only that.
func (b bed) cleared(t *testing.T) {
	t.Helper()
	b.eventually(t, func() error {
		out, err := b.Run(b.ctx, "node1", "ls", "-A", "/srv/bench")
		if err == nil && strings.Contains(out, ".assay-0123456789") {
			err = fmt.Errorf("left on node1: %s", out)
		}
		if err == nil && (!strings.Contains(out, ".assay-of0others") || !strings.Contains(out, ".assay-Not_ours")) {
			t.Errorf("what was there before was removed: %s", out)
		}
		return err
	})
}

// deadline has Kubernetes end and forget the Job on its own.
func deadline(t *testing.T, b bed) {
	o := options("deadline")
	if _, err := b.Run(b.ctx, "node1", "sh", "-c", "rm -rf /srv/bench/.assay-*; mkdir -p /srv/bench/.assay-of0others /srv/bench/.assay-Not_ours"); err != nil {
		t.Fatal(err)
	}
	o.Attachments = []kube.Attachment{hostPath("/srv/bench", "/data")}
	p := b.open(t, o)
	var once sync.Once
	given, begun := make(chan answer, 1), make(chan struct{})
	go func() {
		out, err := p.Run(b.ctx, assay.Cmd{
			Argv:     []string{"sh", "-c", "mkdir /data/.assay-0123456789; " + mine + "; echo begun; while :; do echo x >>/data/.assay-0123456789/data; sleep 0.05; done"},
			OnStdout: func([]byte) bool { once.Do(func() { close(begun) }); return false },
		})
		given <- answer{out, err}
	}()
	select {
	case <-begun:
	case a := <-given:
		t.Fatalf("the command ended at once: %+v", a)
	}
	// Set only now: how long the command takes to start depends on the machine.
	if _, err := b.Kubectl(b.ctx, "patch", "job", p.Job(), "--patch", `{"spec":{"activeDeadlineSeconds":1}}`); err != nil {
		t.Fatal(err)
	}
	if err := fails(t, given); kube.ReasonOf(err) != kube.Deadline {
		t.Errorf("reason %q", kube.ReasonOf(err))
	}
	b.cleared(t)
	b.eventually(t, func() error {
		out, err := b.Kubectl(b.ctx, "get", "jobs,pods", "-o", "name")
		if err == nil && strings.Contains(out, p.Job()) {
			err = fmt.Errorf("still there: %s", out)
		}
		return err
	})
}

// drain evicts the pod while a command runs.
func drain(t *testing.T, b bed) {
	p := scratch(t, b, "drained")
	given := b.begin(t, p, "10004")
	if err := b.Drain(b.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	if err := fails(t, given); kube.ReasonOf(err) != kube.Evicted || !errors.Is(err, kube.ErrRemoved) {
		t.Errorf("reason %q", kube.ReasonOf(err))
	}
	b.cleared(t)
	if _, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}}); kube.ReasonOf(err) != kube.Evicted {
		t.Errorf("afterwards: %v", err)
	}
	o := options("late")
	o.Deadline = time.Minute
	late := b.place(o)
	if err := late.Open(b.ctx, nil); kube.ReasonOf(err) != kube.Scheduling || !strings.Contains(fmt.Sprint(err), "unschedulable") {
		t.Errorf("a new pod on it: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := b.Undrain(b.ctx, "node1"); err != nil {
		t.Error(err)
	}
}

// kubelet stops while a command runs: the pod is out of reach.
func kubelet(t *testing.T, b bed) {
	o := options("off")
	o.Node = "node2"
	p := b.open(t, o)
	given := b.begin(t, p, "10005")
	if err := b.Stop(b.ctx, "node2", lab.Kubelet); err != nil {
		t.Fatal(err)
	}
	if err := fails(t, given); kube.ReasonOf(err) != kube.Node || !strings.Contains(err.Error(), "node2") {
		t.Errorf("reason %q", kube.ReasonOf(err))
	}
	b.gone(t, "node2", "10005")
	if _, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}}); !errors.Is(err, assay.ErrHostGone) {
		t.Errorf("a command there: %v", err)
	}
	if err := b.Start(b.ctx, "node2", lab.Kubelet); err != nil {
		t.Fatal(err)
	}
	b.eventually(t, func() error {
		_, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}})
		return err
	})
}

// rights checks a user with too few rights.
func rights(t *testing.T, b bed) {
	file, err := b.User("joe", "testers")
	if err != nil {
		t.Fatal(err)
	}
	c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: file})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Minute)
	defer cancel()
	p := place.New(c, options("joe"))
	err = p.Open(ctx, nil)
	if kube.ReasonOf(err) != kube.Forbidden || !strings.Contains(err.Error(), `cannot create resource "jobs"`) {
		t.Errorf("got %v", err)
	}
}
