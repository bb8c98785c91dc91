package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
	"assay/plan/suite"
)

// given is a probe that returns the given trials for one case.
type given struct {
	probe
	trials []assay.Trial
}

func (g given) Trials(assay.Inventory, assay.Case) ([]assay.Trial, error) { return g.trials, nil }

func directory(host, name string) assay.Trial {
	s := assay.Subject{ID: host + "/directory/" + name, Kind: assay.KindDirectory, Host: host, Name: name}
	return assay.Trial{ID: "p/c@" + s.ID, Subject: s, Claims: []string{s.ID}}
}

func processor(host string) assay.Trial {
	s := assay.Subject{ID: host + "/cpu/cpu", Kind: assay.KindCPU, Host: host, Name: "cpu"}
	return assay.Trial{ID: "p/c@" + s.ID, Subject: s}
}

func way(from, to, network string) assay.Trial {
	s := assay.Subject{ID: from + "/link/" + network + ":" + to, Kind: assay.KindLink, Host: from, Name: network + ":" + to, Peer: to, Network: network}
	return assay.Trial{ID: "p/c@" + s.ID, Subject: s, Peer: to}
}

// sharing plans these trials among hosts that share resources.
func sharing(t interface{ Fatal(...any) }, trials []assay.Trial, resources []assay.Resource, o Options) Plan {
	p, err := Make(assay.Inventory{Resources: resources}, suite.Suite{
		Name: "s", Budget: 5 * time.Minute, Repeats: 3, Cases: []assay.Case{{Probe: "p", Name: "c", Title: "t", Seconds: 1}},
	}, []assay.Probe{given{probe{name: "p"}, trials}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A resource is claimed by the trials that use it, whatever their probe, and by
// no others.
func TestWhoClaimsAResource(t *testing.T) {
	trials := map[string]assay.Trial{
		"a /pool": directory("a", "/pool"), "b /pool/vm": directory("b", "/pool/vm"), "c /pool": directory("c", "/pool/"), "a /pools": directory("a", "/pools"), "a /": directory("a", "/"),
		"a cpu": processor("a"), "b cpu": processor("b"), "c cpu": processor("c"),
		"a-b storage": way("a", "b", "storage"), "b-c storage": way("b", "c", "storage"), "c-d storage": way("c", "d", "storage"), "c-d mesh": way("c", "d", "mesh"),
	}
	odd := processor("a")
	odd.Subject.Kind, odd.Subject.Name = assay.KindDrive, "/pool"
	trials["a drive"] = odd
	for _, c := range []struct {
		resource assay.Resource
		want     string
	}{
		{assay.Resource{Networks: []string{"storage"}}, "a-b storage, b-c storage, c-d storage"},
		{assay.Resource{Networks: []string{"storage", "mesh"}}, "a-b storage, b-c storage, c-d mesh, c-d storage"},
		{assay.Resource{Hosts: []string{"a", "d"}}, "a /, a /pool, a /pools, a cpu, a drive, a-b storage, c-d mesh, c-d storage"},
		{assay.Resource{Directories: []string{"/pool"}}, "a /pool, b /pool/vm, c /pool"},
		{assay.Resource{Directories: []string{"/pool/"}, Hosts: []string{"a", "b"}}, "a /pool, b /pool/vm"},
		{assay.Resource{Directories: []string{"/"}, Hosts: []string{"b", "c"}}, "b /pool/vm, c /pool"},
		{assay.Resource{Directories: []string{"/pool"}, Hosts: []string{"a"}, Networks: []string{"mesh"}}, "a /pool, c-d mesh"},
		{assay.Resource{Networks: []string{""}, Hosts: []string{""}}, ""},
	} {
		c.resource.Name = "thing"
		var users []string
		for name, trial := range trials {
			p := sharing(t, []assay.Trial{trial}, []assay.Resource{{Name: "other", Hosts: []string{"z"}}, c.resource}, Options{Seed: 1})
			if got := slices.Contains(Needs(p.Trials[0]), "shared/thing"); got != slices.Contains(p.Trials[0].Claims, "shared/thing") {
				t.Errorf("%s claims %v and needs %v", name, p.Trials[0].Claims, Needs(p.Trials[0]))
			} else if got {
				users = append(users, name)
			}
			if slices.Contains(p.Trials[0].Claims, "shared/other") {
				t.Errorf("%s claims what only z uses", name)
			}
		}
		slices.Sort(users)
		if got := strings.Join(users, ", "); got != c.want {
			t.Errorf("%+v is used by %s; want %s", c.resource, got, c.want)
		}
	}
}

// A probe's own claims stay, are not duplicated, and a list that it shares
// between several trials is not modified.
func TestClaimsOfAProbeStay(t *testing.T) {
	common := make([]string, 1, 8)
	common[0] = "shared/rack"
	a, b := processor("a"), processor("b")
	a.Claims, b.Claims = common, common
	p := sharing(t, []assay.Trial{a, b}, []assay.Resource{{Name: "left", Hosts: []string{"a"}}, {Name: "right", Hosts: []string{"b"}}, {Name: "rack", Hosts: []string{"a", "b"}}}, Options{Seed: 1})
	for i, want := range []string{"shared/rack shared/left", "shared/rack shared/right"} {
		if got := strings.Join(p.Trials[i].Claims, " "); got != want {
			t.Errorf("%s claims %s, want %s", p.Trials[i].ID, got, want)
		}
	}
}

// A pool that two hosts share costs the time of both; the third host's trials
// run meanwhile.
func TestTheCourseKnowsAPool(t *testing.T) {
	trials := []assay.Trial{directory("a", "/pool"), directory("b", "/pool"), directory("c", "/pool")}
	one := sharing(t, trials[:1], nil, Options{Seed: 1, Repeats: 6})
	for _, c := range []struct {
		name      string
		resources []assay.Resource
		hosts     int
	}{
		{"nothing shared", nil, 1},
		{"two share", []assay.Resource{{Name: "pool", Directories: []string{"/pool"}, Hosts: []string{"a", "b"}}}, 2},
		{"all share", []assay.Resource{{Name: "pool", Directories: []string{"/pool"}}}, 3},
	} {
		p := sharing(t, trials, c.resources, Options{Seed: 1, Repeats: 6})
		for i := range p.Trials {
			p.Trials[i].Length = time.Second
		}
		one.Trials[0].Length = time.Second
		if got, want := p.Course(p.Schedule), time.Duration(c.hosts)*one.Course(one.Schedule); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

// Whatever is shared: during a plan, no two trials that would measure each other
// run at once, and the whole takes as long as Course returns.
func TestNoTwoThatShareOverlap(t *testing.T) {
	hosts, networks, dirs := []string{"a", "b", "c", "d"}, []string{"storage", "mesh"}, []string{"/pool", "/pool/vm", "/srv"}
	some := func(of []string) *rapid.Generator[[]string] {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 0, len(of), rapid.ID[string])
	}
	rapid.Check(t, func(r *rapid.T) {
		var resources []assay.Resource
		for i := range rapid.IntRange(0, 4).Draw(r, "resources") {
			resources = append(resources, assay.Resource{
				Name: fmt.Sprint("r", i), Networks: some(networks).Draw(r, "networks"),
				Hosts: some(hosts).Draw(r, "hosts"), Directories: some(dirs).Draw(r, "directories"),
			})
		}
		var trials []assay.Trial
		for i := range rapid.IntRange(1, 12).Draw(r, "trials") {
			from := rapid.SampledFrom(hosts).Draw(r, "host")
			var trial assay.Trial
			switch rapid.IntRange(0, 3).Draw(r, "kind") {
			case 3:
				trial = directory(from, rapid.SampledFrom(dirs).Draw(r, "directory"))
				for _, h := range some(hosts).Draw(r, "others") {
					if h != from {
						trial.Others = append(trial.Others, directory(h, rapid.SampledFrom(dirs).Draw(r, "directory of "+h)).Subject)
					}
				}
			case 0:
				trial = processor(from)
			case 1:
				trial = directory(from, rapid.SampledFrom(dirs).Draw(r, "directory"))
			default:
				to := rapid.SampledFrom(hosts).Filter(func(h string) bool { return h != from }).Draw(r, "peer")
				trial = way(from, to, rapid.SampledFrom(networks).Draw(r, "network"))
			}
			trial.ID = fmt.Sprint(i, " ", trial.ID)
			trial.Overhead = time.Duration(rapid.IntRange(1, 5000).Draw(r, "overhead")) * time.Millisecond
			trials = append(trials, trial)
		}
		p := sharing(r, trials, resources, Options{Seed: rapid.Int64().Draw(r, "seed"), Budget: time.Hour})
		follow(r, p, resources)
	})
}

// follow simulates a plan: every trial that can start does, in the order of the
// schedule, then the first to finish ends.
func follow(r *rapid.T, p Plan, resources []assay.Resource) {
	type job struct {
		slot Slot
		ends time.Duration
	}
	var running []job
	waiting, now := slices.Clone(p.Schedule), time.Duration(0)
	for len(waiting)+len(running) > 0 {
		taken := map[string]bool{}
		take := func(s Slot) {
			for _, n := range Needs(p.Trials[s.Trial]) {
				taken[n] = true
			}
		}
		for _, j := range running {
			take(j.slot)
		}
		var later []Slot
		for _, s := range waiting {
			if slices.ContainsFunc(Needs(p.Trials[s.Trial]), func(n string) bool { return taken[n] }) {
				later = append(later, s)
			} else {
				for _, j := range running {
					if a, b := p.Trials[j.slot.Trial], p.Trials[s.Trial]; disturb(a, b, resources) {
						r.Fatalf("%s and %s run at once, with %+v", a.ID, b.ID, resources)
					}
				}
				running = append(running, job{s, now + p.Cost(s)})
			}
			take(s)
		}
		waiting = later
		next := slices.MinFunc(running, func(a, b job) int { return int(a.ends - b.ends) })
		now = next.ends
		running = slices.DeleteFunc(running, func(j job) bool { return j.ends == now })
	}
	if got := p.Course(p.Schedule); got != now {
		r.Fatalf("Course says %s, it takes %s", got, now)
	}
}

// disturb reports whether two trials would measure each other.
func disturb(a, b assay.Trial, resources []assay.Resource) bool {
	ends := func(t assay.Trial) []string {
		all := []string{t.Subject.Host}
		if t.Peer != "" {
			all = append(all, t.Peer)
		}
		for _, s := range t.Others {
			all = append(all, s.Host)
		}
		return all
	}
	among := func(t assay.Trial, host string) bool { return slices.Contains(ends(t), host) }
	if slices.ContainsFunc(ends(b), func(h string) bool { return among(a, h) }) {
		return true
	}
	for _, r := range resources {
		touches := func(t assay.Trial) bool {
			touched := slices.Contains(r.Networks, t.Subject.Network)
			for _, h := range r.Hosts {
				touched = touched || len(r.Directories) == 0 && among(t, h)
			}
			for _, d := range r.Directories {
				for _, s := range append([]assay.Subject{t.Subject}, t.Others...) {
					here := len(r.Hosts) == 0 || slices.Contains(r.Hosts, s.Host)
					touched = touched || here && s.Kind == assay.KindDirectory && strings.HasPrefix(s.Name+"/", d+"/")
				}
			}
			return touched
		}
		if touches(a) && touches(b) {
			return true
		}
	}
	return false
}
