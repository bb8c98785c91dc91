package s3_test

import (
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/place/ssh"
	"assay/probe/s3"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/s3proxy"
)

// TestOperations runs every kind of load against a real Garage of three nodes.
func TestOperations(t *testing.T) {
	l := garagetest.Up(t, garage.Standard)
	b := lend(t, l)
	for _, c := range []struct {
		name   string
		set    map[string]string
		ops    []string
		labels map[string]string
	}{
		{"put-64k", map[string]string{"mix": "PUT", "size": "64k", "iodepth": "4"}, []string{"put"},
			map[string]string{"object_size": "64k", "iodepth": "4", "jobs": "1", "concurrency": "4", "loop": "closed", "endpoints": "3", "op": "PUT", "cache": ""}},
		{"get-64k", map[string]string{"mix": "GET", "size": "64k", "iodepth": "2", "numjobs": "2", "objects": "20"}, []string{"get"},
			map[string]string{"iodepth": "2", "jobs": "2", "concurrency": "4", "cache": "warm: 1280 KiB that this run wrote", "objects": "20"}},
		{"cold", map[string]string{"mix": "GET", "size": "64k", "objects": "20", "read": "cold"}, []string{"get"},
			map[string]string{"cache": "unknown: 1280 KiB are read, and the store's memory size is unknown"}},
		{"head", map[string]string{"mix": "HEAD", "size": "1k", "objects": "20"}, []string{"head"}, nil},
		{"list", map[string]string{"mix": "LIST", "size": "1k", "page": "10", "objects": "60"}, []string{"list"}, nil},
		{"short list", map[string]string{"mix": "LIST", "size": "1k", "objects": "20"}, []string{"list"}, nil},
		{"mixed", map[string]string{"mix": "GET=70,PUT=30", "size": "4k", "iodepth": "4", "objects": "20"}, []string{"get", "put"},
			map[string]string{"mix": "PUT=30,GET=70"}},
		{"delete", map[string]string{"mix": "DELETE", "size": "1k", "objects": "10", "iodepth": "4"}, []string{"delete"}, nil},
		{"rate", map[string]string{"mix": "PUT", "size": "1k", "iodepth": "4", "rate": "20"}, []string{"put"}, map[string]string{"loop": "open", "rate": "20"}},
		{"parts", map[string]string{"mix": "PUT", "size": "12m", "part": "5m"}, []string{"put"}, map[string]string{"part": "5m", "object_size": "12m"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			length := 1.
			switch c.name {
			case "mixed": // enough for some of each
				length = 3
			case "delete": // until all are deleted
				length = 60
			}
			tr := b.run(b.trial(c.name, length, c.set))
			m := parse(t, tr)
			for _, op := range c.ops {
				stem := "object." + op + "."
				ops, done := m.of(stem+"ops"), m.of(stem+"requests")
				if seconds := m.of("tool.duration").Value; ops.Value <= 0 || math.Abs(done.Value/ops.Value/seconds-1) > 1e-6 {
					t.Errorf("%s: %g/s, %g in %g s", op, ops.Value, done.Value, seconds)
				}
				if m.of(stem+"errors").Value != 0 {
					t.Errorf("%s: %g errors: %v", op, m.of(stem+"errors").Value, notes(tr))
				}
				count := int64(0)
				mean := m.of(stem + "latency.mean")
				for _, bin := range mean.Histogram {
					count += bin.Count
				}
				if float64(count) != done.Value || mean.Value <= 0 || m.of(stem+"latency.max").Value < mean.Value {
					t.Errorf("%s: %d in the histogram, %g done, %g s on the mean", op, count, done.Value, mean.Value)
				}
				if (op == "put" || op == "get") != m.has(stem+"throughput") {
					t.Errorf("%s: throughput: %t", op, m.has(stem+"throughput"))
				}
			}
			labels := m.all[0].Labels
			for key, want := range c.labels {
				if labels[key] != want {
					t.Errorf("label %s is %q, want %q", key, labels[key], want)
				}
			}
			if cpu := m.of("object.cpu").Value; cpu <= 0 || cpu > 1.2 {
				t.Errorf("the client used %g of its processors", cpu)
			}
			if c.name == "put-64k" && !m.has("object.endpoint.ops") {
				t.Error("no endpoint has figures of its own")
			}
			if lead := m.of("tool.lead").Value; lead <= 0 || lead+m.of("tool.duration").Value > tr.Steps[0].Output.Elapsed.Seconds()+.06 { // at a rate of 20 the last 50 ms are idle
				t.Errorf("it began after %g s of %s, and took %g s", lead, tr.Steps[0].Output.Elapsed, m.of("tool.duration").Value)
			}
			switch c.name {
			case "list":
				if keys := m.of("object.list.keys").Value; keys != 10 {
					t.Errorf("%g keys a page of 10", keys)
				}
			case "short list":
				if keys := m.of("object.list.keys").Value; keys < 5 || keys >= 20 {
					t.Errorf("%g keys of 20 from anywhere in their first half", keys)
				}
			}
			expected := map[string]string{"delete": "s3-stopped", "short list": "s3-short-pages"}[c.name]
			if said := notes(tr); expected == "" && len(said) > 0 || expected != "" && (len(said) != 1 || said[expected] == "") {
				t.Errorf("it notes: %q, and should %q", said, expected)
			}
		})
	}
	t.Run("enough", func(t *testing.T) { b.t = t; endsEarly(t, b) })
	t.Run("prepare", func(t *testing.T) { b.t = t; prepares(t, b) })
	t.Run("room", func(t *testing.T) { b.t = t; makesRoom(t, b) })
	t.Run("agent", func(t *testing.T) { b.t = t; withoutAnAgent(t, b) })
}

