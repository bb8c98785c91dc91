package store

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/store/pgtest"
)

// measured returns a repeat of the size of a storage trial's: the JSON of a
// tool, a few figures, some hundred samples, a histogram and a watch.
func measured(n, metrics, samples int) assay.Repeat {
	random := rand.New(rand.NewPCG(uint64(n), 2))
	var out strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&out, "      \"%d\" : %d,\n", 1000+i*37, random.IntN(100_000))
	}
	r := repeatNumber(n)
	r.Transcript.Steps[0].Output.Stdout = []byte(out.String())
	r.Measurements = nil
	for i := range metrics {
		m := assay.Measurement{Metric: fmt.Sprintf("storage.read.latency.p%d", i), Value: random.Float64(),
			Unit: assay.Seconds, Labels: map[string]string{"direct": "1", "ioengine": "io_uring", "iodepth": "32"}}
		for k := range samples {
			m.Samples = append(m.Samples, assay.Sample{At: math.Round(float64(k)*500+random.Float64()*3) / 1000,
				Value: math.Round(5e8 + 2e7*random.NormFloat64())})
		}
		if i == 0 {
			for b := range 400 {
				m.Histogram = append(m.Histogram, assay.Bin{Upper: 1e-6 * math.Pow(1.02, float64(b)), Count: random.Int64N(5000)})
			}
		}
		r.Measurements = append(r.Measurements, m)
	}
	for k := range 30 {
		r.Watch.Ticks = append(r.Watch.Ticks, assay.Tick{At: float64(k), CPU: assay.CPUTime{User: random.Float64()},
			Devices: map[string]assay.DeviceCounts{"nvme0n1": {Reads: random.Int64()}}, Temps: map[string]float64{"nvme/Composite": 44}})
	}
	return r
}

// One writer, and four at once: repeats committed per second. The PostgreSQL
// server is on this machine and, like the file, flushes every commit.
func BenchmarkAddRepeat(b *testing.B) {
	r := measured(1, 15, 20)
	for _, at := range []backend{inFile, {"postgres", func(t testing.TB) string { return pgtest.Own(t).URL("postgres") }, 1}} {
		for _, writers := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/writers=%d", at.name, writers), func(b *testing.B) {
				where, ctx := at.empty(b), context.Background()
				stores := make([]*Store, writers)
				for w := range stores {
					stores[w] = reopen(b, where)
					must(b, stores[w].Begin(ctx, assay.Run{ID: fmt.Sprint(w)}))
					must(b, stores[w].AddTrials(ctx, fmt.Sprint(w), []assay.Trial{{ID: "t"}}))
				}
				b.ResetTimer()
				var all sync.WaitGroup
				for w, s := range stores {
					all.Go(func() {
						r := r
						for r.N = w; r.N < b.N; r.N += writers {
							if err := s.AddRepeat(ctx, fmt.Sprint(w), "t", r); err != nil {
								b.Error(err)
							}
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "repeats/s")
			})
		}
	}
}

// The minimum cost of a durable commit here: mostly the disk's flush.
func BenchmarkJournalAndStrike(b *testing.B) {
	s, ctx := fresh(b), context.Background()
	for b.Loop() {
		must(b, s.Journal(ctx, assay.Receipt{ID: "one"}, Owner{}))
		must(b, s.Strike(ctx, "one"))
	}
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// 1,000 measurements with 100,000 samples in total, in 20 trials of 5 repeats.
func BenchmarkLoad(b *testing.B) {
	s, ctx := fresh(b), context.Background()
	run := assay.Run{ID: "r"}
	for t := range 20 {
		result := assay.Result{Trial: assay.Trial{ID: fmt.Sprintf("fio/case-%d@alpha/directory/srv", t)}}
		for n := range 5 {
			result.Repeats = append(result.Repeats, measured(n, 10, 100))
		}
		run.Results = append(run.Results, result)
	}
	must(b, keep(ctx, s, run))
	for b.Loop() {
		got, err := s.Load(ctx, "r")
		must(b, err)
		if n := len(got.Results[19].Repeats[4].Measurements[9].Samples); n != 100 {
			b.Fatalf("%d samples", n)
		}
	}
	var pages, size int64
	must(b, s.reader.QueryRow("SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size))
	b.ReportMetric(float64(pages*size), "database-B")
}

// 100,000 samples of one measurement.
func BenchmarkSamples(b *testing.B) {
	samples := measured(1, 1, 100_000).Measurements[0].Samples
	var blob []byte
	b.SetBytes(int64(16 * len(samples)))
	for b.Loop() {
		var err error
		blob, err = packSamples(samples)
		must(b, err)
		_, err = newRoom().samples(blob)
		must(b, err)
	}
	b.ReportMetric(float64(len(blob))/float64(len(samples)), "B/sample")
}

// 200 runs of 20 trials of 5 repeats.
func BenchmarkRuns(b *testing.B) {
	s, ctx := fresh(b), context.Background()
	must(b, s.Begin(ctx, assay.Run{ID: "r0", Started: time.Unix(0, 0)}))
	_, err := s.writer.Exec(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 199)
		INSERT INTO run SELECT 'r'||i, suite, version, started, 0, 'done', 0, 0, hosts, notes, 1, '', '', randomblob(4000), NULL, NULL FROM run, n;
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 19)
		INSERT INTO trial SELECT id, 'fio/case@alpha/directory/'||i, i, printf('%500s', ''), NULL FROM run, n;
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5)
		INSERT INTO repeat SELECT run, id, i, '', 0, 'done', '', '' FROM trial, n;
		INSERT INTO evidence SELECT run, trial, n, NULL, randomblob(2000) FROM repeat;`)
	must(b, err)
	for b.Loop() {
		runs, err := s.Runs(ctx)
		must(b, err)
		if len(runs) != 200 || runs[0].Repeats != 100 {
			b.Fatalf("%d runs: %+v", len(runs), runs[0])
		}
	}
}
