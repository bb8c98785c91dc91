package drbd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume"
	"assay/volume/volumetest"
)

func TestConformance(t *testing.T) {
	for _, major := range []int{8, 9} {
		t.Run(fmt.Sprint("DRBD ", major), func(t *testing.T) {
			volumetest.Test(t, func(*testing.T) volumetest.Fixture {
				w := newWorld(major)
				return volumetest.Fixture{Volume: w.volume(), Place: w.hosts["a"], Subject: subject(nil),
					Ways:    []assay.Way{{"protocol": "A"}, {"alone": "yes"}},
					Present: func(_ *testing.T, r assay.Receipt) bool { return strings.Contains(w.things(), r.ID) }}
			})
		})
	}
}

// The lent device has the right protocol and tuning, and its peers or none.
func TestLent(t *testing.T) {
	for _, major := range []int{8, 9} {
		for alone, peers := range map[string]string{"no": "Connected", "yes": "Connecting"} {
			w := newWorld(major)
			r := w.reserve(t, map[string]string{WayProtocol: "B"}, assay.Way{WayAlone: alone})
			if !slices.Equal(r.Also, []string{"b"}) {
				t.Errorf("parts on %v too", r.Also)
			}
			s, err := w.volume().Lend(t.Context(), w.hosts["a"], r)
			if err != nil {
				t.Fatal(err)
			}
			name := prefix + id
			if got := w.hosts["a"].up[name]; !got.primary || got.minor < firstMinor || s.File != fmt.Sprintf("/dev/drbd%d", got.minor) || s.Bytes != 128<<20 {
				t.Errorf("%+v, %+v", got, s)
			}
			for host, h := range w.hosts {
				text := h.files["/run/"+name+".res"]
				for _, want := range []string{"protocol B;", "c-max-rate 50M;", "max-buffers 4000;", "on a.lan {", "on b.lan {", "disk /dev/vms/" + name + ";", "address ipv4 10.0.0.2:"} {
					if !strings.Contains(text, want) {
						t.Errorf("%s has no %q:\n%s", host, want, text)
					}
				}
				if strings.Contains(text, "node-id 1;") != (major == 9) || strings.Contains(text, "connection-mesh") != (major == 9) {
					t.Errorf("DRBD %d:\n%s", major, text)
				}
			}
			if all, err := states(t.Context(), w.hosts["a"], major); err != nil || all[0].Peers[0].Connection != peers {
				t.Errorf("%v, %v", all, err)
			}
			w.release(t, r)
		}
	}
}

// killed is a place that does nothing once its program is dead.
type killed struct {
	assay.Place
	dead context.Context
}

func (k killed) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := k.dead.Err(); err != nil {
		return assay.Output{}, err
	}
	return k.Place.Run(ctx, c)
}

// Whatever command a run is killed after, on either host, the next Release leaves
// nothing.
func TestKilledAtEachStage(t *testing.T) {
	for stage := range 60 {
		w := newWorld(8)
		before := w.things()
		r := w.reserve(t, nil, nil)
		dead, kill := context.WithCancel(t.Context())
		done := 0
		w.after = func(string, string) {
			if done++; done > stage {
				kill()
			}
		}
		v := New().Among(map[string]assay.Place{"a": killed{w.hosts["a"], dead}, "b": killed{w.hosts["b"], dead}})
		at := killed{w.hosts["a"], dead}
		_, err := v.Lend(dead, at, r)
		if err == nil {
			err = v.Release(dead, at, r)
		}
		kill()
		w.after = nil
		w.release(t, r)
		if is := w.things(); is != before {
			t.Errorf("killed after %d commands: %s, was %s", stage+1, is, before)
		}
		if err == nil {
			if stage < 20 {
				t.Errorf("after %d commands nothing was killed", stage)
			}
			return
		}
	}
	t.Error("it was killed at each of 60 stages: there are more")
}

// A host that does not answer keeps what it has, and the others do not wait for it.
func TestAHostIsGone(t *testing.T) {
	w := newWorld(8)
	r := w.reserve(t, nil, nil)
	if _, err := w.volume().Lend(t.Context(), w.hosts["a"], r); err != nil {
		t.Fatal(err)
	}
	w.hosts["b"].gone = true
	if err := w.volume().Release(t.Context(), w.hosts["a"], r); !errors.Is(err, assay.ErrHostGone) {
		t.Errorf("%v", err)
	}
	if a := w.hosts["a"]; len(a.up)+len(a.volumes)+len(a.files) > 0 {
		t.Errorf("left on a: %s", w.things())
	}
	if err := New().Release(t.Context(), w.hosts["a"], r); err == nil || !strings.Contains(assay.Hint(err), "cluster.yaml") {
		t.Errorf("without a way to b: %v (%s)", err, assay.Hint(err))
	}
	w.hosts["b"].gone = false
	w.release(t, r)
	if strings.Contains(w.things(), id) {
		t.Error(w.things())
	}
}