// endsEarly: a repeat of a minute ends once it has enough, with a figure.
func endsEarly(t *testing.T, b *bed) {
	trial := b.trial("put-1k", 60, map[string]string{"mix": "PUT", "size": "1k", "iodepth": "2"})
	var seen []assay.Sample
	on := b.bench()
	done := 0.
	on.Enough = func(s assay.Sample) bool {
		seen, done = append(seen, s), done+s.Value
		return len(seen) >= 2 && done > 0
	}
	tr, err := s3.New().Run(t.Context(), trial, on)
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, tr)
	if took := m.of("tool.duration").Value; took < 1.9 || took > 50 || !tr.Steps[0].Output.Asked {
		t.Errorf("it measured %g s", took)
	}
	if len(m.of("object.put.ops").Samples) < 1 || seen[0].At != 1 {
		t.Errorf("told %+v, samples %+v", seen, m.of("object.put.ops").Samples)
	}
	if said := notes(tr); len(said) != 0 {
		t.Errorf("it notes: %q", said)
	}
}

// prepares: objects laid out earlier are read, and not laid out again.
func prepares(t *testing.T, b *bed) {
	trial := b.trial("get-2k", 1, map[string]string{"mix": "GET", "size": "2k", "objects": "30"})
	on := b.bench()
	on.Length = time.Minute
	tr, ready, err := s3.New().(assay.Preparer).Prepare(t.Context(), trial, on)
	if err != nil || len(tr.Steps) != 1 || !ready.Same(b.scratch) || !strings.Contains(string(tr.Steps[0].Output.Stdout), `"objects":30`) {
		t.Fatalf("%+v %+v %v", tr, ready, err)
	}
	for range 2 {
		measure := b.run(trial)
		if m := parse(t, measure); m.of("object.get.ops").Labels["objects"] != "30" {
			t.Errorf("read of %s objects", m.of("object.get.ops").Labels["objects"])
		}
	}
}

