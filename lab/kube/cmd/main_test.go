package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// TestVerbs walks through the life of a cluster of one node as somebody would
// type it.
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
		var out bytes.Buffer
		err := run(ctx, append([]string{"-dir", dir}, strings.Fields(c.words)...), &out)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v, want %q", c.words, err, c.fails)
		}
		if !strings.Contains(out.String(), c.prints) {
			t.Errorf("%s printed\n%s\nwant %q", c.words, out.String(), c.prints)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	for _, words := range [][]string{{}, {"upp"}, {"up", "more"}, {"stop"}, {"stop", "node1"}, {"user"}, {"run", "node1"}, {"-m", "3", "up"}} {
		var out bytes.Buffer
		if err := run(context.Background(), append([]string{"-dir", t.TempDir()}, words...), &out); err == nil {
			t.Errorf("took %q", words)
		}
	}
}
