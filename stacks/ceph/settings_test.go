package ceph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/stacks/ceph"
)

func TestHowOSDsRun(t *testing.T) {
	set, err := ceph.ReadRunning(captured.Bytes(t, "pacific-config-show-with-defaults-osd.0.json"))
	if want := map[string]string{"osd_op_queue": "wpq", "osd_memory_target": "939524096", "bluestore_cache_autotune": "true"}; err != nil || !maps.Equal(set, want) {
		t.Errorf("%v, %v", set, err)
	}
	if mode, err := ceph.ReadBalancer(captured.Bytes(t, "pacific-balancer-status.json")); err != nil || mode != "upmap" {
		t.Errorf("%q, %v", mode, err)
	}
	for text, want := range map[string]string{
		`[{"name":"osd_op_queue","value":"mclock_scheduler"},{"name":"osd_mclock_profile","value":"balanced"},{"name":"bluestore_cache_autotune","value":"true"},{"name":"bluestore_cache_size","value":"0"}]`: "map[bluestore_cache_autotune:true osd_mclock_profile:balanced osd_op_queue:mclock_scheduler]",
		`[{"name":"bluestore_cache_autotune","value":"false"},{"name":"bluestore_cache_size","value":"0"},{"name":"bluestore_cache_size_hdd","value":"1"},{"name":"bluestore_cache_size_ssd","value":"3"}]`:    "map[bluestore_cache_autotune:false bluestore_cache_size_hdd:1 bluestore_cache_size_ssd:3]",
		`[{"name":"bluestore_cache_autotune","value":"false"},{"name":"bluestore_cache_size","value":"7"},{"name":"bluestore_cache_size_ssd","value":"3"}]`:                                                    "map[bluestore_cache_autotune:false bluestore_cache_size:7]",
	} {
		if set, err := ceph.ReadRunning([]byte(text)); err != nil || fmt.Sprint(set) != want {
			t.Errorf("%s: %v, %v", text, set, err)
		}
	}
	for _, text := range []string{"", "{}", "[]", "7", `[{"name":"fsid","value":"x"}]`} {
		if set, err := ceph.ReadRunning([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, set)
		}
	}
	for text, want := range map[string]string{`{"active":false,"mode":"upmap"}`: "off", `{"active":true,"mode":"none"}`: "off", `{"active":true,"mode":"crush-compat"}`: "crush-compat"} {
		if mode, err := ceph.ReadBalancer([]byte(text)); err != nil || mode != want {
			t.Errorf("%s: %q, %v", text, mode, err)
		}
	}
	for _, text := range []string{"", "{}", `{"active":true}`, `{"mode":"upmap"}`} {
		if mode, err := ceph.ReadBalancer([]byte(text)); err == nil {
			t.Errorf("%q is read as %q", text, mode)
		}
	}
}

// monitors answers as lab/ceph does, except for commands that contain a key of instead:
// those get its output.
type monitors struct {
	host    string
	instead map[string]assay.Output
}

func (m monitors) Host() assay.Host { return assay.Host{Name: m.host} }
func (monitors) Close() error       { return nil }

func (m monitors) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	words := strings.Join(c.Argv, " ")
	for part, out := range m.instead {
		if strings.Contains(words, part) {
			return out, nil
		}
	}
	for part, file := range map[string]string{
		"ip -o addr": "ip-addr-host1.txt", " status": "pacific-status.json", "30 version": "pacific-version.json", "osd tree": "pacific-osd-tree.json",
		"osd metadata": "pacific-osd-metadata.json", "osd dump": "pacific-osd-dump-host1.json", "pool ls detail": "pacific-osd-pool-ls-detail.json",
		"rule dump": "pacific-osd-crush-rule-dump.json", "show-with-defaults osd.0": "pacific-config-show-with-defaults-osd.0.json",
	} {
		if strings.Contains(words, part) && (part != " status" || !strings.Contains(words, "balancer")) {
			text, err := os.ReadFile("testdata/" + file)
			return assay.Output{Stdout: text}, err
		}
	}
	if strings.Contains(words, "balancer status") {
		text, err := os.ReadFile("testdata/pacific-balancer-status.json")
		return assay.Output{Stdout: text}, err
	}
	return assay.Output{}, errors.New("nobody expects " + words)
}

func noted(notes []assay.Note) (ids []string) {
	for _, n := range notes {
		ids = append(ids, n.ID)
	}
	return ids
}

