package loadgen

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTheFormOfAResult: a change to a name here must change Schema, too, if
// older readers would misread it.
func TestTheFormOfAResult(t *testing.T) {
	h := NewHistogram()
	h.Record(time.Millisecond)
	f := Figure{Op: Get, Endpoint: "e", Keys: 1, Latency: h, Service: h, First: h, Failed: h,
		Errors: []ErrorCount{{Class: Reset, Count: 1, Example: "x"}}, Seconds: []Second{{Ops: 1, Bytes: 1}}}
	r := Result{Schema: Schema, Stopped: "x", Unsent: 1, Delay: h, Ops: []Figure{f}, Endpoints: []Figure{f}, Clients: []ClientUsage{{}},
		Load: Load{PartSize: 1, Drain: 1, Rate: 1, Limit: 1, Objects: 1, Space: 1, PageSize: 1}}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	collect(names, "", tree)
	const want = `bucket clients[].connections clients[].cpus clients[].elapsed clients[].host clients[].reconnects
clients[].system clients[].user delay{} elapsed endpoints[].bytes endpoints[].bytes_per_second endpoints[].endpoint
endpoints[].errors[].class endpoints[].errors[].count endpoints[].errors[].example endpoints[].failed{}
endpoints[].first_byte{} endpoints[].keys endpoints[].latency{} endpoints[].op endpoints[].ops endpoints[].ops_per_second
endpoints[].seconds[].bytes endpoints[].seconds[].ops endpoints[].service{} load.concurrency load.drain load.duration load.limit
load.mix load.objects load.page_size load.part_size load.rate load.seed load.size load.space ops[].bytes
ops[].bytes_per_second ops[].endpoint ops[].errors[].class ops[].errors[].count ops[].errors[].example ops[].failed{}
ops[].first_byte{} ops[].keys ops[].latency{} ops[].op ops[].ops ops[].ops_per_second ops[].seconds[].bytes
ops[].seconds[].ops ops[].service{} payload schema started stopped unsent`
	if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, strings.Fields(want)) {
		t.Errorf("the form of %s is another:\n%s", Schema, strings.Join(got, " "))
	}
}

// collect gathers the names in a JSON value, except those inside a histogram.
func collect(names map[string]bool, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, found := v["hdr"]; found {
			names[at+"{}"] = true
			return
		}
		for name, inner := range v {
			collect(names, strings.TrimPrefix(at+"."+name, "."), inner)
		}
	case []any:
		for _, inner := range v {
			collect(names, at+"[]", inner)
		}
	default:
		names[at] = true
	}
}

func TestBusy(t *testing.T) {
	if b := (ClientUsage{User: 3, System: 1, CPUs: 2, Elapsed: 4}).Busy(); b != 0.5 {
		t.Errorf("%g", b)
	}
	if b := (ClientUsage{}).Busy(); b != 0 {
		t.Errorf("%g", b)
	}
}
