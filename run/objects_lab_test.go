package run_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/place/local"
	"assay/plan"
	"assay/plan/multiclient"
	"assay/plan/suite"
	"assay/probe/s3"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/s3proxy"
)

// Two hosts write to a real store at once. On one of them deletes are slow, and its
// bucket fills up: room is made before both begin, and they are still measured
// together.
func TestTwoHostsWriteObjectsAtOnce(t *testing.T) {
	const rate, length = 25, 4 * time.Second
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	slow := s3proxy.New(t, l.Endpoints()[0], false)
	wait := func(_ http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodDelete {
			time.Sleep(400 * time.Millisecond)
		}
		return false
	}
	slow.Before.Store(&wait)
	address, token := l.Admin()
	t.Setenv("ASSAY_TEST_GARAGE_TOKEN", token)

	inv, places := assay.Inventory{Facts: map[string]assay.Facts{}}, map[string]assay.Place{}
	for host, endpoint := range map[string]string{"ann": l.Endpoints()[0], "bob": slow.URL} {
		places[host] = local.New(host, runID)
		inv.Hosts = append(inv.Hosts, assay.Host{Name: host})
		inv.Subjects = append(inv.Subjects, assay.Subject{
			ID: host + "/bucket/s3", Kind: assay.KindBucket, Host: host, Name: "s3", Volume: "bucket", Tier: "s3",
			Store: &assay.ObjectStore{Name: "s3", Endpoints: []string{endpoint}, Region: garage.Region,
				Garage: &assay.GarageAdmin{Address: address, Token: "env ASSAY_TEST_GARAGE_TOKEN"}},
		})
	}
	inv.Tiers = []assay.Tier{{Name: "s3", Kind: "bucket", Hosts: []string{"ann", "bob"}}}
	probes := []assay.Probe{s3.New()}
	p, err := plan.Make(inv, suite.Suite{Name: "test", Title: "test", Tiers: true, Budget: time.Hour, Repeats: 4, Cases: []assay.Case{{
		Probe: "s3", Name: "put", Title: "PUT", On: assay.KindBucket, Seconds: length.Seconds(), Longest: length.Seconds(), Together: true,
		// 100 objects in a repeat and room for 400: the third finds more than half of it used.
		Set: map[string]string{"mix": "PUT", "size": "1000", "rate": "25", "iodepth": "8", "space": "400000"},
	}}}, probes, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	got, st := carried(ctx, t, p, inv, places, probes)

	slowest := 0.
	for _, rep := range on(t, got, 2).Counted() {
		if apart, whole := multiclient.Apart(rep.Transcript, rep.Measurements, length); apart > whole/2 || whole < length {
			t.Errorf("they were %s apart, of %s", apart, whole)
		}
		together, alone := rep.Measurement("object.put.ops").Value, 0. // a busy machine gives less than the rate of both
		for _, s := range multiclient.Split(rep.Transcript) {
			one := multiclient.Of(assay.Result{Trial: assay.Trial{Others: []assay.Subject{{}}}, Repeats: []assay.Repeat{rep}}, s.Host)
			if m := one.Values("object.put.ops"); len(m) != 1 || m[0] <= 0 {
				t.Errorf("%s wrote %v/s", s.Host, m)
			} else {
				alone = max(alone, m[0])
			}
			if m := one.Values("object.cpu"); len(m) != 1 || m[0] <= 0 {
				t.Errorf("%s used %v of its processors", s.Host, m)
			}
		}
		if together <= alone || together > 2.1*rate {
			t.Errorf("%g/s together, want more than %g and up to %d", together, alone, 2*rate)
		}
		readied := map[string]bool{}
		for _, s := range rep.Transcript.Steps {
			reply, _, ok := agent.ReadReply(s.Output.Stdout)
			switch {
			case !ok:
				t.Errorf("%s on %s: %s", s.Name, s.Host, s.Output.Stderr)
			case strings.HasPrefix(s.Name, multiclient.Preparing):
				readied[s.Host] = true
				slowest = max(slowest, reply.Prepared)
			}
		}
		if !readied["ann"] || !readied["bob"] {
			t.Errorf("readied: %v", readied)
		}
	}
	// 200 objects, 32 at a time, with 0.4 s each.
	if slowest < 2 {
		t.Errorf("readying took %g s at most: nothing was removed", slowest)
	}
	if left, err := l.Buckets(ctx); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	if entries, err := st.Outstanding(ctx); err != nil || len(entries) > 0 {
		t.Errorf("the journal still holds %v, %v", entries, err)
	}
}
