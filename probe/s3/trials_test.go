package s3_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/probe/s3"
)

// store returns an inventory with a bucket of a store on two of its hosts.
func store(endpoints ...string) assay.Inventory {
	return assay.Inventory{
		Hosts: []assay.Host{{Name: "box"}, {Name: "node1"}, {Name: "node2"}},
		Facts: map[string]assay.Facts{
			"box":   {CPU: assay.CPUFacts{Threads: 8}},
			"node1": {Memory: assay.MemoryFacts{Total: 1 << 30}}, "node2": {Memory: assay.MemoryFacts{Total: 2 << 30}},
		},
		Networks: []assay.Network{{Name: "lan", Addresses: map[string]string{"node1": "192.0.2.1", "node2": "192.0.2.2"}}},
		Subjects: []assay.Subject{
			{ID: "box/directory/srv", Kind: assay.KindDirectory, Host: "box", Name: "/srv"},
			{ID: "box/bucket/s3", Kind: assay.KindBucket, Host: "box", Name: "s3", Volume: "bucket", Tier: "s3", On: []string{"node1/cpu/cpu"},
				Store: &assay.ObjectStore{Name: "s3", Endpoints: endpoints}},
		},
	}
}

func TestTrials(t *testing.T) {
	inv := store("http://192.0.2.1:3900", "http://node2:3900")
	for name, c := range map[string]struct {
		set, want map[string]string
		scratch   int64
	}{
		"put": {map[string]string{"mix": "put", "size": "1MiB", "iodepth": "16"},
			map[string]string{"mix": "PUT", "size": "1m", "iodepth": "16", "numjobs": "1", "space": "4294967296"}, 4 << 30},
		"get is warm": {map[string]string{"mix": "GET", "size": "1m", "numjobs": "auto"},
			map[string]string{"mix": "GET", "size": "1m", "iodepth": "1", "numjobs": "4", "space": "268435456", "objects": "256", "read": "warm"}, 4 << 30},
		"small objects": {map[string]string{"mix": "GET", "size": "1k"},
			map[string]string{"mix": "GET", "size": "1k", "iodepth": "1", "numjobs": "1", "space": "10240000", "objects": "10000", "read": "warm"}, 4 << 30},
		"cold is twice the store's memory": {map[string]string{"mix": "GET", "size": "1m", "read": "cold", "space": "20g"},
			map[string]string{"mix": "GET", "size": "1m", "iodepth": "1", "numjobs": "1", "space": "6443499520", "objects": "6145", "read": "cold", "store_memory": "3221225472"}, 20 << 30},
		"cold without that much room": {map[string]string{"mix": "GET", "size": "1m", "read": "cold"},
			map[string]string{"mix": "GET", "size": "1m", "iodepth": "1", "numjobs": "1", "space": "2147483648", "objects": "2048", "read": "cold", "store_memory": "3221225472"}, 4 << 30},
		"mixed": {map[string]string{"mix": "PUT=30,GET=70", "size": "1m", "space": "100m", "rate": "50"},
			map[string]string{"mix": "PUT=30,GET=70", "size": "1m", "iodepth": "1", "numjobs": "1", "space": "104857600", "objects": "50", "read": "warm", "rate": "50"}, 100 << 20},
		"a store that gives what it has": {map[string]string{"mix": "LIST", "size": "1k", "payload": "signed", "page": "100"},
			map[string]string{"mix": "LIST", "size": "1k", "iodepth": "1", "numjobs": "1", "space": "1024000", "objects": "1000", "payload": "signed", "page": "100"}, 4 << 30},
		"three pages to list": {map[string]string{"mix": "LIST", "size": "1k"},
			map[string]string{"mix": "LIST", "size": "1k", "iodepth": "1", "numjobs": "1", "space": "3072000", "objects": "3000", "page": "1000"}, 4 << 30},
		"delete": {map[string]string{"mix": "DELETE", "size": "1k"},
			map[string]string{"mix": "DELETE", "size": "1k", "iodepth": "1", "numjobs": "1", "space": "3072000", "objects": "3000"}, 4 << 30},
	} {
		t.Run(name, func(t *testing.T) {
			c0 := assay.Case{Probe: "s3", Name: "x", Title: "X", On: assay.KindBucket, Set: c.set, Seconds: 3}
			all, err := s3.New().Trials(inv, c0)
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			again, _ := s3.New().Trials(inv, c0)
			if !reflect.DeepEqual(all, again) {
				t.Error("two calls gave two answers")
			}
			got := all[0]
			if !reflect.DeepEqual(got.Settings, c.want) {
				t.Errorf("settings %v\n   want %v", got.Settings, c.want)
			}
			if got.ID != "s3/x@box/bucket/s3" || got.Scratch != c.scratch || got.Volume != "bucket" || got.Risk != assay.Writes || got.Length != 3*time.Second ||
				!reflect.DeepEqual(got.Claims, []string{"box/bucket/s3", "node1/cpu/cpu", "box/cpu/cpu"}) {
				t.Errorf("%+v", got)
			}
			// Resolved settings make the same case again.
			c0.Set = got.Settings
			if got.Settings["store_memory"] == "" {
				second, err := s3.New().Trials(inv, c0)
				if err != nil || !reflect.DeepEqual(second[0].Settings, got.Settings) {
					t.Errorf("resolved again: %v, %v", second, err)
				}
			}
		})
	}
}