// makesRoom: repeats that write can go on forever within their space.
func makesRoom(t *testing.T, b *bed) {
	trial := b.trial("small", 60, map[string]string{"mix": "PUT", "size": "256k", "iodepth": "2", "space": "6m"})
	done := 0.
	for range 4 {
		tr := b.run(trial)
		n := parse(t, tr).of("object.put.requests").Value
		if n < 10 || n > 24 {
			t.Errorf("%g objects of 256 KiB in 6 MiB: %q", n, notes(tr))
		}
		done += n
	}
	if done < 40 {
		t.Errorf("%g objects in four repeats", done)
	}
}

// TestFaults breaks the path to the store under load.
func TestFaults(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	p := s3proxy.New(t, l.Endpoints()[0], false)
	b := lend(t, l, p.URL)
	get := map[string]string{"mix": "GET", "size": "100k", "objects": "3"}
	t.Run("slow down", func(t *testing.T) {
		b.t = t
		trial := b.trial("get-100k", 1, get)
		parse(t, b.run(trial)) // lays out
		refused := every(5)
		p.Refuse(refused.is, 503, "SlowDown", "Please reduce your request rate.")
		defer p.MendAll()
		tr := b.until(b.trial("get-100k", 60, get), refused.happened)
		m := parse(t, tr)
		if m.of("object.get.errors").Value < 1 || m.of("object.get.ops").Value <= 0 || m.of("object.class.errors").Labels["class"] != "slow-down" {
			t.Errorf("%g errors of class %s", m.of("object.get.errors").Value, m.of("object.class.errors").Labels["class"])
		}
		if said := notes(tr)["s3-failed-get-slow-down"]; !strings.Contains(said, "SlowDown") {
			t.Errorf("it notes: %q", notes(tr))
		}
	})
	t.Run("a flipped bit", func(t *testing.T) {
		b.t = t
		n := every(5)
		p.OnObjects(func(body io.ReadCloser) io.ReadCloser {
			if n.is(nil) {
				return &s3proxy.Spoiled{ReadCloser: body, At: 54_321, Flip: true}
			}
			return body
		})
		defer p.MendAll()
		_, err := s3.New().Parse(b.until(b.trial("get-100k", 60, get), n.happened))
		if err == nil || !strings.Contains(err.Error(), "CRC-32") || !strings.Contains(assay.Hint(err), "memory") {
			t.Error(err)
		}
	})
	t.Run("a slow store", func(t *testing.T) {
		b.t = t
		wait := func(http.ResponseWriter, *http.Request) bool { time.Sleep(50 * time.Millisecond); return false }
		p.Before.Store(&wait)
		defer p.MendAll()
		m := parse(t, b.run(b.trial("get-100k", 1, get)))
		if first := m.of("object.get.first_byte.p50").Value; first < .05 {
			t.Errorf("the first byte came after %g s", first)
		}
	})
	t.Run("a stall at a fixed rate", func(t *testing.T) {
		b.t = t
		set := maps.Clone(get)
		set["rate"], set["iodepth"], set["size"] = "100", "4", "1k"
		trial := b.trial("rated", 3, set)
		parse(t, b.run(trial)) // lays out
		var begun atomic.Bool
		first := func(http.ResponseWriter, *http.Request) bool {
			if begun.CompareAndSwap(false, true) {
				p.Stall(time.Now().Add(time.Second), time.Now().Add(2*time.Second))
			}
			return false
		}
		p.Before.Store(&first)
		defer p.MendAll()
		m := parse(t, b.run(trial))
		if p90, most := m.of("object.get.latency.p90").Value, m.of("object.get.latency.max").Value; p90 < .3 || most < .85 {
			t.Errorf("90 %% within %g s, the slowest took %g s: the stall is not in the tail", p90, most)
		}
	})
	t.Run("off", func(t *testing.T) {
		b.t = t
		abort := func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
		p.Before.Store(&abort)
		defer p.MendAll()
		_, err := s3.New().Parse(b.run(b.trial("get-100k", 1, get)))
		if err == nil || !strings.Contains(err.Error(), "closed the connection") || assay.Hint(err) == "" {
			t.Error(err)
		}
	})
}

