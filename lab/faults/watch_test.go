package faults

import (
	"flag"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
	"assay/lab/prometheus/prometheustest"
	"assay/plan/canary"
	"assay/store"
)

// TestWatchFindsADrift watches a sound link for two thirds of it, one round a
// minute.
var length = flag.Duration("watch", 0, "how long to watch for a drift, with a round a minute; 0 watches six rounds, a second apart")

// A link that has become permanently slower is reported as a change point and fires in a
// real Alertmanager, with no false alarm before; a round costs no more than promised.
// Rounds are a second apart. The slow link is watched until the alarm: on a busy machine
// rounds vary more, and it takes more of them.
func TestWatchFindsADrift(t *testing.T) {
	notQuick(t)
	prometheustest.Needed(t)
	t.Parallel()
	b := newBed(t, 2)
	prom := filepath.Join(b.laptop.Dir, "assay.prom")
	quick, every := 6, time.Second
	if *length > 0 {
		every = time.Minute
		quick = max(quick, int(*length*2/3/every))
	}
	watch := func(words ...string) *laptop.Command {
		t.Helper()
		return b.laptop.Begin(append([]string{"watch", "-i", b.laptop.File, "--every", every.String(), "--textfile", prom}, words...)...)
	}
	slow := regexp.MustCompile(`worse: TCP, one flow for a second, host2 → host1 on storage, net\.tcp\.throughput, -\S+ % .* since run`)
	before := watch("--rounds", strconv.Itoa(quick)).Wait(20*time.Minute + *length)
	if before.Exit != 0 || slow.MatchString(before.Stdout) {
		t.Fatalf("status %d, or a change before there was one:\n%s%s", before.Exit, before.Stdout, before.Said)
	}
	alarm := newAlarm(b, prom)
	nic, err := b.lab.Run(t.Context(), "host2", "sh", "-c", "ip -o -4 address show to "+b.lab.Address("host2", hosts.Storage)+" | awk '{ print $2 }'")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := b.lab.Run(t.Context(), "host2", "tc", "qdisc", "replace", "dev", strings.TrimSpace(nic), "root", "tbf", "rate", "10mbit", "burst", "64kb", "latency", "50ms"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	slower := watch()
	alarm.expect(map[string]string{"alertname": "AssayFigureWorse", "host": "host2", "case": "iperf3/watch-tcp", "metric": "net.tcp.throughput", "verdict": "worse", "severity": "warning", "source": "assay"}, slower.Printed)
	slower.Signal(syscall.SIGINT)
	after := slower.Wait(20 * time.Minute)
	if n := len(slow.FindAllString(after.Stdout, -1)); n != 1 || after.Exit != 130 {
		t.Errorf("status %d; the slower link is told %d times, want once:\n%s\n%s", after.Exit, n, after.Stdout, b.laptop.Do("trend", "net.tcp.throughput").Stdout)
	}
	keptToCost(t, filepath.Join(b.laptop.Dir, "assay.db"), quick)
	b.expectNothingLeft()
}

// keptToCost compares what the rounds in a database cost with what they should cost, and
// expects more than the given number. A round that was cut short may have watched no
// directory.
func keptToCost(t *testing.T, db string, rounds int) {
	t.Helper()
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := st.Runs(t.Context())
	if err != nil || len(all) <= rounds {
		t.Fatalf("%d rounds, %v", len(all), err)
	}
	for _, one := range all {
		run, err := st.Load(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		written, files := map[string]float64{}, map[string]float64{}
		for _, r := range run.Results {
			id := r.Trial.Subject.ID
			if r.Scratch.Bytes > 0 {
				files[id] = float64(r.Scratch.Bytes)
			}
			for _, v := range r.Values("storage.write.bytes") {
				written[id] += v
			}
			if r.Trial.Length > time.Second || r.Trial.Warmup > 0 || len(r.Counted()) > 1 {
				t.Errorf("%s measures %d times %s, want once for a second", r.Trial.ID, len(r.Counted()), r.Trial.Length)
			}
		}
		for id, file := range files {
			if total := written[id] + file; total > 4<<20+210*4096 {
				t.Errorf("%s: %g B were written, want at most 5.01 MB", id, total)
			}
		}
		if len(files) == 0 && one.StatusNow() == assay.RunDone {
			t.Errorf("%s: no directory was watched", one.ID)
		}
	}
	const promised = 4<<20 + 200*4096
	if y := (canary.Cost{Bytes: promised}).Yearly(time.Hour); y > canary.Written {
		t.Errorf("%g B a year", y)
	}
}
