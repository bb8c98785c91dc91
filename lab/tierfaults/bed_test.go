package tierfaults

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
	"assay/lab/tiers"
)

// bed is the lab, and its state before assay ran.
type bed struct {
	*tiers.Lab
	ctx context.Context
	was []string
}

func newBed(t *testing.T, l *tiers.Lab) *bed {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	t.Cleanup(cancel)
	b := &bed{Lab: l, ctx: ctx}
	for _, node := range l.Kube.Nodes() {
		b.on(t, node, "mkdir", "-p", "/srv/bench")
	}
	b.was = b.state(t)
	return b
}

// on runs a command inside a node.
func (b *bed) on(t *testing.T, node string, argv ...string) string {
	t.Helper()
	out, err := b.Kube.Run(b.ctx, node, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// kubectl runs kubectl as the administrator.
func (b *bed) kubectl(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := b.Kube.Kubectl(b.ctx, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// scratchPlaces are the directories of a node that could hold scratch space.
var scratchPlaces = []string{"/srv/bench", "/mnt/lab/fs", "/dev/shm", "/tmp", "/run", "/var/tmp", "/root"}

// state returns all that a run could have left in the cluster, on its nodes and
// in the store.
func (b *bed) state(t *testing.T) []string {
	t.Helper()
	var all []string
	add := func(what, lines string) {
		for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
			if l != "" {
				all = append(all, what+" "+strings.Join(strings.Fields(l), " "))
			}
		}
	}
	add("namespace", b.kubectl(t, "get", "ns", "-o", "custom-columns=:metadata.name,:status.phase", "--no-headers"))
	add("object", b.kubectl(t, "get", "all,pvc", "-A", "-o", "custom-columns=:kind,:metadata.namespace,:metadata.name", "--no-headers"))
	add("volume", b.kubectl(t, "get", "pv", "-o", "custom-columns=:metadata.name,:status.phase,:spec.claimRef.name", "--no-headers"))
	for _, node := range b.Kube.Nodes() {
		for _, dir := range scratchPlaces {
			add(node, b.on(t, node, "sh", "-c", `[ ! -d "$1" ] || find "$1" -maxdepth 2 -name ".assay-*"`, "sh", dir))
		}
	}
	buckets, err := b.Garage.Buckets(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := b.Garage.Keys(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	add("bucket", strings.Join(buckets, "\n"))
	add("key", strings.Join(keys, "\n"))
	slices.Sort(all)
	return all
}

// expectAsBefore fails if anything differs from before the first run. The
// cluster's own pods may be a moment late.
func (b *bed) expectAsBefore(t *testing.T) {
	t.Helper()
	var is []string
	if !laptop.Eventually(10*time.Second, func() bool { is = b.state(t); return slices.Equal(is, b.was) }) {
		t.Errorf("there was\n%s\nand there is\n%s", strings.Join(b.was, "\n"), strings.Join(is, "\n"))
	}
}

// Tiers for the cases, on one node each, unless a case has its own.
const (
	sd    = "  sd: {node: node1, hostpath: /srv/bench}\n"
	pvc   = "  pvc: {node: node2, pvc: {class: " + kube.ClassDelete + ", size: 1Gi}}\n"
	fixed = "  static: {node: node2, pvc: {class: " + kube.ClassStatic + ", size: 1Gi}}\n"
)

// s3 is a tier on the object store at some endpoints, measured from a node; token
// "" is the lab's.
func (b *bed) s3(node, token string, endpoints ...string) string {
	admin, _ := b.Garage.Admin()
	if token == "" {
		token = b.Garage.TokenFile()
	}
	if len(endpoints) == 0 {
		endpoints = b.Garage.Endpoints()
	}
	return fmt.Sprintf("  store: {node: %s, s3: {endpoints: [\"%s\"], region: garage, garage: {admin: %q, token: %q}}}\n",
		node, strings.Join(endpoints, `", "`), admin, "file "+token)
}

// laptop returns a machine whose cluster.yaml has these tiers.
func (b *bed) laptop(t *testing.T, tiers ...string) *laptop.Laptop {
	t.Helper()
	return b.laptopWith(t, nil, tiers...)
}

// laptopWith is laptop with changes under kubernetes:.
func (b *bed) laptopWith(t *testing.T, kubernetes map[string]string, tiers ...string) *laptop.Laptop {
	t.Helper()
	l := laptop.New(t, "")
	said := map[string]string{"kubeconfig": b.Kube.Kubeconfig(), "image": kube.Image, "pull": "Never"}
	for key, value := range kubernetes {
		said[key] = value
	}
	var y strings.Builder
	y.WriteString("kubernetes:\n")
	for _, key := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprintf(&y, "  %s: %s\n", key, said[key])
	}
	y.WriteString("tiers:\n" + strings.Join(tiers, ""))
	l.File = filepath.Join(l.Dir, "cluster.yaml")
	if err := os.WriteFile(l.File, []byte(y.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}