// Replicas that do not connect are an error with a hint what to check, and so is one
// that does not become up to date.
func TestNotConnected(t *testing.T) {
	for words, change := range map[string]func(*world){
		"0 of 1 peers are connected":         func(w *world) { w.cut = true },
		"the disk of the peer x is Diskless": func(w *world) { w.hosts["a"].state = "Diskless" },
	} {
		w := newWorld(9)
		r := w.reserve(t, nil, nil)
		change(w)
		v := w.volume().(Volume)
		v.connect = 0
		_, err := v.Lend(t.Context(), w.hosts["a"], r)
		if !errors.Is(err, assay.ErrTimeout) || !strings.Contains(err.Error(), words) || !strings.Contains(assay.Hint(err), "firewall") {
			t.Errorf("%v (%s)", err, assay.Hint(err))
		}
		w.release(t, r)
		if strings.Contains(w.things(), id) {
			t.Error(w.things())
		}
	}
}

// A device that is briefly in use is retried; a logical volume without the receipt's tag
// is not removed.
func TestRelease(t *testing.T) {
	w := newWorld(8)
	r := w.reserve(t, nil, nil)
	if _, err := w.volume().Lend(t.Context(), w.hosts["a"], r); err != nil {
		t.Fatal(err)
	}
	w.held = 1
	w.release(t, r)
	w.hosts["b"].volumes[prefix+id] = ""
	if err := w.volume().Release(t.Context(), w.hosts["a"], r); err == nil || len(w.hosts["b"].volumes) == 0 {
		t.Errorf("removed somebody's volume: %v", err)
	}
}

// Minor and port are free on both hosts; the user's own are never chosen.
func TestChosen(t *testing.T) {
	w := newWorld(8)
	var first, second how
	mustUnmarshal(t, w.reserve(t, nil, nil), &first)
	w.port = first.Port
	mustUnmarshal(t, w.reserve(t, nil, nil), &second)
	if second.Port != first.Port+1 || second.Minor != first.Minor {
		t.Errorf("port %d is taken on b: %+v", first.Port, second)
	}
}

func mustUnmarshal(t *testing.T, r assay.Receipt, into *how) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Names[roleHow]), into); err != nil {
		t.Fatal(err)
	}
}

func TestRefused(t *testing.T) {
	w := newWorld(8)
	for words, change := range map[string]func(*assay.Subject){
		"c, which has a replica, is not reachable": func(s *assay.Subject) { s.Params[addressPrefix+"c"] = "10.0.0.3" },
		"nothing says where":                       func(s *assay.Subject) { delete(s.Params, paramKind) },
		"not the name of a volume group":           func(s *assay.Subject) { s.Params[paramOf] = "-x" },
		"not for a DRBD resource":                  func(s *assay.Subject) { s.Params[addressPrefix+"b"] = "$(reboot)" },
		"none of A, B, C":                          func(s *assay.Subject) { s.Params[setPrefix+WayProtocol] = "D" },
	} {
		s := subject(nil)
		change(&s)
		if r, err := w.volume().Reserve(t.Context(), w.hosts["a"], s, assay.Request{ID: id, Bytes: 1 << 20}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v, %v, want %q", r, err, words)
		}
	}
	for words, text := range map[string]string{
		"module drbd is not loaded": "== node\na\n== proc\n", "neither 8 nor 9": "== node\na\n== proc\nversion: 7.0 (api:1/proto:86)\n", "uname -n": "== node\n\n",
	} {
		if s, err := readSight("a", []byte(text)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v, %v, want %q", s, err, words)
		}
	}
	var unlike, alike, three how
	two := []replica{{Host: "a", Node: "a"}, {Host: "b", Node: "b"}}
	unlike.Replicas, three.Replicas = two, append(two, replica{Host: "c", Node: "c"})
	alike.Replicas = []replica{{Host: "a", Node: "pve"}, {Host: "b", Node: "pve"}}
	for words, err := range map[string]error{
		"no configuration in common": unlike.choose(id, []sight{{host: "a", major: 8}, {host: "b", major: 9}}),
		"both called pve":            alike.choose(id, []sight{{host: "a", major: 9}, {host: "b", major: 9}}),
		"two replicas at most":       three.choose(id, []sight{{host: "a", major: 8}, {major: 8}, {major: 8}}),
	} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

func TestForged(t *testing.T) {
	w := newWorld(8)
	for name, forge := range map[string]func(*assay.Receipt){
		"another resource": func(r *assay.Receipt) { r.Names[roleResource] = "home" },
		"another volume":   func(r *assay.Receipt) { r.Volume = "zfs" },
		"a minor": func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], `"minor":2`, `"minor":`, 1)
		},
		"an option": func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], "max-buffers", "fence-peer", 1)
		},
		"a backing": func(r *assay.Receipt) {
			r.Names[roleHow] = strings.ReplaceAll(r.Names[roleHow], "vms/assay-"+id, "vms/root")
		},
	} {
		r := w.reserve(t, nil, nil)
		forge(&r)
		if err := w.volume().Release(t.Context(), w.hosts["a"], r); err == nil {
			t.Errorf("%s: released", name)
		}
	}
}

