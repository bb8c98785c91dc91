package tiers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/inventory/cluster"
	"assay/volume/all"
)

const fewTiers = `
hosts: {pve1: 10.0.0.1, pve2: 10.0.0.2}
kubernetes: {}
tiers:
  nas: {hosts: [pve1, pve2], directory: /mnt/nas}
  sd: {nodes: [pi1, pi2], hostpath: /srv}
  usb: {node: pi1, hostpath: /mnt/usb}
  claim: {pvc: {}}
  store: {s3: {endpoint: "http://s3:3900"}}
`

func deploymentOf(t *testing.T) *Deployment {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", file)
	c, err := cluster.Read("cluster.yaml", []byte(fewTiers), all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) assay.Place { return nowhere{assay.Host{Name: name}} }
	s, err := Open(Options{Cluster: c, Tiers: c.Tiers, Here: "here", Run: "20260101-000000-aaaaaa", Local: func() assay.Place { return at("here") },
		Remote: func(h cluster.Host) (assay.Place, error) { return at(h.Name), nil }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// nowhere is the place of a host that must not be contacted.
type nowhere struct{ host assay.Host }

func (n nowhere) Host() assay.Host { return n.host }
func (nowhere) Close() error       { return nil }
func (n nowhere) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, errors.New(n.host.Name + " is contacted")
}

// A chosen client has the same name as it has with all clients.
func TestRestrict(t *testing.T) {
	for words, want := range map[string]string{
		"":          "pve1 pve2 sd@pi1 sd@pi2 usb claim here",
		"pi1":       "sd@pi1 usb",
		"sd":        "sd@pi1 sd@pi2",
		"pve2":      "pve2",
		"store pi2": "sd@pi2 here",
		"claim":     "claim",
	} {
		s := deploymentOf(t)
		chosen, err := s.options.Cluster.ChooseTiers(strings.Fields(words))
		if err != nil {
			t.Fatal(err)
		}
		s.Restrict(chosen)
		var hosts []string
		for _, h := range s.Asked() {
			hosts = append(hosts, h.Place.Host().Name)
		}
		if got := strings.Join(hosts, " "); got != want || len(s.places) != len(hosts) {
			t.Errorf("%q: %q in %d places, want %q", words, got, len(s.places), want)
		}
	}
}

// Pods of one node have no network between them to measure, and it is unknown
// where the scheduler will put a pod.
func TestPredictedNetwork(t *testing.T) {
	s := deploymentOf(t)
	got := s.predictedNetwork()
	if len(got) != 1 || got[0].Name != "pods" || len(got[0].Addresses) != 2 || got[0].Addresses["sd@pi1"] == "" || got[0].Addresses["sd@pi2"] == "" {
		t.Errorf("%+v", got)
	}
	s.options.Cluster.Kubernetes.HostNetwork = true
	if got := s.predictedNetwork(); got[0].Name != "nodes" {
		t.Errorf("%+v", got)
	}
	one, err := s.options.Cluster.ChooseTiers([]string{"pi1", "claim"})
	if err != nil {
		t.Fatal(err)
	}
	s.Restrict(one)
	if got := s.predictedNetwork(); len(got) > 0 {
		t.Errorf("pods of one node: %+v", got)
	}
}
