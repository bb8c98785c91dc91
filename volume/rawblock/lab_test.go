package rawblock_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	place "assay/place/kube"
	"assay/probe/fio"
	"assay/stacks/kube"
	"assay/volume/rawblock"
)

// node is a node of a real Kubernetes with two devices for a pod, and that pod.
type node struct {
	*lab.Lab
	t    *testing.T
	ctx  context.Context
	name string
	pod  *place.Place
}

func (n node) run(argv ...string) string {
	n.t.Helper()
	out, err := n.Run(n.ctx, n.name, argv...)
	if err != nil {
		n.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// link makes a link like udev's, or redirects it.
func (n node) link(name string, to lab.Device) {
	n.t.Helper()
	n.run("sh", "-c", `mkdir -p "${1%/*}" && ln -snf "../../${2##*/}" "$1"`, "sh", name, to.Path)
}

// blank reports whether a device's first MiB is.
func (n node) blank(d lab.Device) bool {
	n.t.Helper()
	return n.run("sh", "-c", `head -c 1048576 "$1" | tr -d '\000' | head -c 1 | wc -c`, "sh", d.Path) == "0"
}

// TestInPod lends devices of a node in a pod of a real Kubernetes.
func TestInPod(t *testing.T) {
	if testing.Short() {
		t.Skip("brings a Kubernetes up")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	n := node{Lab: kubetest.Up(t), t: t, ctx: ctx, name: "node1"}
	const bytes = 64 << 20
	var devices [2]lab.Device
	for i, name := range []string{"left", "right"} {
		d, err := n.AddDevice(ctx, n.name, name, bytes, lab.Pace{})
		if err != nil {
			t.Fatal(err)
		}
		devices[i] = d
	}
	left, right := devices[0], devices[1]
	const id = "/dev/disk/by-id/usb-Lab_Stick_4C530001-0:0"
	n.link(id, left)

	plain := rawblock.Options{Node: n.name, Device: right.Path, Backing: right.Backing}
	linked := rawblock.Options{Node: n.name, Device: id, Backing: left.Backing}
	named, byID := attach(t, plain, "plain"), attach(t, linked, "usb")
	n.open(named, byID)
	v := rawblock.New()
	receipt := func(o rawblock.Options, a kube.Attachment) assay.Receipt {
		t.Helper()
		want, err := o.Identity()
		if err != nil {
			t.Fatal(err)
		}
		r, err := v.Reserve(ctx, nil, assay.Subject{ID: "usb/block/x", Kind: assay.KindBlock, Host: "usb", Name: a.Path, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	t.Run("a name is followed to the device that has it now", func(t *testing.T) {
		r := receipt(linked, byID)
		s, err := v.Lend(ctx, n.pod, r)
		if err != nil || s.File != "/node/usb"+id || s.Bytes != bytes {
			t.Fatalf("lent %+v, %v", s, err)
		}
		n.link(id, right) // they came back swapped
		n.measure(t, s)
		if !n.blank(left) || n.blank(right) {
			t.Error("it was written to the device that had the name before")
		}
		n.link(id, left)
		if err := v.Release(ctx, n.pod, r); err != nil {
			t.Error(err)
		}
		if !n.blank(left) {
			t.Error("what was not written to was marked")
		}
		n.run("blkdiscard", "--force", right.Path)
	})
	t.Run("one run after another", func(t *testing.T) {
		for range 2 {
			r := receipt(linked, byID)
			s, err := v.Lend(ctx, n.pod, r)
			if err != nil {
				t.Fatal(err)
			}
			n.measure(t, s)
			if err := v.Release(ctx, n.pod, r); err != nil {
				t.Error(err)
			}
			if head := n.run("head", "-c", "20", left.Path); head != "assay: this device w" {
				t.Errorf("it begins with %q", head)
			}
		}
	})
	t.Run("what nobody knows", func(t *testing.T) {
		n.run("sh", "-c", `echo secret | dd of="$1" bs=512 seek=100 conv=fsync 2>/dev/null`, "sh", right.Path)
		if s, err := v.Lend(ctx, n.pod, receipt(plain, named)); err == nil || !strings.Contains(err.Error(), "at byte 51200") || !strings.Contains(assay.Hint(err), "overwrite: "+right.Backing) {
			t.Errorf("lent %+v, %v", s, err)
		}
		n.run("sh", "-c", `printf SPDKBLOB | dd of="$1" conv=notrunc,fsync 2>/dev/null`, "sh", right.Path)
		if s, err := v.Lend(ctx, n.pod, receipt(plain, named)); err == nil || !strings.Contains(err.Error(), "spdk_blobstore") {
			t.Errorf("lent %+v, %v", s, err)
		}
	})
	t.Run("open under its other name", func(t *testing.T) {
		kernel := n.run("sh", "-c", `readlink -f "/sys/dev/block/$((0x$(stat -L -c %t "$1"))):$((0x$(stat -L -c %T "$1")))"`, "sh", left.Path)
		kernel = "/dev/" + kernel[strings.LastIndexByte(kernel, '/')+1:]
		busy, stop := context.WithCancel(ctx)
		defer stop()
		begun, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			first := true
			_, _ = n.pod.Run(busy, assay.Cmd{Argv: []string{"sh", "-c", `exec 3<"$1"; echo open; sleep 1000`, "sh", kernel}, OnStdout: func([]byte) bool {
				if first {
					first = false
					close(begun)
				}
				return false
			}})
		}()
		select {
		case <-begun:
		case <-ended:
			t.Fatalf("nothing opened %s", kernel)
		}
		r := receipt(linked, byID)
		if _, err := v.Lend(ctx, n.pod, r); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("lent while a process has it open: %v", err)
		}
		if err := v.Release(ctx, n.pod, r); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("released while a process has it open: %v", err)
		}
		stop()
		<-ended
		if err := v.Release(ctx, n.pod, r); err != nil {
			t.Error(err)
		}
	})
	t.Run("nothing is made on the node", func(t *testing.T) {
		if out := n.run("sh", "-c", "ls -d /run/udev 2>/dev/null || echo none"); out != "none" {
			t.Errorf("there is %s", out)
		}
	})
}

func attach(t *testing.T, o rawblock.Options, name string) kube.Attachment {
	t.Helper()
	a, err := rawblock.Attach(o, name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// open starts the pod.
func (n *node) open(attached ...kube.Attachment) {
	n.t.Helper()
	if err := n.Apply(n.ctx, "{apiVersion: v1, kind: Namespace, metadata: {name: usb, labels: {pod-security.kubernetes.io/enforce: privileged}}}"); err != nil {
		n.t.Fatal(err)
	}
	cluster, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: n.Kubeconfig()})
	if err != nil {
		n.t.Fatal(err)
	}
	n.pod = place.New(cluster, place.Options{Host: assay.Host{Name: "usb"}, Run: "test", Namespace: "usb", Image: lab.Image,
		PullPolicy: corev1.PullIfNotPresent, Node: n.name, Attachments: attached})
	if err := n.pod.Open(n.ctx, nil); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		if err := n.pod.Close(); err != nil {
			n.t.Error(err)
		}
	})
}

// measure runs fio on the lent space, as the probe does.
func (n node) measure(t *testing.T, s assay.Scratch) {
	t.Helper()
	p := fio.New()
	c := assay.Case{Probe: p.Spec().Name, Name: "write", On: assay.KindTier, Seconds: 1,
		Set: map[string]string{"rw": "write", "bs": "1m", "engine": "psync", "direct": "1"}}
	subject := assay.Subject{ID: "usb/block/x", Kind: assay.KindBlock, Host: "usb", Name: s.File, Volume: rawblock.Kind, Tier: "usb"}
	inv := assay.Inventory{Hosts: []assay.Host{{Name: "usb"}}, Subjects: []assay.Subject{subject}, Facts: map[string]assay.Facts{
		"usb": {Host: "usb", Tools: []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio"}}, Block: []assay.BlockDevice{{Name: "x", Path: s.File, Bytes: s.Bytes}}}}}
	trials, err := p.Trials(inv, c)
	if err != nil || len(trials) != 1 || trials[0].Absent != nil {
		t.Fatalf("trials %+v, %v", trials, err)
	}
	bench := assay.Bench{Place: n.pod, Scratch: s, Length: time.Second}
	tr, err := p.Run(n.ctx, trials[0], bench)
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Parse(tr)
	if err != nil || len(found) == 0 {
		t.Fatal(fmt.Errorf("fio's figures: %v, %w", found, err))
	}
}
