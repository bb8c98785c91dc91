package tiers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay"
	"assay/inventory/cluster"
	"assay/place/local"
	"assay/volume"
)

// barn is storage whose data is on the hosts that its clients report.
type barn struct{ holders []string }

func (barn) Validate() error             { return nil }
func (barn) Settings() map[string]string { return nil }
func (barn) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindPool, Name: "barn"}, nil
}

func (b barn) Learn(_ context.Context, _ assay.Place, f *assay.Facts) ([]assay.Note, error) {
	f.Stack = &assay.StackFacts{Kind: "barn"}
	for _, h := range b.holders {
		f.Stack.Disks = append(f.Stack.Disks, assay.StackDisk{Name: "bale", Host: h})
	}
	return nil, nil
}

func (barn) LearnHolder(_ context.Context, at assay.Place, client assay.StackFacts, f *assay.Facts) {
	client.PublicNIC = "of " + at.Host().Name
	f.Stack = &client
}

type hay struct{ assay.Volume }

func (hay) Kind() string { return "barn" }

const barnFile = `
hosts: {a: 10.0.0.1, b: {address: 10.0.0.2, measure: {devices: [/dev/null]}}, c: 10.0.0.3, gone: 10.0.0.4, idle: 10.0.0.5}
tiers:
  barn: {hosts: [a, c], barn: {}}
`

