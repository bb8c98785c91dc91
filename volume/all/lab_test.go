package all_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	place "assay/place/kube"
	"assay/stacks/kube"
	"assay/volume/ephemeral"
	"assay/volume/hostpath"
	"assay/volume/pvc"
	"assay/volume/rawblock"
)

// bed is a Kubernetes with a namespace for each Pod Security level, so that a
// pod that starts shows that its attachments request enough.
type bed struct {
	*lab.Lab
	ctx     context.Context
	cluster *kube.Cluster
}

// TestInPods lends each kind of volume in pods of a real Kubernetes.
func TestInPods(t *testing.T) {
	if testing.Short() {
		t.Skip("brings a Kubernetes up")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	b := bed{Lab: kubetest.Up(t), ctx: ctx}
	var err error
	if b.cluster, err = kube.Connect(assay.KubernetesAccess{Kubeconfig: b.Kubeconfig()}); err != nil {
		t.Fatal(err)
	}
	for _, level := range []kube.Security{kube.Restricted, kube.Baseline, kube.Privileged} {
		err := b.Apply(ctx, fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {pod-security.kubernetes.io/enforce: %[1]s}}}", level))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Run("file systems", b.fileSystems)
	t.Run("device of a claim", b.claimedDevice)
	t.Run("node", b.node)
}

// open starts a pod with attachments on a node, in the namespace of their level.
func (b bed) open(t *testing.T, node string, attached ...kube.Attachment) *place.Place {
	t.Helper()
	o := place.Options{Host: assay.Host{Name: "tier"}, Run: "test", Image: lab.Image, PullPolicy: corev1.PullIfNotPresent, Node: node, Attachments: attached}
	o.Namespace = string(o.Security())
	p := place.New(b.cluster, o)
	if err := p.Open(b.ctx, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func reserve(t *testing.T, v assay.Volume, kind assay.SubjectKind, at string, params map[string]string, bytes int64) assay.Receipt {
	t.Helper()
	r, err := v.Reserve(context.Background(), nil, assay.Subject{ID: "tier/" + string(kind) + at, Kind: kind, Host: "tier", Name: at, Params: params}, assay.Request{ID: "0123456789abcdef", Bytes: bytes})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// usable lends a volume, fills it as a probe would, and releases it.
func (b bed) usable(t *testing.T, p assay.Place, v assay.Volume, r assay.Receipt) assay.Scratch {
	t.Helper()
	s, err := v.Lend(b.ctx, p, r)
	if err != nil {
		t.Error(err)
		return s
	}
	out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"fio", "--name=fill", "--rw=write", "--bs=1m", "--direct=1", "--ioengine=psync", "--verify=crc32c",
		"--filename=" + s.File, fmt.Sprintf("--size=%d", s.Bytes)}})
	if err != nil || out.Exit != 0 {
		t.Errorf("%s cannot be written: %v %s%s", s.File, err, out.Stdout, out.Stderr)
	}
	for range 2 { // it is idempotent
		if err := v.Release(b.ctx, p, r); err != nil {
			t.Error(err)
		}
	}
	if s.Dir != "" {
		if out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"test", "!", "-e", s.Dir}}); err != nil || out.Exit != 0 {
			t.Errorf("%s is left: %v", s.Dir, err)
		}
	}
	return s
}

