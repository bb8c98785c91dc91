package loadgen_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/loadgen"
	"assay/stacks/s3/s3proxy"
)

// target returns a Garage as a load's target.
func target(endpoints []string, k garage.Key, bucket string, change ...func(*loadgen.Target)) loadgen.Target {
	t := loadgen.Target{Endpoints: endpoints, Region: garage.Region, Bucket: bucket, Prefix: "assay/",
		Timeout: 30 * time.Second, Credentials: loadgen.Credentials{AccessKey: k.ID, SecretKey: k.Secret}}
	for _, c := range change {
		c(&t)
	}
	return t
}

func patience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// ready returns a prepared client.
func ready(t *testing.T, to loadgen.Target, l loadgen.Load) *loadgen.Client {
	t.Helper()
	c, err := loadgen.New(to, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(patience(t)); err != nil {
		t.Fatal(err)
	}
	return c
}

// opened returns a client of an empty bucket that has sent no request yet, so that
// a short timeout does not limit its preparation.
func opened(t *testing.T, to loadgen.Target, l loadgen.Load) *loadgen.Client {
	t.Helper()
	c, err := loadgen.New(to, l)
	if err == nil {
		err = c.Open(loadgen.Book{Seed: l.Seed, Size: l.Size})
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// clean runs a load that must succeed.
func clean(t *testing.T, to loadgen.Target, l loadgen.Load) loadgen.Result {
	t.Helper()
	r, err := ready(t, to, l).Run(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Ops {
		if len(f.Errors) > 0 {
			t.Errorf("%s failed: %+v", f.Op, f.Errors)
		}
	}
	return r
}

func figure(t *testing.T, r loadgen.Result, op loadgen.Op) loadgen.Figure {
	t.Helper()
	f, found := r.Figure(op)
	if !found {
		t.Fatalf("no figure of %s", op)
	}
	return f
}

// outside returns another client of the bucket, to see what is really there.
func outside(t *testing.T, endpoint string, k garage.Key) *minio.Client {
	t.Helper()
	c, err := minio.New(strings.TrimPrefix(endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(k.ID, k.Secret, ""), Region: garage.Region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// there returns the keys of all readable objects in the bucket. A store of several
// nodes may briefly list removed ones.
func there(t *testing.T, l *garage.Lab, k garage.Key) (keys []string) {
	t.Helper()
	c := outside(t, l.Endpoints()[0], k)
	for o := range c.ListObjects(patience(t), "bucket", minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		_, err := c.StatObject(patience(t), "bucket", o.Key, minio.StatObjectOptions{})
		switch {
		case err == nil:
			keys = append(keys, o.Key)
		case minio.ToErrorResponse(err).Code != "NoSuchKey":
			t.Fatal(err)
		}
	}
	return keys
}

// TestEveryOperation runs each at every size on three nodes with three copies,
// and checks with another client what is left.
func TestEveryOperation(t *testing.T) {
	l := garagetest.Up(t, garage.Standard)
	k := garagetest.Bucket(t, l, "bucket")
	to := target(l.Endpoints(), k, "bucket")
	for _, size := range []int64{1, 15, 1 << 10, 64<<10 + 7, 3 << 20} {
		mix := map[loadgen.Op]int{loadgen.Put: 4, loadgen.Get: 4, loadgen.Head: 2, loadgen.List: 1, loadgen.Delete: 2}
		c := ready(t, to, loadgen.Load{Mix: mix, Size: size, Concurrency: 6, Duration: time.Minute, Limit: 130, Objects: 20, Seed: 7})
		r, err := c.Run(patience(t))
		if err != nil || r.Failures() > 0 || r.Stopped != "" {
			t.Fatalf("%d B: %v, %d failures, %q", size, err, r.Failures(), r.Stopped)
		}
		var ops int64
		for op := range mix {
			f := figure(t, r, op)
			ops += f.Ops
			if f.Ops == 0 || f.Latency.Count() != f.Ops || f.First.Count() != f.Ops || f.First.Max() > f.Latency.Max() {
				t.Errorf("%d B: %s: %d ops, %d latencies, %d first bytes", size, op, f.Ops, f.Latency.Count(), f.First.Count())
			}
			if (op == loadgen.Put || op == loadgen.Get) && f.Bytes != f.Ops*size {
				t.Errorf("%d B: %s moved %d bytes in %d operations", size, op, f.Bytes, f.Ops)
			}
			if op == loadgen.List && f.Keys < f.Ops {
				t.Errorf("%d B: %d lists gave %d keys", size, f.Ops, f.Keys)
			}
		}
		if ops != 130 {
			t.Errorf("%d B: %d operations, want 130", size, ops)
		}
		endpoints := map[string]int64{}
		for _, f := range r.Endpoints {
			endpoints[f.Endpoint] += f.Ops
		}
		if len(endpoints) != 3 {
			t.Errorf("operations by endpoint: %v", endpoints)
		}
		want := int(20 + figure(t, r, loadgen.Put).Ops - figure(t, r, loadgen.Delete).Ops)
		if keys := there(t, l, k); len(keys) != want {
			t.Errorf("%d B: %d objects are in the bucket, want %d", size, len(keys), want)
		}
		if removed, err := c.Clean(patience(t)); err != nil || removed < want {
			t.Errorf("%d B: removed %d, want %d: %v", size, removed, want, err)
		}
		if keys := there(t, l, k); len(keys) > 0 {
			t.Errorf("%d B: left: %q", size, keys)
		}
	}
}

// TestParts writes in parts, reads back, and leaves no interrupted upload
// behind.
func TestParts(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	for _, payload := range []loadgen.Payload{loadgen.Signed, loadgen.Unsigned} {
		to := target(l.Endpoints(), k, "bucket", func(t *loadgen.Target) { t.Payload = payload })
		load := loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Get: 1, loadgen.Put: 1}, Size: 12<<20 + 5, PartSize: 5 << 20,
			Concurrency: 2, Duration: time.Minute, Limit: 12, Objects: 2, Seed: 3}
		r := clean(t, to, load)
		if r.Payload != payload {
			t.Errorf("bodies were %s, want %s", r.Payload, payload)
		}
		info, err := outside(t, l.Endpoints()[0], k).StatObject(patience(t), "bucket", firstKey(t, l, k), minio.StatObjectOptions{})
		if err != nil || !strings.HasSuffix(info.ETag, "-3") || info.Size != load.Size {
			t.Errorf("the object has %d B and ETag %q, want 3 parts: %v", info.Size, info.ETag, err)
		}
	}
	core := minio.Core{Client: outside(t, l.Endpoints()[0], k)}
	if _, err := core.NewMultipartUpload(patience(t), "bucket", "assay/left", minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	c := ready(t, target(l.Endpoints(), k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1, Concurrency: 1, Duration: time.Second})
	if removed, err := c.Clean(patience(t)); err != nil || removed < 5 {
		t.Errorf("removed %d: %v", removed, err)
	}
	left, err := core.ListMultipartUploads(patience(t), "bucket", "assay/", "", "", "", 10)
	if err != nil || len(left.Uploads) > 0 {
		t.Errorf("uploads are left: %+v, %v", left.Uploads, err)
	}
}

func firstKey(t *testing.T, l *garage.Lab, k garage.Key) string {
	t.Helper()
	ctx, cancel := context.WithCancel(patience(t))
	defer cancel()
	for o := range outside(t, l.Endpoints()[0], k).ListObjects(ctx, "bucket", minio.ListObjectsOptions{Recursive: true}) {
		return o.Key
	}
	t.Fatal("the bucket is empty")
	return ""
}

// TestVirtualHostStyle sends the bucket's name in the Host header.
func TestVirtualHostStyle(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	at, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(l.Endpoints()[0], "http://"))
	if err != nil {
		t.Fatal(err)
	}
	allNamesAre(t, at.IP)
	r := clean(t, target([]string{fmt.Sprintf("http://%s:%d", garage.RootDomain, at.Port)}, k, "bucket", func(t *loadgen.Target) { t.VirtualHost = true }),
		loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1, loadgen.Get: 1}, Size: 1000, Concurrency: 2, Duration: time.Minute, Limit: 20, Objects: 1})
	if r.Ops[0].Ops+r.Ops[1].Ops != 20 {
		t.Errorf("%+v", r.Ops)
	}
}

// TestBounds: space, objects and operations end a load early, and it says so.
func TestBounds(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	to := target(l.Endpoints(), k, "bucket")
	r := clean(t, to, loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1000, Concurrency: 4, Duration: time.Minute, Space: 10_500})
	if f := figure(t, r, loadgen.Put); f.Ops != 10 || !strings.Contains(r.Stopped, "space") {
		t.Errorf("%d objects in the space of 10, stopped: %q", f.Ops, r.Stopped)
	}
	r = clean(t, to, loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Delete: 1}, Size: 1000, Concurrency: 4, Duration: time.Minute, Objects: 7, Seed: 5})
	if f := figure(t, r, loadgen.Delete); f.Ops != 7 || !strings.Contains(r.Stopped, "no object") {
		t.Errorf("%d of 7 deleted, stopped: %q", f.Ops, r.Stopped)
	}
	// Cancelled in the middle: ends at once, keeping what it has.
	const workers = 4
	p := s3proxy.New(t, l.Endpoints()[0], false)
	to.Endpoints = []string{p.URL}
	c := ready(t, to, loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1 << 20, Concurrency: workers, Duration: time.Hour, Seed: 6})
	ctx, cancel := context.WithCancel(patience(t))
	defer cancel()
	var asked atomic.Int64
	stopping := func(http.ResponseWriter, *http.Request) bool {
		if asked.Add(1) == workers+1 { // one worker has done its first
			cancel()
		}
		return false
	}
	p.Before.Store(&stopping)
	began := time.Now()
	r, err := c.Run(ctx)
	if !errors.Is(err, context.Canceled) || r.Failures() > 0 || time.Since(began) > time.Minute || r.Stopped == "" {
		t.Errorf("%v after %s, %d failures, stopped: %q", err, time.Since(began), r.Failures(), r.Stopped)
	}
	if figure(t, r, loadgen.Put).Ops == 0 {
		t.Error("what was measured is lost")
	}
}

// TestTheResultIsWhole checks that the JSON says what was done and used, and
// holds no credentials.
func TestTheResultIsWhole(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	r := clean(t, target(l.Endpoints(), k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1000, Concurrency: 2, Rate: 100, Duration: time.Second, Drain: time.Minute})
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), k.Secret) || strings.Contains(string(text), k.ID) {
		t.Error("the result holds credentials")
	}
	var again loadgen.Result
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	f := figure(t, again, loadgen.Put)
	if f.Ops != 100 || f.Latency.Count() != 100 || again.Delay.Count() != 100 || len(again.Clients) != 1 {
		t.Errorf("%d operations of %d clients", f.Ops, len(again.Clients))
	}
	if u := again.Clients[0]; u.User+u.System <= 0 || u.Busy() <= 0 {
		t.Errorf("no processor time: %+v", u)
	}
}
