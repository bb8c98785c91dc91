package ceph_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/internal/captured"
	"assay/stacks/ceph"
)

func TestWhatPacificSays(t *testing.T) {
	status, err := ceph.ReadStatus(captured.Bytes(t, "pacific-status.json"))
	if err != nil || status.Health != "HEALTH_OK" || status.OSDs != 3 || status.In != 3 || status.Up != 3 || status.States["active+clean"] != 33 || status.Disturbed() != nil || status.Lacking() != "" {
		t.Errorf("%+v, %v", status, err)
	}
	pools, err := ceph.ReadPools(captured.Bytes(t, "pacific-osd-pool-ls-detail.json"))
	want := ceph.Pool{Name: "vms", Size: 3, MinSize: 2, PGs: 32, Compression: map[string]string{}}
	if err != nil || len(pools) != 2 || !reflect.DeepEqual(pools[1], want) {
		t.Errorf("%+v, %v", pools, err)
	}
	rules, err := ceph.ReadRules(captured.Bytes(t, "pacific-osd-crush-rule-dump.json"))
	if err != nil || !reflect.DeepEqual(rules, []ceph.Rule{{Name: "replicated_rule", Domain: "host", Takes: []string{"default"}}}) {
		t.Errorf("%+v, %v", rules, err)
	}
	if all, err := ceph.ReadPerf(captured.Bytes(t, "pacific-osd-perf.json")); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	osds, err := ceph.ReadTree(captured.Bytes(t, "pacific-osd-tree.json"))
	if err != nil || len(osds) != 3 || osds[2].Number != 2 || osds[2].Host != "host3" || osds[2].Class != "ssd" || !osds[2].Up || !(osds[2].Weight > 0) {
		t.Errorf("%+v, %v", osds, err)
	}
	if room, err := ceph.ReadRoom(captured.Bytes(t, "pacific-df.json"), "vms"); err != nil || room < 3<<30 || room > 4<<30 {
		t.Errorf("%d, %v", room, err)
	}
	if _, err := ceph.ReadRoom(captured.Bytes(t, "pacific-df.json"), "other"); err == nil {
		t.Error("room in a pool that is not there")
	}
	if waiting, err := ceph.ReadInactive(captured.Bytes(t, "pacific-pg-ls-by-pool-vms.json")); err != nil || waiting != 0 {
		t.Errorf("%d, %v", waiting, err)
	}
}

// Output of 17 and 18: a cluster can be HEALTH_OK and still move data.
func TestWhatNewerReleasesSay(t *testing.T) {
	status, err := ceph.ReadStatus(captured.Bytes(t, "quincy-status.json"))
	if err != nil || status.Health != "HEALTH_OK" || status.OSDs != 1 || status.In != 1 || status.Up != 1 || len(status.States) != 0 || status.Disturbed() != nil || status.Lacking() != "" {
		t.Errorf("%+v, %v", status, err)
	}
	status, err = ceph.ReadStatus(captured.Bytes(t, "reef-status-backfilling.json"))
	if err != nil || status.OSDs != 5 || status.States["active+clean"] != 174 || !slices.Equal(status.Disturbed(), []string{"10 placement groups backfilling"}) || status.Lacking() != "10 placement groups backfilling" || status.Settling() {
		t.Errorf("%+v, %v, %q", status, err, status.Disturbed())
	}
	rules, err := ceph.ReadRules(captured.Bytes(t, "reef-osd-crush-rule-dump.json"))
	if err != nil || len(rules) != 12 || !reflect.DeepEqual(rules[10:], []ceph.Rule{
		{Number: 10, Name: "myfs-data0", Domain: "host", Takes: []string{"default"}}, {Number: 11, Name: "replicated-on-osd", Domain: "osd", Takes: []string{"default"}}}) {
		t.Errorf("%+v, %v", rules, err)
	}
	disks, err := ceph.ReadDisks(captured.Bytes(t, "reef-osd-metadata.json"))
	if err != nil || len(disks) != 1 || !slices.Equal(disks[0], []string{"sdb"}) {
		t.Errorf("%v, %v", disks, err)
	}
}