func must(t *testing.T) func(kube.Attachment, error) kube.Attachment {
	return func(a kube.Attachment, err error) kube.Attachment {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

func (b bed) fileSystems(t *testing.T) {
	const file = 48 << 20
	claim := pvc.Options{Class: lab.ClassDelete, Size: fmt.Sprint(pvc.Size(file))}
	small := pvc.Options{Size: "24Mi"}
	attached := []kube.Attachment{
		must(t)(pvc.Attach(claim, "claim")), must(t)(pvc.Attach(small, "small")),
		must(t)(ephemeral.Attach(ephemeral.Options{Size: "1Gi"}, "scratch")),
		must(t)(ephemeral.Attach(ephemeral.Options{Class: lab.ClassDelete, Size: "128Mi"}, "generic")),
	}
	p := b.open(t, "", attached...)
	for i, v := range []assay.Volume{pvc.New(), nil, ephemeral.New(), ephemeral.New()} {
		if v == nil {
			continue
		}
		r := reserve(t, v, assay.KindDirectory, attached[i].Path, nil, file)
		if s := b.usable(t, p, v, r); s.Bytes != file {
			t.Errorf("%s lends %d bytes of %d", attached[i].Path, s.Bytes, file)
		}
	}
	_, err := pvc.New().Lend(b.ctx, p, reserve(t, pvc.New(), assay.KindDirectory, attached[1].Path, small.Params(), file))
	if !errors.Is(err, assay.ErrNoSpace) || !strings.Contains(err.Error(), "24Mi of the default class") {
		t.Errorf("a volume smaller than the least file: %v", err)
	}
	if _, err := ephemeral.New().Lend(b.ctx, p, reserve(t, ephemeral.New(), assay.KindDirectory, "/tmp", nil, file)); !errors.Is(err, assay.ErrNotFound) {
		t.Errorf("the container's own layer was lent: %v", err)
	}

	// What the API reports for a volume on a node's own disk.
	stack, err := kube.StackOf(b.ctx, b.cluster.Client(), "restricted", p.Claim("claim"), p.Node())
	if err != nil || stack.Class != lab.ClassDelete || stack.Provisioner != "lab.assay/disk" || stack.Facts != nil || len(stack.Missing) > 0 ||
		!slices.Equal(stack.Nodes, []string{p.Node()}) {
		t.Errorf("got %+v, %v", stack, err)
	}

	// All of it goes with the pod.
	kept := map[assay.Volume]assay.Receipt{}
	for i, v := range map[int]assay.Volume{0: pvc.New(), 2: ephemeral.New()} {
		kept[v] = reserve(t, v, assay.KindDirectory, attached[i].Path, nil, file)
		if _, err := v.Lend(b.ctx, p, kept[v]); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.Kubectl(b.ctx, "-n", "restricted", "delete", "job", "--all", "--cascade=foreground", "--wait"); err != nil {
		t.Fatal(err)
	}
	for v, r := range kept {
		if err := v.Release(b.ctx, p, r); err != nil {
			t.Errorf("%s: its pod is gone: %v", v.Kind(), err)
		}
	}
}

func (b bed) claimedDevice(t *testing.T) {
	const bytes = 64 << 20
	v, a := pvc.New(), must(t)(pvc.Attach(pvc.Options{Class: lab.ClassDelete, Size: "64Mi", Mode: "Block"}, "device"))
	p := b.open(t, "", a)
	r := reserve(t, v, assay.KindBlock, a.Path, nil, 1<<30)
	if s := b.usable(t, p, v, r); s.Bytes != bytes || s.File != a.Path {
		t.Errorf("lent %+v", s)
	}
	busy, cancel := context.WithCancel(b.ctx)
	begun, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		first := true
		_, _ = p.Run(busy, assay.Cmd{Argv: []string{"sh", "-c", `exec 3<"$1"; echo open; sleep 1000`, "sh", a.Path}, OnStdout: func([]byte) bool {
			if first {
				first = false
				close(begun)
			}
			return false
		}})
	}()
	select {
	case <-begun:
		if err := v.Release(b.ctx, p, r); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("released while a process has it open: %v", err)
		}
	case <-ended:
		t.Error("nothing opened it")
	}
	cancel()
	<-ended
	if out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"mkswap", a.Path}}); err != nil || out.Exit != 0 {
		t.Fatalf("%v %s", err, out.Stderr)
	}
	if _, err := v.Lend(b.ctx, p, r); err == nil || !strings.Contains(err.Error(), "not empty: swap") {
		t.Errorf("lent a device that somebody has used: %v", err)
	}
}

