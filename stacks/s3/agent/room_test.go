package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
	"assay/stacks/s3/s3proxy"
)

// patience is how long a job may take: only a hung one takes that long.
const patience = 10 * time.Minute

// room is a bucket behind a proxy, and the directory of its agent.
type room struct {
	*testing.T
	proxy *s3proxy.Proxy
	dir   string
}

func newRoom(t *testing.T) *room {
	t.Helper()
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	r := &room{t, s3proxy.New(t, l.Endpoints()[0], false), t.TempDir()}
	address, token := l.Admin()
	store := agent.Store{Endpoints: []string{r.proxy.URL}, Region: garage.Region, Bucket: "bucket", Owner: "test",
		Garage: &agent.Garage{Address: address, Token: token}}
	if _, err := agent.Do(t.Context(), agent.Job{Do: agent.Make, Dir: r.dir, Store: &store, Bound: patience}, time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// job runs a load on a set, with room for 400 objects of a kB.
func (r *room) job(do agent.Verb, set string, mix map[loadgen.Op]int) agent.Job {
	return agent.Job{Do: do, Dir: r.dir, Bucket: "bucket", Set: set, Space: 400_000, Bound: patience, Load: &loadgen.Load{
		Mix: mix, Size: 1000, Concurrency: 8, Duration: patience, Limit: 300, Space: 400_000,
	}}
}

func (r *room) do(j agent.Job) (agent.Reply, error) { return agent.Do(r.Context(), j, time.Now(), nil) }

func (r *room) must(j agent.Job) agent.Reply {
	r.Helper()
	reply, err := r.do(j)
	if err != nil {
		r.Fatal(err)
	}
	if reply.Result != nil && reply.Result.Failures() > 0 {
		r.Fatalf("%+v", reply.Result.Ops)
	}
	return reply
}

// known returns how many objects of a set the book lists.
func (r *room) known(set string) int {
	r.Helper()
	var b loadgen.Book
	text, err := os.ReadFile(filepath.Join(r.dir, set+".book.json"))
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil {
		r.Fatal(err)
	}
	return len(b.IDs)
}

// asked counts the requests of each method while f runs, and delays each of
// them.
func (r *room) asked(takes time.Duration, f func()) map[string]int64 {
	var puts, deletes, gets atomic.Int64
	count := func(_ http.ResponseWriter, q *http.Request) bool {
		switch q.Method {
		case http.MethodPut:
			puts.Add(1)
		case http.MethodDelete:
			deletes.Add(1)
		default:
			gets.Add(1)
		}
		time.Sleep(takes)
		return false
	}
	r.proxy.Before.Store(&count)
	defer r.proxy.MendAll()
	f()
	return map[string]int64{http.MethodPut: puts.Load(), http.MethodDelete: deletes.Load(), http.MethodGet: gets.Load()}
}

var (
	puts = map[loadgen.Op]int{loadgen.Put: 1}
	gets = map[loadgen.Op]int{loadgen.Get: 1}
)

// Only the load is measured: an earlier job makes room and lays out objects.
func TestRoomIsMadeBeforeTheLoad(t *testing.T) {
	r := newRoom(t)
	if _, err := r.do(r.reading(agent.Run)); err == nil || !strings.Contains(err.Error(), "no object of read was prepared") {
		t.Errorf("what is not there was read: %v", err)
	}
	r.must(r.reading(agent.LayOut))
	r.must(r.job(agent.LayOut, "put", puts))
	for range 2 { // the second finds the bucket more than half full
		r.must(r.job(agent.LayOut, "put", puts))
		if n := r.known("put"); n != 0 {
			t.Errorf("%d objects of the repeat before are left", n)
		}
		asked := r.asked(0, func() {
			reply := r.must(r.job(agent.Run, "put", puts))
			if reply.Lead < 0 || reply.Tail < 0 || reply.Lead+reply.Tail > 60 {
				t.Errorf("lead %g s, tail %g s", reply.Lead, reply.Tail)
			}
		})
		if want := map[string]int64{"PUT": 300, "DELETE": 0, "GET": 0}; !maps.Equal(asked, want) {
			t.Errorf("while it measured it asked %v, want %v", asked, want)
		}
		if asked := r.asked(0, func() { r.must(r.reading(agent.Run)) }); asked["GET"] != 300 || asked["PUT"]+asked["DELETE"] > 0 {
			t.Errorf("while it measured it asked %v", asked)
		}
	}
}

// reading returns a job that reads ten prepared objects.
func (r *room) reading(do agent.Verb) agent.Job {
	j := r.job(do, "read", gets)
	j.Load.Objects = 10
	return j
}

// What one job has no time to remove, a later one removes without starting
// over: both if its time is up and if the agent is stopped.
func TestMakingRoomGoesOn(t *testing.T) {
	r := newRoom(t)
	r.must(r.job(agent.LayOut, "put", puts))
	r.must(r.job(agent.Run, "put", puts))
	r.asked(100*time.Millisecond, func() {
		j := r.job(agent.LayOut, "put", puts)
		j.Tidy = 50 * time.Millisecond
		r.must(j)
	})
	const workers = 32 // each of which removes one, however short the time
	if after := r.known("put"); after != 300-workers {
		t.Fatalf("300 objects were %d after a short time", after)
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	var deletes atomic.Int64
	stopping := func(_ http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodDelete && deletes.Add(1) == 10 { // over half must be left, or no more is removed
			stop()
		}
		return false
	}
	r.proxy.Before.Store(&stopping)
	_, err := agent.Do(ctx, r.job(agent.LayOut, "put", puts), time.Now(), nil)
	r.proxy.MendAll()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if after := r.known("put"); after == 0 || after >= 300-workers {
		t.Fatalf("%d objects were %d after the agent was stopped", 300-workers, after)
	}
	r.must(r.job(agent.LayOut, "put", puts))
	if n := r.known("put"); n != 0 {
		t.Errorf("%d objects are left", n)
	}
}

// Many objects are removed even if there is space for all of them: they would be
// too many for the clean-up of a run. A few thousand stay.
func TestManyObjectsAreRemoved(t *testing.T) {
	r := newRoom(t)
	for _, c := range []struct{ surplus, left int }{{2000, 2010}, {6000, 10}} {
		b := struct {
			loadgen.Book
			Keep int `json:"keep"`
		}{loadgen.Book{Seed: 1, Size: 1, Bytes: int64(c.surplus + 10), Next: uint64(c.surplus + 10)}, 10}
		for id := range b.Next {
			b.IDs, b.CRCs = append(b.IDs, id+1), append(b.CRCs, 0)
		}
		text, err := json.Marshal(b)
		if err == nil {
			err = os.WriteFile(filepath.Join(r.dir, "small.book.json"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		asked := r.asked(0, func() {
			j := r.job(agent.LayOut, "put", puts)
			j.Space = 1 << 30
			r.must(j)
		})
		if n := r.known("small"); n != c.left || asked["DELETE"] < int64(c.surplus+10-c.left) {
			t.Errorf("%s: %d are left, want %d; asked %v", fmt.Sprint(c.surplus, " beside those laid out"), n, c.left, asked)
		}
	}
}
