package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/internal/verbs/verbstest"
	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// TestVerbs walks through the life of a one-node cluster, as typed by a user.
func TestVerbs(t *testing.T) {
	kubetest.Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "kube")
	t.Cleanup(func() {
		if err := kube.Down(context.Background(), dir); err != nil {
			t.Error(err)
		}
	})
	terminal := verbstest.Terminal{T: t, Run: run, Dir: dir}
	for _, c := range []struct{ words, prints, fails string }{
		{"status", "", "no Kubernetes is in"},
		{"missing", "", ""},
		{"-n 0 up", "", "there can be 1 to 9"},
		{"-n 1 up", "containerd, kubelet, provisioner", ""},
		{"-n 2 up", "", "a Kubernetes of 1 nodes is up"},
		{"user joe testers", "joe.kubeconfig", ""},
		{"user J/oe", "", "small letters"},
		{"run node1 hostname", "node1", ""},
		{"stop node1 etcd", "", `no service "etcd" on host "node1"`},
		{"stop node1 provisioner", "", ""},
		{"status", "provisioner (off)", ""},
		{"start node1 provisioner", "", ""},
		{"stop node1 kubelet", "", ""},
		{"-n 1 up", "containerd, kubelet, provisioner", ""},
		{"cut node1", "", ""},
		{"cut node3", "", `no node is called "node3"`},
		{"drain node1", "", ""},
		{"undrain node1", "", ""},
		{"down", "", ""},
		{"status", "", "no Kubernetes is in"},
		{"down", "", ""},
	} {
		_ = terminal.Type(ctx, c.words, c.prints, c.fails)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{}, {"upp"}, {"up", "more"}, {"stop"}, {"stop", "node1"}, {"user"}, {"run", "node1"}, {"-m", "3", "up"}})
}