// on runs a command on a node.
func (b bed) on(t *testing.T, node string, argv ...string) string {
	t.Helper()
	out, err := b.Run(b.ctx, node, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// node lends a directory and a block device of a node to one privileged pod.
func (b bed) node(t *testing.T) {
	const name = "node1"
	device := b.BlockDevice(name)
	file := b.on(t, name, "losetup", "--noheadings", "--output", "BACK-FILE", device)
	link := "/dev/disk/by-id/assay-test_1-0:0"
	b.on(t, name, "sh", "-c", `mkdir -p "${1%/*}" && ln -s "../../$2" "$1"`, "sh", link, path.Base(device))
	plain := rawblock.Options{Node: name, Device: device, Backing: file}
	confirmed := plain
	confirmed.Overwrite = file
	linked := plain
	linked.Device = link
	directory := must(t)(hostpath.Attach(hostpath.Options{Path: "/srv/bench"}, "sd"))
	named, byID := must(t)(rawblock.Attach(plain, "usb")), must(t)(rawblock.Attach(linked, "usb-by-id"))
	p := b.open(t, name, directory, named, byID)

	t.Run("hostpath", func(t *testing.T) {
		v := hostpath.New()
		r := reserve(t, v, assay.KindDirectory, directory.Path, nil, 48<<20)
		b.usable(t, p, v, r)
		if left := b.on(t, name, "ls", "-A", "/srv/bench"); left != "" {
			t.Errorf("%s is left on the node", left)
		}
	})

	v := rawblock.New()
	receipt := func(o rawblock.Options, at string) assay.Receipt {
		want, err := o.Identity()
		if err != nil {
			t.Fatal(err)
		}
		return reserve(t, v, assay.KindBlock, at, want.Params(), 1<<40)
	}
	refused := func(t *testing.T, o rawblock.Options, words string) {
		t.Helper()
		if s, err := v.Lend(b.ctx, p, receipt(o, named.Path)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("lent %+v, %v; want %q", s, err, words)
		}
	}
	t.Run("rawblock", func(t *testing.T) {
		for _, at := range []string{named.Path, byID.Path} {
			s, err := v.Lend(b.ctx, p, receipt(confirmed, at))
			if err != nil || s.Bytes != 1<<30 || s.File != at {
				t.Errorf("%s: lent %+v, %v", at, s, err)
			}
		}
		other := plain
		other.Backing = strings.Replace(file, name, "node2", 1)
		refused(t, other, "backing file mismatch")
	})
	t.Run("formatted and mounted on the node", func(t *testing.T) {
		b.on(t, name, "mkfs.ext4", "-q", "-F", device)
		refused(t, plain, "signature of ext")
		if _, err := v.Lend(b.ctx, p, receipt(confirmed, named.Path)); err != nil {
			t.Errorf("it was confirmed: %v", err)
		}
		b.on(t, name, "mkdir", "/mnt/usb")
		b.on(t, name, "mount", device, "/mnt/usb")
		refused(t, confirmed, "or a part of it, is held open")
		b.on(t, name, "umount", "/mnt/usb")
		b.on(t, name, "wipefs", "--all", device)
	})
	t.Run("swap of the node", func(t *testing.T) {
		b.on(t, name, "mkswap", device)
		b.on(t, name, "swapon", device)
		refused(t, confirmed, "already in use")
		b.on(t, name, "swapoff", device)
		b.on(t, name, "wipefs", "--all", device)
	})
	t.Run("partitioned", func(t *testing.T) {
		b.on(t, name, "sh", "-c", `printf '\203' | dd of="$1" bs=1 seek=450 2>/dev/null; printf '\125\252' | dd of="$1" bs=1 seek=510 2>/dev/null; sync`, "sh", device)
		refused(t, confirmed, "partition table: dos")
		b.on(t, name, "addpart", device, "1", "2048", "65536")
		refused(t, confirmed, "has partitions")
		b.on(t, name, "delpart", device, "1")
		b.on(t, name, "dd", "if=/dev/zero", "of="+device, "bs=512", "count=1", "conv=fsync")
	})
	t.Run("written", func(t *testing.T) {
		r := receipt(confirmed, named.Path)
		r.Bytes = 32 << 20
		b.usable(t, p, v, r)
	})
	t.Run("without the pod", func(t *testing.T) {
		h := hostpath.New()
		left := reserve(t, h, assay.KindDirectory, directory.Path, nil, 32<<20)
		if _, err := h.Lend(b.ctx, p, left); err != nil {
			t.Fatal(err)
		}
		device := receipt(plain, named.Path)
		if _, err := b.Kubectl(b.ctx, "-n", "privileged", "delete", "job", "--all", "--cascade=foreground", "--wait"); err != nil {
			t.Fatal(err)
		}
		if err := v.Release(b.ctx, p, device); err != nil {
			t.Errorf("nothing holds the device any more: %v", err)
		}
		if err := h.Release(b.ctx, p, left); !errors.Is(err, kube.ErrRemoved) {
			t.Errorf("nobody has looked for the directory: %v", err)
		}
		// Another pod can.
		again := b.open(t, name, directory)
		if err := h.Release(b.ctx, again, left); err != nil {
			t.Error(err)
		}
		if left := b.on(t, name, "ls", "-A", "/srv/bench"); left != "" {
			t.Errorf("%s is left on the node", left)
		}
	})
}