// What happened to the replicas during the run is reported.
func TestRecheck(t *testing.T) {
	for _, major := range []int{8, 9} {
		w := newWorld(major)
		r := w.reserve(t, nil, nil)
		if _, err := w.volume().Lend(t.Context(), w.hosts["a"], r); err != nil {
			t.Fatal(err)
		}
		recheck := func() string {
			notes, err := w.volume().(assay.Rechecker).Recheck(t.Context(), w.hosts["a"], r)
			if err != nil {
				t.Error(err)
			}
			return fmt.Sprint(notes)
		}
		if got := recheck(); got != "[]" {
			t.Error(got)
		}
		w.cut = true
		if got := recheck(); !strings.Contains(got, "did not stay in sync during the run: the connection to the peer") {
			t.Error(got)
		}
		w.release(t, r)
	}
}

func TestUnlikeVersions(t *testing.T) {
	r := resource{how: how{Replicas: []replica{{Host: "a", Version: "9.1.12"}, {Host: "b", Version: "9.2.4"}, {Host: "c", Version: "9.1.12"}}}}
	if notes := r.versions(); len(notes) != 1 || !strings.Contains(notes[0].Text, "9.1.12 on a and 9.2.4 on b;") {
		t.Errorf("%v", notes)
	}
	r.Replicas[1].Version = "9.1.12"
	if notes := r.versions(); notes != nil {
		t.Errorf("%v", notes)
	}
}

func TestLearn(t *testing.T) {
	w := newWorld(8)
	f := assay.Facts{}
	s := &Storage{Replicas: map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}, VolumeGroup: "vms"}
	notes, err := s.Learn(t.Context(), w.hosts["a"], &f)
	if err != nil || len(notes) != 1 || notes[0].ID != "drbd-common" {
		t.Errorf("%v, %v", notes, err)
	}
	if d := f.DeviceAt(s.Path()); d == nil || d.Bytes <= 0 {
		t.Errorf("%+v", f.Block)
	}
	if d := f.DeviceAt(s.Path()); d == nil || d.Stack == nil || d.Stack.Remote != 1 || d.Stack.Protocol != "C" {
		t.Errorf("%+v", d)
	}
	if f.Stack == nil || f.Stack.Copies != 2 || f.Stack.Remote != 1 || f.Stack.Protocol != "C" || f.Stack.Version != "8.4.11" {
		t.Errorf("%+v", f.Stack)
	}
	if d := f.Stack.Disks; len(d) != 2 || d[1].Host != "b" || d[1].Copies != "10.0.0.2" {
		t.Errorf("replicas %+v", d)
	}
	s.Protocol = "A"
	if _, err := s.Learn(t.Context(), w.hosts["a"], &f); err != nil || f.Stack.Protocol != "" {
		t.Errorf("two protocols on one host: %+v, %v", f.Stack, err)
	}
}

func TestStorage(t *testing.T) {
	two := map[string]string{"a": "10.0.0.1", "b": "fd00::2"}
	for words, s := range map[string]Storage{
		"has 1 hosts":          {Replicas: map[string]string{"a": "10.0.0.1"}, VolumeGroup: "vms"},
		"is not an IP address": {Replicas: map[string]string{"a": "10.0.0.1", "b": "pve2"}, VolumeGroup: "vms"},
		"have one address":     {Replicas: map[string]string{"a": "10.0.0.1", "b": "10.0.0.1"}, VolumeGroup: "vms"},
		"one of volume_group":  {Replicas: two, VolumeGroup: "vms", Dataset: "tank"},
		"volume group":         {Replicas: two, VolumeGroup: "../x"},
		"not a valid name":     {Replicas: two, Dataset: "tank/$(reboot)"},
		"none of A, B, C":      {Replicas: two, VolumeGroup: "vms", Protocol: "D"},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", s, err, words)
		}
	}
	s := Storage{Replicas: two, Directory: "/srv/", Protocol: "A"}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	subject, err := s.Subject(volume.Client{Host: "a"})
	if err != nil || subject.Kind != assay.KindBlock || subject.Name != "drbd a+b on /srv protocol=A" {
		t.Errorf("%+v, %v", subject, err)
	}
	s.Alone = true
	alone, err := s.Subject(volume.Client{Host: "a"})
	if err != nil || alone.Name != "drbd a+b on /srv alone=yes" || len(alone.On) > 0 || !slices.Equal(subject.On, []string{"a/block/" + alone.Name}) {
		t.Errorf("%+v stands on %+v, %v", subject, alone, err)
	}
	if _, err := s.Subject(volume.Client{Host: "c"}); err == nil || assay.Hint(err) == "" {
		t.Errorf("a host without a replica: %v", err)
	}
	if found := s.Check(t.Context(), volume.Clients{Hosts: []string{"a"}}); found.Err != nil || len(found.Unasked) != 2 {
		t.Errorf("%+v", found)
	}
	var _ yamldoc.Validator = &s
	var _ volume.Spread = &s
}

func FuzzSight(f *testing.F) {
	f.Add([]byte((&standIn{world: newWorld(9), name: "b"}).look()))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := readSight("a", text)
		if err == nil && (s.node == "" || s.major < 8) {
			t.Errorf("%+v", s)
		}
	})
}