func TestTrialsRefuse(t *testing.T) {
	for want, c := range map[string]assay.Case{
		"mix is missing":    {Set: map[string]string{"size": "1k"}},
		"no-such-setting":   {Set: map[string]string{"mix": "PUT", "no-such-setting": "1"}},
		"unknown operation": {Set: map[string]string{"mix": "COPY"}},
		"size:":             {Set: map[string]string{"mix": "PUT", "size": "2g"}},
		"part:":             {Set: map[string]string{"mix": "PUT", "part": "1m"}},
		"iodepth:":          {Set: map[string]string{"mix": "PUT", "iodepth": "0"}},
		"numjobs:":          {Set: map[string]string{"mix": "PUT", "numjobs": "-1"}},
		"rate:":             {Set: map[string]string{"mix": "PUT", "rate": "NaN"}},
		"objects:":          {Set: map[string]string{"mix": "GET", "objects": "many"}},
		"space:":            {Set: map[string]string{"mix": "GET", "space": "-1"}},
		"payload:":          {Set: map[string]string{"mix": "PUT", "payload": "none"}},
		"nothing is read":   {Set: map[string]string{"mix": "PUT", "read": "cold"}},
		"do not fit":        {Set: map[string]string{"mix": "GET", "size": "1m", "objects": "100", "space": "50m"}},
		"on: bucket":        {On: assay.KindDirectory, Set: map[string]string{"mix": "PUT"}},
		"seconds:":          {Seconds: -1, Set: map[string]string{"mix": "PUT"}},
	} {
		c.Probe, c.Name = "s3", "x"
		if c.On == "" {
			c.On = assay.KindBucket
		}
		if c.Seconds == 0 {
			c.Seconds = 1
		}
		all, err := s3.New().Trials(store("http://s3:3900"), c)
		if err == nil || !strings.Contains(err.Error()+assay.Hint(err), want) || !strings.Contains(err.Error(), "case x") {
			t.Errorf("%s: %v, %v", want, all, err)
		}
	}
}

// A bucket without a known location cannot be measured, and has an absent row.
func TestTrialsWithoutAStore(t *testing.T) {
	inv := store()
	inv.Subjects[1].Store = nil
	all, err := s3.New().Trials(inv, assay.Case{Probe: "s3", Name: "x", On: assay.KindBucket, Set: map[string]string{"mix": "PUT"}, Seconds: 1})
	if err != nil || len(all) != 1 || all[0].Absent == nil || all[0].Absent.Word != assay.Unknown || all[0].Absent.Why == "" || all[0].Scratch != 0 {
		t.Error(all, err)
	}
}