// nth is what happens each nth time.
type nth struct {
	n     int64
	asked atomic.Int64
}

func every(n int64) *nth { return &nth{n: n} }

func (e *nth) is(*http.Request) bool { return e.asked.Add(1)%e.n == 0 }

// happened reports whether it did.
func (e *nth) happened() bool { return e.asked.Load() > e.n }

// TestAFullDisk expects a figure with failures, and a note that names them.
func TestAFullDisk(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1, DataBytes: 16 << 20})
	p := s3proxy.New(t, l.Endpoints()[0], false)
	b := lend(t, l, p.URL)
	var full atomic.Bool
	look := func(r *http.Response) {
		if r.StatusCode/100 == 5 {
			full.Store(true)
		}
	}
	p.After.Store(&look)
	tr := b.until(b.trial("put-1m", 60, map[string]string{"mix": "PUT", "size": "1m"}), full.Load)
	m := parse(t, tr)
	if m.of("object.put.errors").Value < 1 || m.of("object.class.errors").Labels["class"] != "disk-full" || !strings.Contains(notes(tr)["s3-failed-put-disk-full"], "out of space") {
		t.Errorf("%v", notes(tr))
	}
}

// TestOverSSH runs on a host that reaches the store over a network, at this
// machine's end.
func TestOverSSH(t *testing.T) {
	bed := hoststest.Up(t, hosts.Standard(1))
	address := bed.Address("host1", hosts.Management)
	here := address[:strings.LastIndexByte(address, '.')] + ".254"
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1, Host: here})
	at := ssh.New(assay.Host{Name: "host1"}, ssh.Options{Address: address, User: hosts.User, ConfigFile: bed.Config()})
	t.Cleanup(func() { _ = at.Close() })
	b := lendOn(t, l, at, "fedcba9876543210")
	tr := b.run(b.trial("put-16k", 1, map[string]string{"mix": "PUT", "size": "16k", "iodepth": "2"}))
	m := parse(t, tr)
	if m.of("object.put.ops").Value <= 0 {
		t.Error("nothing was done")
	}
	// Host and test share a clock, so the real start of the load is known.
	reply, _, _ := agent.ReadReply(tr.Steps[0].Output.Stdout)
	began := reply.Result.Started.Sub(tr.Steps[0].Output.Started).Seconds()
	if lead := m.of("tool.lead").Value; math.Abs(lead-began) > 5 {
		t.Errorf("the load began after %g s, and it is said to have done after %g s", began, lead)
	}
	on := b.bench()
	enough := 0
	on.Enough = func(assay.Sample) bool { enough++; return enough == 1 }
	var err error
	tr, err = s3.New().Run(t.Context(), b.trial("put-16k", 30, map[string]string{"mix": "PUT", "size": "16k", "iodepth": "2"}), on)
	if err != nil {
		t.Fatal(err)
	}
	if took := parse(t, tr).of("tool.duration").Value; took > 25 {
		t.Errorf("it measured %g s", took)
	}
}

// withoutAnAgent: a bucket whose agent is gone is an error, and so is an agent asked
// for another bucket.
func withoutAnAgent(t *testing.T, b *bed) {
	trial := b.trial("put", 1, map[string]string{"mix": "PUT", "size": "1k"})
	on := b.bench()
	on.Scratch.Dir = "/nonexistent"
	if _, err := s3.New().Run(t.Context(), trial, on); !errors.Is(err, assay.ErrNoCommand) || assay.Hint(err) == "" {
		t.Error(err)
	}
	on = b.bench()
	on.Scratch.File = "another"
	tr, err := s3.New().Run(t.Context(), trial, on)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s3.New().Parse(tr); err == nil || !strings.Contains(err.Error(), "bucket") {
		t.Error(err)
	}
}
