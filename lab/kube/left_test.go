package kube_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// TestNothingIsLeft takes down a lab that holds pods, volumes and an open block
// device, and one that was never finished.
func TestNothingIsLeft(t *testing.T) {
	kubetest.Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	before := settings(t)
	dir := filepath.Join(t.TempDir(), "kube")
	soon, stop := context.WithTimeout(ctx, 4*time.Second)
	defer stop()
	if _, err := kube.Up(soon, dir, kube.Standard); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("up in 4 s: %v", err)
	}
	nothing(t, dir, "assay-kube-")

	l, err := kube.Up(ctx, dir, kube.Options{Nodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := cluster{l, ctx}
	c.apply(t, claim("fs", kube.ClassDelete, "Filesystem", "32Mi")+claim("block", kube.ClassDelete, "Block", "32Mi")+
		pod("fs", "node1", "sleep 1000", files, claimed("fs"))+pod("block", "node1", "sleep 1000", device, claimed("block")))
	c.get(t, "wait --for=condition=Ready --timeout=300s pod/fs pod/block")
	id := strings.TrimSuffix(strings.TrimPrefix(c.BlockDevice("node1"), "/dev/"), "-node1-block")
	// The volumes, the loop device of the block device, and the static ones.
	if loops := loopsOf(t, id); len(loops) < 4 {
		t.Errorf("only %v hold volumes of %s", loops, id)
	}
	if err := kube.Down(ctx, dir); err != nil {
		t.Fatal(err)
	}
	nothing(t, dir, id)
	if after := settings(t); after != before {
		t.Errorf("the machine's settings were\n%sand are\n%s", before, after)
	}
}

// victim names the directory of the lab that a subprocess brings up, to be killed
// meanwhile.
const victim = "ASSAY_KUBE_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		_, err := kube.Up(context.Background(), dir, kube.Standard)
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(laptop.Main(m, "kube", 1, "CGO_ENABLED=0")) // the assay that diagnoses is static
}

// TestKilled kills a program while it brings up a lab.
func TestKilled(t *testing.T) {
	kubetest.Take(t)
	dir := filepath.Join(t.TempDir(), "kube")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), victim+"="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// By then all hosts are up, and the runtimes have started.
	log := filepath.Join(dir, "hosts", "node2.logs", "containerd.log")
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(log); err == nil && info.Size() > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Error("no containerd after five minutes")
			break
		}
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	l, err := kube.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for host, on := range l.Hosts() {
		if !on {
			t.Errorf("%s went with the program that made it", host)
		}
	}
	mark := strings.TrimSuffix(strings.TrimPrefix(l.BlockDevice("node1"), "/dev/"), "-node1-block")
	if len(loopsOf(t, mark)) != 4 {
		t.Errorf("the static volumes of two nodes: %v", loopsOf(t, mark))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	if err := kube.Down(ctx, dir); err != nil {
		t.Fatal(err)
	}
	nothing(t, dir, mark)
}

// settings lists the machine's settings that a kubelet would change, and the
// directories where it would leave things.
func settings(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, file := range []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
		"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "net/ipv4/ip_forward"} {
		b, err := os.ReadFile("/proc/sys/" + file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s %s", file, b)
	}
	for _, dir := range []string{"/var/lib/kubelet", "/var/lib/etcd", "/var/lib/containerd", "/run/containerd", "/var/log/pods",
		"/var/log/containers", "/var/lib/cni", "/run/kubernetes", "/etc/kubernetes", "/usr/libexec/kubernetes", "/srv/bench", "/run/netns", "/opt/lab"} {
		entries, err := os.ReadDir(dir)
		fmt.Fprintln(&all, dir, len(entries), err)
	}
	return all.String()
}

// nothing checks that nothing is left of a lab in dir, or of labs with that
// mark in their names.
func nothing(t *testing.T, dir, mark string) {
	t.Helper()
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
	if mark != "assay-kube-" { // there may be other labs
		for _, place := range []string{"/sys/fs/cgroup/*" + mark + "*", "/sys/fs/cgroup/*/*" + mark + "*", "/dev/*" + mark + "*"} {
			if left, _ := filepath.Glob(place); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		}
		if left := loopsOf(t, mark); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	}
	if left := loopsOf(t, dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mounts), dir) {
		t.Errorf("mounts of %s are left", dir)
	}
	for _, kind := range []string{"environ", "cmdline"} {
		files, _ := filepath.Glob("/proc/[0-9]*/" + kind)
		for _, file := range files {
			if b, _ := os.ReadFile(file); strings.Contains(string(b), dir) || mark != "assay-kube-" && strings.Contains(string(b), mark) {
				t.Errorf("process %s is left: %q", file, b)
			}
		}
	}
}
