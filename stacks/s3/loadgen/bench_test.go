package loadgen_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/loadgen"
)

// BenchmarkPut puts objects on a one-node Garage, with this package and with
// minio-go's client as commonly used, and reports the throughput of each per
// second and per second of its own CPU time.
func BenchmarkPut(b *testing.B) {
	l := garagetest.Up(b, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(b, l, "bench")
	for _, size := range []int64{1 << 10, 64 << 10, 1 << 20} {
		for _, clients := range []int{1, 16} {
			for _, payload := range []loadgen.Payload{loadgen.Unsigned, loadgen.Signed} {
				b.Run(fmt.Sprintf("%dKiB/%d/%s", size>>10, clients, payload), func(b *testing.B) {
					benchOwn(b, l.Endpoints(), k, payload, loadgen.Put, size, clients)
				})
			}
			b.Run(fmt.Sprintf("%dKiB/%d/minio-go", size>>10, clients), func(b *testing.B) {
				benchMinio(b, l.Endpoints()[0], k, size, clients)
			})
		}
	}
}

// BenchmarkGet reads the objects.
func BenchmarkGet(b *testing.B) {
	l := garagetest.Up(b, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(b, l, "bench")
	for _, size := range []int64{1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB/16", size>>10), func(b *testing.B) {
			benchOwn(b, l.Endpoints(), k, loadgen.Auto, loadgen.Get, size, 16)
		})
	}
}

func benchOwn(b *testing.B, endpoints []string, k garage.Key, payload loadgen.Payload, op loadgen.Op, size int64, clients int) {
	load := loadgen.Load{Mix: map[loadgen.Op]int{op: 1}, Size: size, Concurrency: clients, Duration: time.Hour, Limit: int64(b.N), Seed: 1}
	if op == loadgen.Get {
		load.Objects = 64
	}
	c, err := loadgen.New(target(endpoints, k, "bench", func(t *loadgen.Target) { t.Payload = payload }), load)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	if err := c.Prepare(ctx); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	r, err := c.Run(ctx)
	b.StopTimer()
	if err != nil || r.Failures() > 0 {
		b.Fatal(err, r.Ops[0].Errors)
	}
	f, _ := r.Figure(op)
	u := r.Clients[0]
	b.ReportMetric(f.PerSec, "ops/s")
	b.ReportMetric(float64(f.Ops)/(u.User+u.System), "ops/cpu-s")
	if _, err := c.Clean(ctx); err != nil {
		b.Fatal(err)
	}
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func benchMinio(b *testing.B, endpoint string, k garage.Key, size int64, clients int) {
	c, err := minio.New(strings.TrimPrefix(endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(k.ID, k.Secret, ""), Region: garage.Region, BucketLookup: minio.BucketLookupPath,
		Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true},
	})
	if err != nil {
		b.Fatal(err)
	}
	body := bytes.Repeat([]byte("0123456789abcdef"), int(size/16))
	before, began := cpuSeconds(), time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				_, err := c.PutObject(context.Background(), "bench", fmt.Sprint("minio/", n), bytes.NewReader(body), size,
					minio.PutObjectOptions{DisableContentSha256: true})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "ops/s")
	b.ReportMetric(float64(b.N)/(cpuSeconds()-before), "ops/cpu-s")
}