// openBarn opens the tier of barnFile, whose data is on these hosts. The host gone does not
// answer.
func openBarn(t *testing.T, closed *closings, holders ...string) (*Deployment, cluster.Cluster) {
	t.Helper()
	kind := volume.Kind{
		Word: "barn", Schema: `{"type": "object", "description": "hay"}`, Where: volume.Where{Hosts: true},
		New:    func() volume.Storage { return &barn{holders} },
		Volume: func() assay.Volume { return hay{} },
	}
	c, err := cluster.Read("cluster.yaml", []byte(barnFile), kind)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(Options{Cluster: c, Tiers: c.Tiers, Here: "here", Run: "20260101-000000-aaaaaa", Remote: func(h cluster.Host) (assay.Place, error) {
		if h.Name == "gone" {
			return counted{nowhere{assay.Host{Name: h.Name}}, closed}, nil
		}
		return counted{local.New(h.Name, ""), closed}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d, c
}

// bare returns an inventory of the hosts that are asked, as it is before it is completed.
func bare(d *Deployment) assay.Inventory {
	inv := assay.Inventory{Facts: map[string]assay.Facts{}}
	for _, a := range d.Asked() {
		inv.Hosts = append(inv.Hosts, a.Place.Host())
		inv.Facts[a.Place.Host().Name] = assay.Facts{Host: a.Place.Host().Name}
	}
	return inv
}

// Hosts are looked at again after tools were installed, and after leftovers were removed. That
// finds the same, over the same connections, and notes nothing twice.
func TestHostsThatHoldTheDataAreFoundAgain(t *testing.T) {
	closed := &closings{of: map[string]int{}}
	d, _ := openBarn(t, closed, "a", "b", "gone")
	for i := range 3 {
		inv := bare(d)
		d.Complete(t.Context(), &inv, nil)
		if s := inv.Facts["b"].Stack; s == nil || s.PublicNIC != "of b" {
			t.Errorf("look %d: the facts of b lack its storage: %+v", i, s)
		}
		devices := 0
		for _, s := range inv.Subjects {
			if s.Host == "b" && s.Kind == assay.KindDevice {
				devices++
			}
		}
		if devices != 1 || len(inv.Hosts) != 3 || len(d.Holders()) != 1 || len(d.Notes) != 1 {
			t.Errorf("look %d: %d devices of b, hosts %v, holders %v, notes %v", i, devices, inv.Hosts, d.Holders(), d.Notes)
		}
	}
	if err := d.Teardown(t.Context()); err != nil {
		t.Error(err)
	}
	for _, h := range []string{"a", "b", "c", "gone"} {
		if closed.of[h] != 1 {
			t.Errorf("%s was left %d times", h, closed.of[h])
		}
	}
}

// Hosts of the file that hold the data are asked along with the clients, once each. One that
// does not answer is noted. If only some clients were chosen, holders are not asked.
func TestHostsThatHoldTheData(t *testing.T) {
	for name, k := range map[string]struct {
		chosen []string
		hosts  []string
	}{"all clients": {nil, []string{"a", "c", "b"}}, "one of two": {[]string{"a"}, []string{"a"}}} {
		t.Run(name, func(t *testing.T) {
			closed := &closings{of: map[string]int{}}
			d, c := openBarn(t, closed, "a", "b", "b", "gone", "elsewhere")
			chosen, err := c.ChooseTiers(k.chosen)
			if err != nil {
				t.Fatal(err)
			}
			d.Restrict(chosen)
			inv := bare(d)
			d.Complete(t.Context(), &inv, nil)
			var names []string
			for _, h := range inv.Hosts {
				names = append(names, h.Name)
			}
			if !slices.Equal(names, k.hosts) {
				t.Errorf("asked %v, want %v", names, k.hosts)
			}
			if len(k.chosen) == 0 {
				if s := inv.Facts["b"].Stack; s == nil || s.PublicNIC != "of b" || inv.Facts["a"].Stack.PublicNIC != "" {
					t.Errorf("%+v", s)
				}
				if !slices.ContainsFunc(inv.Subjects, func(s assay.Subject) bool { return s.Host == "b" && s.Kind == assay.KindDevice }) {
					t.Errorf("no device of b: %+v", inv.Subjects)
				}
				if len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Text, "gone holds data and could not be asked") {
					t.Errorf("%+v", d.Notes)
				}
				if len(d.Holders()) != 1 || d.Holders()[0].Place.Host().Name != "b" {
					t.Errorf("%+v", d.Holders())
				}
			}
			if err := d.Teardown(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			for _, h := range k.hosts {
				if closed.of[h] != 1 {
					t.Errorf("%s was left %d times", h, closed.of[h])
				}
			}
		})
	}
}

// closings counts closes of places, by host.
type closings struct {
	sync.Mutex
	of map[string]int
}

// counted counts how often a place is closed.
type counted struct {
	assay.Place
	closed *closings
}

func (c counted) Close() error {
	c.closed.Lock()
	c.closed.of[c.Host().Name]++
	c.closed.Unlock()
	return c.Place.Close()
}

// A subject created when it is lent is on the drives that the facts show below it, provided
// they are subjects.
func TestDrivesUnderWhatIsLent(t *testing.T) {
	inv := assay.Inventory{
		Subjects: []assay.Subject{{ID: "a/drive/sda", Kind: assay.KindDrive, Host: "a", Name: "sda"}},
		Facts: map[string]assay.Facts{"a": {Host: "a", Block: []assay.BlockDevice{
			{Name: "sda", Path: "/dev/sda", Kind: "disk"}, {Name: "sda1", Path: "/dev/sda1", Kind: "part", On: []string{"sda"}}, {Name: "sdb", Path: "/dev/sdb", Kind: "disk"},
			{Name: "tank zvol", Path: "tank zvol", Kind: "other", On: []string{"sda1", "sdb"}},
		}}},
	}
	s := assay.Subject{ID: "a/block/tank zvol", Kind: assay.KindBlock, Host: "a", Name: "tank zvol", On: []string{"a/block/other"}}
	if got := onDrives(&inv, s).On; !slices.Equal(got, []string{"a/block/other", "a/drive/sda"}) {
		t.Errorf("it stands on %q", got)
	}
	s.Name = "elsewhere"
	if got := onDrives(&inv, s).On; len(got) != 1 {
		t.Errorf("it stands on %q", got)
	}
}
