package session

import (
	"context"
	"slices"
	"testing"

	"assay"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run/tiers"
	"assay/volume"
)

// barn is storage whose data is on host b.
type barn struct{}

func (barn) Validate() error             { return nil }
func (barn) Settings() map[string]string { return nil }
func (barn) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindPool, Name: "barn"}, nil
}

func (barn) Learn(_ context.Context, _ assay.Place, f *assay.Facts) ([]assay.Note, error) {
	f.Stack = &assay.StackFacts{Kind: "barn", Disks: []assay.StackDisk{{Name: "bale", Host: "b"}}}
	return nil, nil
}

func (barn) LearnHolder(_ context.Context, _ assay.Place, client assay.StackFacts, f *assay.Facts) {
	f.Stack = &client
}

type hay struct{ assay.Volume }

func (hay) Kind() string { return "barn" }

// A host that holds data of a tier, and is no client of it, keeps its facts and devices however
// often the hosts are looked at.
func TestHostsAreLookedAtAgain(t *testing.T) {
	c, err := cluster.Read("cluster.yaml", []byte(`
hosts: {a: 10.0.0.1, b: {address: 10.0.0.2, measure: {devices: [/dev/null]}}}
tiers:
  barn: {hosts: [a], barn: {}}
`), volume.Kind{
		Word: "barn", Schema: `{"type": "object", "description": "hay"}`, Where: volume.Where{Hosts: true},
		New: func() volume.Storage { return &barn{} }, Volume: func() assay.Volume { return hay{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{}
	if s.deployment, err = tiers.Open(tiers.Options{
		Cluster: c, Tiers: c.Tiers, Here: "here", Run: "20260101-000000-aaaaaa",
		Remote: func(h cluster.Host) (assay.Place, error) { return placeall.Local(h.Name, ""), nil },
	}); err != nil {
		t.Fatal(err)
	}
	s.hosts = s.deployment.Asked()
	for i := range 3 {
		if err := s.look(t.Context()); err != nil {
			t.Fatalf("look %d: %v", i, err)
		}
		device := func(of assay.Subject) bool { return of.Host == "b" && of.Kind == assay.KindDevice }
		if s.inventory.Facts["b"].Stack == nil || !slices.ContainsFunc(s.inventory.Subjects, device) || len(s.inventory.Hosts) != 2 {
			t.Errorf("look %d: b has storage %+v; subjects %+v", i, s.inventory.Facts["b"].Stack, s.inventory.Subjects)
		}
		if all := s.places(); len(all) != 2 || all["b"] == nil {
			t.Errorf("look %d: there are ways to %v", i, all)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
