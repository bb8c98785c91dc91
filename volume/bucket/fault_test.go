package bucket_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
	"assay/stacks/kube"
	"assay/stacks/s3/s3proxy"
	"assay/volume/bucket"
)

// gone is a place whose host does not answer.
type gone struct{ assay.Place }

func (gone) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, assay.ErrHostGone
}

// hostGone: bucket and key are removed anyway, but the directory is not
// reported as removed.
func hostGone(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	r := reserve(t, v, subject(t, l))
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(t.Context(), gone{at}, r); !errors.Is(err, assay.ErrHostGone) {
		t.Error(err)
	}
	if left := remains(t, l, 0, 0); len(left) != 1 || !strings.HasPrefix(left[0], "/") {
		t.Errorf("left: %q", left)
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}

// removed is a place whose pod no longer exists.
type removed struct{ assay.Place }

func (removed) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, &kube.Problem{Reason: kube.Removed, Text: "its pod no longer exists"}
}

// podGone: bucket and key are removed from here, and nothing else remains.
func podGone(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	r := reserve(t, v, subject(t, l))
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(t.Context(), removed{at}, r); err != nil {
		t.Error(err)
	}
	if left := remains(t, l, 0, 0); len(left) != 1 || !strings.HasPrefix(left[0], "/") {
		t.Errorf("left: %q, want the directory that a pod takes along", left)
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
}

// notYetEmpty: a store whose nodes do not agree at once is retried.
func notYetEmpty(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	s, k := own(t, l, "late")
	proxy := s3proxy.New(t, l.Endpoints()[0], false)
	s.Store.Endpoints = []string{proxy.URL}
	r := reserve(t, v, s)
	lent, err := v.Lend(t.Context(), at, r)
	if err != nil {
		t.Fatal(err)
	}
	var refused atomic.Int32
	proxy.Refuse(func(r *http.Request) bool {
		return r.Method == http.MethodDelete && strings.Trim(r.URL.Path, "/") == lent.File && refused.Add(1) < 3
	}, http.StatusConflict, "BucketNotEmpty", "Tried to delete a non-empty bucket")
	if err := v.Release(t.Context(), at, r); err != nil || refused.Load() != 3 {
		t.Errorf("%v after %d requests", err, refused.Load())
	}
	if left := remains(t, l, 0, 1); left != nil {
		t.Errorf("left: %q", left)
	}
	if err := l.DeleteKey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

// notYetCounted: so is Garage's admin API, and objects that show up meanwhile are
// removed.
func notYetCounted(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	s := subject(t, l)
	proxy := s3proxy.New(t, s.Store.Garage.Address, false)
	s.Store.Garage.Address = proxy.URL
	r := reserve(t, v, s)
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	var refused atomic.Int32
	late := func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/DeleteBucket") || refused.Add(1) > 2 {
			return false
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"code": "BucketNotEmpty", "message": "Tried to delete a non-empty bucket"}`)
		return true
	}
	proxy.Before.Store(&late)
	if err := v.Release(t.Context(), at, r); err != nil || refused.Load() != 3 {
		t.Errorf("%v after %d requests", err, refused.Load())
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}

func whatIsWrong(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	secure := s3proxy.New(t, l.Endpoints()[0], true)
	late := s3proxy.New(t, l.Endpoints()[0], false)
	old := func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Date", time.Now().Add(-48*time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	late.Before.Store(&old)
	refusing := s3proxy.New(t, l.Endpoints()[0], false)
	refusing.Refuse(func(*http.Request) bool { return true }, 503, "SlowDown", "Please reduce your request rate.")
	for name, c := range map[string]struct {
		change     func(*assay.Subject)
		says, hint string
	}{
		"off":          {func(s *assay.Subject) { s.Store.Endpoints = []string{"http://127.0.0.1:1"} }, "nothing is listening", "port"},
		"one off":      {func(s *assay.Subject) { s.Store.Endpoints[2] = "http://127.0.0.1:1" }, "http://127.0.0.1:1", "port"},
		"region":       {func(s *assay.Subject) { s.Store.Region = "mars-1" }, "wrong region", "region"},
		"TLS":          {func(s *assay.Subject) { s.Store.Endpoints = []string{secure.URL} }, "not trusted", "CA"},
		"clock":        {func(s *assay.Subject) { s.Store.Endpoints = []string{late.URL} }, "clock", "timedatectl"},
		"slow down":    {func(s *assay.Subject) { s.Store.Endpoints = []string{refusing.URL} }, "SlowDown", "rate"},
		"admin off":    {func(s *assay.Subject) { s.Store.Garage.Address = "http://127.0.0.1:1" }, "admin API", "address"},
		"admin token":  {func(*assay.Subject) { t.Setenv(tokenEnv, "wrong") }, "rejects the token", "garage.toml"},
		"no token":     {func(*assay.Subject) { t.Setenv(tokenEnv, "") }, tokenEnv, "export"},
		"not an admin": {func(s *assay.Subject) { s.Store.Garage.Address = l.Endpoints()[0] }, "admin API", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := subject(t, l)
			c.change(&s)
			r := reserve(t, v, s)
			_, err := v.Lend(t.Context(), at, r)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
				t.Errorf("%v (hint: %s)", err, assay.Hint(err))
			}
			_, token := l.Admin()
			t.Setenv(tokenEnv, token)
			if address, _ := l.Admin(); s.Store.Garage.Address != address {
				s.Store.Garage.Address = address
				r = reserve(t, v, s)
			}
			if err := v.Release(t.Context(), at, r); err != nil {
				t.Errorf("release: %v", err)
			}
			if left := remains(t, l, 0, 0); left != nil {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// trusted passes the CA of a store that is not trusted otherwise.
func trusted(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	secure := s3proxy.New(t, l.Endpoints()[0], true)
	s := subject(t, l, secure.URL)
	s.Store.CA = secure.CA()
	r := reserve(t, v, s)
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Error(err, assay.Hint(err))
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}