// A rule may name a device class, and choose hosts before it chooses some OSDs in each.
func TestRules(t *testing.T) {
	rules, err := ceph.ReadRules(captured.Bytes(t, "reef-osd-crush-rule-dump-classes.json"))
	if err != nil || !reflect.DeepEqual(rules, []ceph.Rule{
		{Number: 0, Name: "replicated_rule", Domain: "host", Takes: []string{"default"}},
		{Number: 1, Name: "ssd_rule", Domain: "host", Takes: []string{"default~ssd"}},
		{Number: 2, Name: "hdd_rule", Domain: "host", Takes: []string{"default~hdd"}},
	}) {
		t.Errorf("%+v, %v", rules, err)
	}
	for steps, want := range map[string]string{
		`{"op":"choose_indep","num":3,"type":"host"},{"op":"chooseleaf_indep","num":2,"type":"osd"}`:                                                                         "host",
		`{"op":"choosemsr","num":0,"type":"host"},{"op":"choosemsr","num":2,"type":"osd"}`:                                                                                   "host",
		`{"op":"choose_firstn","num":0,"type":"chassis"},{"op":"chooseleaf_firstn","num":2,"type":"host"}`:                                                                   "host",
		`{"op":"choose_firstn","num":2,"type":"rack"},{"op":"choose_firstn","num":2,"type":"osd"}`:                                                                           "rack",
		`{"op":"choose_firstn","num":1,"type":"host"},{"op":"chooseleaf_firstn","num":0,"type":"osd"}`:                                                                       "osd",
		`{"op":"choose_indep","num":0,"type":"osd"}`:                                                                                                                         "osd",
		`{"op":"chooseleaf_firstn","num":1,"type":"host"},{"op":"emit"},{"op":"take","item":-2,"item_name":"default~hdd"},{"op":"chooseleaf_firstn","num":-1,"type":"host"}`: "host",
	} {
		rules, err := ceph.ReadRules([]byte(`[{"rule_id":1,"rule_name":"r","steps":[{"op":"set_choose_tries","num":100},{"op":"take","item":-1,"item_name":"default"},` + steps + `,{"op":"emit"}]}]`))
		if err != nil || len(rules) != 1 || rules[0].Domain != want {
			t.Errorf("%s: %+v, %v; want %s", steps, rules, err, want)
		}
	}
}

// A rule uses the OSDs below where it starts, and of its class.
func TestWhatARuleUses(t *testing.T) {
	osd := ceph.OSD{Class: "ssd", Above: []string{"host1", "rack1", "default"}}
	for _, c := range []struct {
		takes []string
		uses  bool
	}{
		{nil, true}, {[]string{"default"}, true}, {[]string{"default~ssd"}, true}, {[]string{"rack1"}, true}, {[]string{"default~hdd", "default~ssd"}, true},
		{[]string{"default~hdd"}, false}, {[]string{"archive"}, false}, {[]string{"archive~ssd"}, false},
	} {
		if got := (ceph.Rule{Takes: c.takes}).Uses(osd); got != c.uses {
			t.Errorf("%q: %t", c.takes, got)
		}
	}
	osds, err := ceph.ReadTree([]byte(`{"nodes":[{"id":-1,"name":"default","type":"root","children":[-3]},{"id":-3,"name":"rack1","type":"rack","children":[-2]},
		{"id":-2,"name":"host1","type":"host","children":[0]},{"id":0,"name":"osd.0","type":"osd","device_class":"ssd"},
		{"id":-9,"name":"a","type":"root","children":[-8]},{"id":-8,"name":"b","type":"rack","children":[-9,1]},{"id":1,"name":"osd.1","type":"osd"}]}`))
	if err != nil || len(osds) != 2 || !slices.Equal(osds[0].Above, osd.Above) || !slices.Equal(osds[1].Above, []string{"b", "a"}) {
		t.Errorf("%+v, %v", osds, err)
	}
}

