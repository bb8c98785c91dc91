package loadgen

import (
	"context"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

// reader returns a worker on a store that answers each GET with body, and a
// function that reads it.
func reader(t *testing.T, size int, timeout time.Duration, body func(w http.ResponseWriter, r *http.Request)) (*worker, func() *Failure) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(size))
		if r.Method == http.MethodGet {
			body(w, r)
		}
	}))
	t.Cleanup(s.Close)
	c, err := New(Target{Endpoints: []string{s.URL}, Bucket: "bucket", Prefix: "x/", Timeout: timeout, Credentials: Credentials{AccessKey: "a", SecretKey: "b"}},
		Load{Mix: map[Op]int{Get: 1}, Size: int64(size), Concurrency: 1, Duration: time.Second, Objects: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.objects.add(1, crc32.ChecksumIEEE(make([]byte, size)))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	w := c.newWorker(ctx, 0)
	t.Cleanup(w.close)
	return w, func() *Failure {
		j, err := w.ready(Get, 0)
		if err != nil {
			t.Fatal(err)
		}
		return w.do(ctx, j).fail
	}
}

// flushed writes zeros and flushes them.
func flushed(w http.ResponseWriter, n int) {
	_, _ = w.Write(make([]byte, n))
	_ = http.NewResponseController(w).Flush()
}

// TestFewReads of a large answer in small pieces; and the head of the next
// answer on the same connection, smaller than a gulp, does not wait for more.
func TestFewReads(t *testing.T) {
	const size = 8 * gulp
	w, get := reader(t, size, 20*time.Second, func(w http.ResponseWriter, _ *http.Request) {
		for range size / 4096 {
			flushed(w, 4096)
		}
	})
	for range 2 {
		if fail := get(); fail != nil {
			t.Fatal(fail)
		}
		if w.links[0].waits != 1 {
			t.Errorf("%d bytes are waited for after an answer", w.links[0].waits)
		}
		if _, _, err := w.exchange(t.Context(), 0, Head, request{method: http.MethodHead, key: "x/1"}, span{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.client.tally.connections.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestATrickle of less than a gulp per timeout is no timeout: bytes arrive.
func TestATrickle(t *testing.T) {
	t.Parallel()
	const size = 4 * gulp
	const timeout = 3 * time.Second // over before a full gulp; a busy machine may pause for most of it between two pieces
	_, get := reader(t, size, timeout, func(w http.ResponseWriter, r *http.Request) {
		left := size
		flushed(w, gulp/2)
		for left -= gulp / 2; left > 0 && r.Context().Err() == nil; left -= gulp / 16 {
			time.Sleep(timeout * 3 / 20) // arriving slowly is what is tested
			flushed(w, gulp/16)
			if left < 3*gulp {
				flushed(w, left-gulp/16)
				return
			}
		}
	})
	if fail := get(); fail != nil {
		t.Error(fail)
	}
}

// TestAStallAmidAnAnswer ends with the timeout.
func TestAStallAmidAnAnswer(t *testing.T) {
	const size = 4 * gulp
	_, get := reader(t, size, 300*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
		flushed(w, gulp/2)
		<-r.Context().Done()
	})
	if fail := get(); fail == nil || fail.Class != Timeout {
		t.Errorf("%+v", fail)
	}
}
