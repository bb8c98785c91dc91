package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/s3proxy"
)

// made makes a bucket and a key, and puts two objects into it: the mark of a
// bucket made with its user's keys, and another one.
func made(t *testing.T, l *garage.Lab, dir string) agent.Store {
	t.Helper()
	address, token := l.Admin()
	s := agent.Store{Endpoints: l.Endpoints(), Region: garage.Region, Bucket: "assay-slow", Owner: "owner", Garage: &agent.Garage{Address: address, Token: token}}
	if _, err := agent.Do(t.Context(), agent.Job{Do: agent.Make, Dir: dir, Store: &s}, time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "store.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept agent.Store
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	c, err := minio.New(strings.TrimPrefix(s.Endpoints[0], "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(kept.Keys.Access, kept.Keys.Secret, ""), Region: garage.Region})
	if err != nil {
		t.Fatal(err)
	}
	for key, body := range map[string]string{".assay-owner": s.Owner, "data/1": "text"} {
		if _, err := c.PutObject(t.Context(), s.Bucket, key, strings.NewReader(body), int64(len(body)), minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// slowly calls meanwhile when the store removes objects, and answers requests
// picked by refuse with BucketNotEmpty.
func slowly(p *s3proxy.Proxy, meanwhile func(), refuse func(*http.Request) bool) {
	answer := func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && r.URL.Query().Has("delete") {
			meanwhile()
		}
		if !refuse(r) {
			return false
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, "<Error><Code>BucketNotEmpty</Code><Message>Tried to delete a non-empty bucket</Message></Error>")
		return true
	}
	p.Before.Store(&answer)
}

// The time that nodes get to agree starts at the last removal, not at the first
// request: emptying takes longer than that.
func TestEmptyingTakesLong(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	address, _ := l.Admin()
	const settles, takes = time.Second, 1500 * time.Millisecond

	t.Run("own keys", func(t *testing.T) {
		pass := agent.Settling(t, settles)
		dir := t.TempDir()
		s := made(t, l, dir)
		store := s3proxy.New(t, l.Endpoints()[0], false)
		var refused atomic.Int32
		slowly(store, func() { pass(takes) }, func(r *http.Request) bool {
			return r.Method == http.MethodDelete && isBucket(r, s) && refused.Add(1) == 1
		})
		own := s
		own.Endpoints, own.Garage = []string{store.URL}, nil
		if _, err := agent.Do(t.Context(), agent.Job{Do: agent.Remove, Dir: dir, Store: &own}, time.Now(), nil); err != nil || refused.Load() != 2 {
			t.Errorf("%v after %d requests", err, refused.Load())
		}
		gone(t, l)
		removed(t, l, s) // the key
	})
	t.Run("garage", func(t *testing.T) {
		pass := agent.Settling(t, settles)
		dir := t.TempDir()
		s := made(t, l, dir)
		store, admin := s3proxy.New(t, l.Endpoints()[0], false), s3proxy.New(t, address, false)
		slowly(store, func() { pass(takes) }, func(*http.Request) bool { return false })
		var looked, refused atomic.Int32
		late := func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case strings.HasSuffix(r.URL.Path, "/DeleteBucket") && refused.Add(1) == 1:
				w.WriteHeader(http.StatusConflict)
				_, _ = io.WriteString(w, `{"code": "BucketNotEmpty", "message": "Tried to delete a non-empty bucket"}`)
			case strings.HasSuffix(r.URL.Path, "/GetBucketInfo") && looked.Add(1) == 2: // still listed
				_, _ = io.WriteString(w, `{"id": "`+strings.Repeat("0", 64)+`"}`)
			default:
				return false
			}
			return true
		}
		admin.Before.Store(&late)
		s.Endpoints, s.Garage.Address = []string{store.URL}, admin.URL
		_, err := agent.Do(t.Context(), agent.Job{Do: agent.Remove, Dir: dir, Store: &s}, time.Now(), nil)
		if err != nil || refused.Load() < 2 || looked.Load() != 3 {
			t.Errorf("%v after %d requests and %d looks", err, refused.Load(), looked.Load())
		}
		gone(t, l)
	})
	t.Run("longer than it may", func(t *testing.T) {
		dir := t.TempDir()
		s := made(t, l, dir)
		store := s3proxy.New(t, l.Endpoints()[0], false)
		// Its time is up once the store has been asked to remove what it listed.
		ctx, over := context.WithCancelCause(t.Context())
		slowly(store, func() { over(assay.ErrTimeout) }, func(*http.Request) bool { return false })
		s.Endpoints = []string{store.URL}
		r, err := agent.Do(ctx, agent.Job{Do: agent.Remove, Dir: dir, Store: &s}, time.Now(), nil)
		if !errors.Is(err, assay.ErrTimeout) || r.Removed != 2 {
			t.Errorf("%v; %d objects were removed", err, r.Removed)
		}
		removed(t, l, s)
		gone(t, l)
	})
	t.Run("never agrees", func(t *testing.T) {
		pass := agent.Settling(t, settles)
		dir := t.TempDir()
		s := made(t, l, dir)
		store := s3proxy.New(t, l.Endpoints()[0], false)
		slowly(store, func() {}, func(r *http.Request) bool {
			refused := r.Method == http.MethodDelete && isBucket(r, s)
			if refused {
				pass(settles / 2)
			}
			return refused
		})
		own := s
		own.Endpoints, own.Garage = []string{store.URL}, nil
		_, err := agent.Do(t.Context(), agent.Job{Do: agent.Remove, Dir: dir, Store: &own}, time.Now(), nil)
		if err == nil || !strings.Contains(err.Error(), "BucketNotEmpty") {
			t.Errorf("%v", err)
		}
	})
}

// isBucket reports whether a request is about a bucket itself.
func isBucket(r *http.Request, s agent.Store) bool { return strings.Trim(r.URL.Path, "/") == s.Bucket }

// gone checks that the bucket does not exist.
func gone(t *testing.T, l *garage.Lab) {
	t.Helper()
	if left, err := l.Buckets(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// removed removes what is left.
func removed(t *testing.T, l *garage.Lab, s agent.Store) {
	t.Helper()
	address, _ := l.Admin()
	s.Endpoints, s.Garage.Address = l.Endpoints(), address
	if _, err := agent.Do(t.Context(), agent.Job{Do: agent.Remove, Dir: t.TempDir(), Store: &s}, time.Now(), nil); err != nil {
		t.Error(err)
	}
	if left, err := l.Keys(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}