// The drives under OSDs, by kernel name.
func TestDisks(t *testing.T) {
	disks, err := ceph.ReadDisks(captured.Bytes(t, "pacific-osd-metadata.json"))
	if err != nil || len(disks) != 3 || len(disks[0]) != 1 || !strings.HasPrefix(disks[0][0], "loop") {
		t.Errorf("%v, %v", disks, err)
	}
	if disks, err := ceph.ReadDisks([]byte(`[{"id":3,"devices":"nvme0n1,sda"},{"id":4}]`)); err != nil || len(disks) != 1 || !slices.Equal(disks[3], []string{"nvme0n1", "sda"}) {
		t.Errorf("%v, %v", disks, err)
	}
	for _, text := range []string{"", "{}", "7", `[{"id":-1}]`, `[{"id":"x"}]`} {
		if disks, err := ceph.ReadDisks([]byte(text)); err == nil && len(disks) > 0 {
			t.Errorf("%q: %v", text, disks)
		}
	}
}

// Differences before release 16: Nautilus has the OSD counters one level deeper, and
// Mimic has latencies and groups without an enclosing object.
func TestWhatOlderReleasesSay(t *testing.T) {
	status, err := ceph.ReadStatus([]byte(`{"health":{"status":"HEALTH_OK"},"osdmap":{"osdmap":{"num_osds":4,"num_up_osds":3,"num_in_osds":2}}}`))
	if err != nil || status.OSDs != 4 || status.Up != 3 || status.In != 2 {
		t.Errorf("%+v, %v", status, err)
	}
	perf, err := ceph.ReadPerf([]byte(`{"osd_perf_infos":[{"id":7,"perf_stats":{"commit_latency_ms":12,"apply_latency_ms":12}}]}`))
	if err != nil || !slices.Equal(perf, []ceph.Latency{{OSD: 7, Commit: .012}}) {
		t.Errorf("%+v, %v", perf, err)
	}
	if waiting, err := ceph.ReadInactive([]byte(`[{"state":"creating+peering"},{"state":"active+clean"}]`)); err != nil || waiting != 1 {
		t.Errorf("%d, %v", waiting, err)
	}
}

func TestErasureAndCompression(t *testing.T) {
	pools, err := ceph.ReadPools([]byte(`[{"pool_name":"ec","type":3,"size":6,"min_size":5,"crush_rule":2,"pg_num":64,"erasure_code_profile":"k4m2",
		"options":{"compression_mode":"force","compression_algorithm":"zstd"}},{"pool_name":"r","type":1,"size":3,"pg_num":1,"erasure_code_profile":"left over"}]`))
	if err != nil || len(pools) != 2 || pools[0].Profile != "k4m2" || pools[0].Rule != 2 || pools[0].Compression["compression_algorithm"] != "zstd" || pools[1].Profile != "" {
		t.Errorf("%+v, %v", pools, err)
	}
}

