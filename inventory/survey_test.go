package inventory_test

import (
	"context"
	"errors"
	"testing"

	"assay"
	"assay/inventory"
	"assay/place/local"
)

// silent is an unreachable host.
type silent struct{ name string }

func (s silent) Host() assay.Host { return assay.Host{Name: s.name} }
func (silent) Close() error       { return nil }
func (silent) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, errUnreachable
}

var errUnreachable = errors.New("no route to host")

func TestAHostThatIsDownDoesNotHideTheOthers(t *testing.T) {
	dir := t.TempDir()
	inv, down, err := inventory.Survey(context.Background(), []inventory.Asked{
		{Place: silent{"a"}}, {Place: local.New("b", ""), Dirs: []string{dir}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Hosts) != 2 || len(down) != 1 || !errors.Is(down["a"], errUnreachable) {
		t.Errorf("hosts %v, down %v", inv.Hosts, down)
	}
	if _, known := inv.Facts["a"]; known || inv.Facts["b"].Dir(dir) == nil {
		t.Errorf("facts of %d hosts", len(inv.Facts))
	}
	for _, s := range inv.Subjects {
		if s.Host != "b" {
			t.Errorf("subject %s of a host that was not asked", s.ID)
		}
	}
	if _, err := inventory.Gather(context.Background(), []assay.Place{silent{"a"}}, nil, nil); !errors.Is(err, errUnreachable) {
		t.Errorf("Gather says %v", err)
	}
	if _, _, err := inventory.Survey(context.Background(), []inventory.Asked{{Place: silent{"a"}}, {Place: silent{"a"}}}, nil); err == nil {
		t.Error("two hosts of one name are taken")
	}
}

func TestLinks(t *testing.T) {
	inv := assay.Inventory{
		Hosts: []assay.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "down"}},
		Facts: map[string]assay.Facts{"a": {}, "b": {}, "c": {}},
		Networks: []assay.Network{
			{Name: "lan", Addresses: map[string]string{"a": "10.0.0.1", "b": "10.0.0.2", "down": "10.0.0.4"}},
			{Name: "ring", Addresses: map[string]string{"b": "10.1.0.2", "c": "10.1.0.3"}},
		},
	}
	var got []string
	for _, s := range inventory.Links(inv) {
		got = append(got, s.ID)
		if s.Kind != assay.KindLink || s.Peer == "" || s.Network == "" {
			t.Errorf("%+v", s)
		}
	}
	want := []string{"a/link/lan:b", "b/link/lan:a", "b/link/ring:c", "c/link/ring:b"}
	if len(got) != len(want) {
		t.Fatalf("links %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("links %v, want %v", got, want)
			break
		}
	}
}