// The facts include what the manager knows of OSDs; a key that may not ask it loses only
// that, and the reason is given.
func TestWhatIsLearnt(t *testing.T) {
	tier := ceph.Tier{Pool: "vms", User: "assay"}
	f := assay.Facts{Host: "box", OS: assay.OSFacts{Hostname: "host1"}}
	notes, err := tier.Learn(t.Context(), monitors{host: "box"}, &f)
	if err != nil || len(f.Missing) > 0 || f.Stack.OSD["balancer"] != "upmap" || f.Stack.OSD["osd_op_queue"] != "wpq" || f.Stack.PublicNIC != "eth0" || f.Stack.ClusterNIC != "eth1" {
		t.Errorf("%+v, %v, %v", f.Stack, f.Missing, err)
	}
	if f.Stack.Outside {
		t.Error("a host that calls itself host1 is not on the nodes")
	}
	if got := noted(notes); !slices.Equal(got, []string{"ceph-memory"}) || !strings.Contains(notes[0].Text, "896 MiB") {
		t.Errorf("%+v", notes)
	}
	denied := assay.Output{Exit: 13, Stderr: []byte("Error EACCES: access denied: does your client key have mgr caps?")}
	f = assay.Facts{Host: "host1"}
	notes, err = tier.Learn(t.Context(), monitors{"host1", map[string]assay.Output{"show-with-defaults": denied}}, &f)
	if err != nil || f.Stack.Copies != 3 || len(f.Stack.OSD) > 0 || len(notes) > 0 || len(f.Missing) != 1 || !strings.Contains(f.Missing[0].Why, "mgr caps") || !strings.Contains(f.Missing[0].Hint, "mgr 'allow r'") {
		t.Errorf("%+v, %v, %+v, %v", f.Stack, f.Missing, notes, err)
	}
	f = assay.Facts{Host: "host1"}
	slow := map[string]assay.Output{
		"show-with-defaults": {Stdout: []byte(`[{"name":"osd_op_queue","value":"mclock_scheduler"},{"name":"osd_mclock_profile","value":"high_recovery_ops"}]`)},
		"balancer":           {Stdout: []byte(`{"active":false,"mode":"upmap"}`)},
	}
	if notes, err = tier.Learn(t.Context(), monitors{"host1", slow}, &f); err != nil || !slices.Equal(noted(notes), []string{"ceph-mclock", "ceph-balancer"}) {
		t.Errorf("%+v, %v", notes, err)
	}
}

// A host with an OSD needs no key: the facts learnt by a client show which networks it is
// on.
func TestAHostThatHoldsDataAndMeasuresNothing(t *testing.T) {
	client := assay.Facts{Host: "client"}
	tier := ceph.Tier{Pool: "vms"}
	if _, err := tier.Learn(t.Context(), monitors{"client", map[string]assay.Output{"ip -o addr": {}}}, &client); err != nil || !client.Stack.Outside || client.Stack.PublicNIC != "" {
		t.Fatalf("%+v, %v", client.Stack, err)
	}
	f := assay.Facts{Host: "host1"}
	keyless := map[string]assay.Output{"ceph": {Exit: 1, Stderr: []byte("asked without a key")}}
	tier.LearnHolder(t.Context(), monitors{"host1", keyless}, *client.Stack, &f)
	if f.Stack == nil || f.Stack.Outside || f.Stack.PublicNIC != "eth0" || f.Stack.ClusterNIC != "eth1" || f.Stack.Copies != 3 {
		t.Errorf("%+v", f.Stack)
	}
	if !client.Stack.Outside {
		t.Error("the client's own facts have changed")
	}
}

// A host has one stack for all its tiers: the drives of all their pools are known, and how
// many each pool has is not.
func TestPoolsOnDifferentDrives(t *testing.T) {
	tree := `{"nodes":[{"id":-1,"name":"default","type":"root","children":[-2,-3]},{"id":-2,"name":"host1","type":"host","children":[0,1,2]},{"id":-3,"name":"host2","type":"host","children":[3]},
		{"id":0,"type":"osd","device_class":"ssd","status":"up"},{"id":1,"type":"osd","device_class":"ssd","status":"up"},{"id":2,"type":"osd","device_class":"hdd","status":"up"},
		{"id":3,"type":"osd","device_class":"ssd","status":"up"}]}`
	tier, f := ceph.Tier{Pool: "vms"}, assay.Facts{Host: "host1"}
	for i, want := range []string{"3 2 3", "0 0 4", "0 0 4"} {
		from := []string{"default~ssd", "default~hdd", "default~hdd"}[i]
		at := monitors{"host1", map[string]assay.Output{
			"osd tree": {Stdout: []byte(tree)}, "show-with-defaults": {Exit: 13},
			"rule dump": {Stdout: []byte(`[{"rule_id":0,"rule_name":"r","steps":[{"op":"take","item_name":"` + from + `"},{"op":"chooseleaf_firstn","num":0,"type":"host"}]}]`)},
		}}
		if _, err := tier.Learn(t.Context(), at, &f); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(f.Stack.Drives, f.Stack.Nodes, len(f.Stack.Disks)); got != want {
			t.Errorf("after %d pools: drives, nodes and disks are %s, want %s", i+1, got, want)
		}
	}
}