func TestWhatDisturbs(t *testing.T) {
	for text, want := range map[string]string{
		`{"health":{"status":"HEALTH_WARN","checks":{"OSDMAP_FLAGS":{"summary":{"message":"noout flag(s) set"}}}}}`:                                "HEALTH_WARN (OSDMAP_FLAGS: noout flag(s) set)",
		`{"health":{"status":"HEALTH_OK","checks":{"POOL_NEAR_FULL":{"muted":true}}}}`:                                                             "muted checks (POOL_NEAR_FULL)",
		`{"health":{"status":"HEALTH_OK"},"pgmap":{"pgs_by_state":[{"state_name":"active+clean+scrubbing+deep","count":2}]}}`:                      "2 placement groups deep-scrubbing",
		`{"health":{"status":"HEALTH_OK"},"pgmap":{"pgs_by_state":[{"state_name":"active+clean+scrubbing","count":1}]}}`:                           "1 placement groups scrubbing",
		`{"health":{"status":"HEALTH_OK"},"pgmap":{"pgs_by_state":[{"state_name":"active+recovering+degraded","count":3}]}}`:                       "3 placement groups recovering, 3 placement groups degraded",
		`{"health":{"status":"HEALTH_OK"},"pgmap":{"pgs_by_state":[{"state_name":"active+clean","count":3}]}}`:                                     "",
		`{"health":{"status":"HEALTH_ERR"},"pgmap":{"pgs_by_state":[{"state_name":"active+undersized+degraded+remapped+backfilling","count":1}]}}`: "HEALTH_ERR, 1 placement groups backfilling, 1 placement groups degraded, 1 placement groups undersized",
	} {
		s, err := ceph.ReadStatus([]byte(text))
		if got := strings.Join(s.Disturbed(), ", "); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

func TestWhatSettles(t *testing.T) {
	for states, want := range map[string]bool{
		`{"state_name":"peering","count":3},{"state_name":"active+clean","count":30}`:           true,
		`{"state_name":"creating+peering","count":3},{"state_name":"unknown","count":3}`:        true,
		`{"state_name":"peering","count":3},{"state_name":"active+recovering","count":1}`:       false,
		`{"state_name":"active+clean","count":30}`:                                              false,
		`{"state_name":"active+clean+scrubbing","count":1},{"state_name":"peering","count":30}`: false,
	} {
		s, err := ceph.ReadStatus([]byte(`{"health":{"status":"HEALTH_OK"},"pgmap":{"pgs_by_state":[` + states + `]}}`))
		if err != nil || s.Settling() != want {
			t.Errorf("%s: %v, %v", states, s.Settling(), err)
		}
	}
}

func TestOptionsThatAreSet(t *testing.T) {
	const dump = `[{"section":"global","name":"mon_allow_pool_delete","value":"true","mask":""},{"section":"mon","name":"mon_allow_pool_delete","value":"false","mask":""}]`
	for text, want := range map[string]string{dump: "false", "[]": ""} {
		if got, err := ceph.ReadOption([]byte(text), "mon", ceph.AllowDelete); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

func TestCommands(t *testing.T) {
	a := ceph.Access{User: "assay", Keyring: "/k", Conf: "/c"}
	if got := strings.Join(a.Argv("rados", "ls"), " "); got != "rados --conf /c --id assay --keyring /k ls" {
		t.Error(got)
	}
	if !reflect.DeepEqual(ceph.Of(a.Params()), a) || len((ceph.Access{}).Params()) != 0 {
		t.Error("what is said of an access is not what is read of it")
	}
	line := ceph.Access{User: "bench"}.AuthCommand()
	for _, want := range []string{"ceph auth get-or-create client.bench mon 'allow r, ", `with pool prefix assay-`, " osd 'allow rwx tag assay *=*' -o /etc/ceph/ceph.client.bench.keyring"} {
		if !strings.Contains(line, want) {
			t.Errorf("%s\nlacks %s", line, want)
		}
	}
	if strings.Contains(ceph.Access{User: "admin"}.AuthCommand(), "client.admin") {
		t.Error("admin is to be given fewer rights")
	}
}

// FuzzRead: no reader panics or returns impossible values.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(captured.Bytes(f, filepath.Base(file)))
	}
	f.Add([]byte(`{"health":{"status":"x"},"pgmap":{"pgs_by_state":[{"count":-1}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := ceph.ReadStatus(text); err == nil {
			_, _ = s.Disturbed(), s.Settling()
			if s.OSDs < 0 || s.In < 0 || s.Up < 0 {
				t.Errorf("%+v", s)
			}
		}
		if all, err := ceph.ReadPools(text); err == nil {
			for _, p := range all {
				if p.Name == "" || p.Size <= 0 || p.PGs <= 0 {
					t.Errorf("%+v", p)
				}
			}
		}
		_, _ = ceph.ReadPerf(text)
		_, _ = ceph.ReadRules(text)
		_, _ = ceph.ReadTree(text)
		_, _ = ceph.ReadDisks(text)
		_, _ = ceph.ReadInactive(text)
		if room, err := ceph.ReadRoom(text, "vms"); err == nil && room < 0 {
			t.Error(room)
		}
		_, _ = ceph.ReadOption(text, "mon", ceph.AllowDelete)
	})
}
