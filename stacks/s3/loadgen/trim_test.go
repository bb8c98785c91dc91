package loadgen_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/loadgen"
	"assay/stacks/s3/s3proxy"
)

// TestTrimGoesOnWhereItWasCutShort: cut short by its time, by a failure in the
// middle, and not at all. Everything the book lists is readable each time.
func TestTrimGoesOnWhereItWasCutShort(t *testing.T) {
	const keep, all = 5, 100
	const rest = all - 8 // left after each worker has removed one
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	to := target([]string{p.URL}, k, "bucket")
	reads := loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Get: 1}, Size: 1000, Concurrency: 4, Duration: time.Minute, Limit: 300, Seed: 1}
	client := func(objects int, b *loadgen.Book) *loadgen.Client {
		t.Helper()
		load := reads
		load.Objects = objects
		c, err := loadgen.New(to, load)
		if err == nil && b != nil {
			err = c.Open(*b)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	laid := client(all, nil)
	if err := laid.Prepare(patience(t)); err != nil {
		t.Fatal(err)
	}
	b := laid.Book()
	readable := func(want int) {
		t.Helper()
		if len(b.IDs) != want {
			t.Fatalf("%d objects are in the book, want %d", len(b.IDs), want)
		}
		r, err := client(keep, &b).Run(patience(t))
		if err != nil || r.Failures() > 0 {
			t.Errorf("what is in the book cannot be read: %v, %+v", err, r.Ops)
		}
	}

	c := client(keep, &b)
	left, err := c.Trim(patience(t), time.Now())
	if b = c.Book(); err != nil || left != rest-keep || b.Bytes != rest*1000 {
		t.Errorf("out of time: %d left, %d B, %v", left, b.Bytes, err)
	}
	readable(rest)

	var asked atomic.Int64
	p.Refuse(func(r *http.Request) bool { return r.Method == http.MethodDelete && asked.Add(1) > 20 }, 403, "AccessDenied", "no more of this")
	c = client(keep, &b)
	left, err = c.Trim(patience(t), time.Time{})
	p.MendAll()
	var f *loadgen.Failure
	if b = c.Book(); !errors.As(err, &f) || f.Class != loadgen.Denied || left == 0 || left > rest-keep-20 {
		t.Errorf("refused in the middle: %d left, %v", left, err)
	}
	// The fate of those in flight, eight at once, is unknown: their space counts as
	// taken.
	if unknown := b.Bytes/1000 - int64(len(b.IDs)); b.Bytes < (rest-20)*1000 || unknown < 1 || unknown > 8 {
		t.Errorf("%d B are taken by %d objects, of which %d are known", b.Bytes, b.Bytes/1000, len(b.IDs))
	}
	readable(keep + left)

	c = client(keep, &b)
	left, err = c.Trim(patience(t), time.Now().Add(time.Minute))
	if b = c.Book(); err != nil || left != 0 {
		t.Errorf("at last: %d left, %v", left, err)
	}
	readable(keep)
}
