package bucket_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"assay"
	"assay/lab/garage"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/s3proxy"
	"assay/volume/bucket"
)

// wrongKeys: a receipt that never made anything is released without the store, with
// a missing or a wrong secret, also if its agent arrived incomplete. A directory
// recreated to look for a bucket is not such a case.
func wrongKeys(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	theirs, k := own(t, l, "wrong")
	for name, c := range map[string]struct {
		subject assay.Subject
		secret  string // the wrong variable
		value   string
	}{
		"wrong keys":  {theirs, "AWS_SECRET_ACCESS_KEY", strings.Repeat("0", 64)},
		"no keys":     {theirs, "AWS_SECRET_ACCESS_KEY", ""},
		"wrong token": {subject(t, l), tokenEnv, "wrong"},
		"no token":    {subject(t, l), tokenEnv, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(c.secret, c.value)
			r := reserve(t, v, c.subject)
			if _, err := v.Lend(t.Context(), at, r); err == nil {
				t.Fatal("lent")
			}
			if len(directories(t)) != 1 {
				t.Fatalf("there is no directory: %q", directories(t))
			}
			if err := v.Release(t.Context(), at, r); err != nil {
				t.Errorf("release: %v", err)
			}
			if left := remains(t, l, 0, 1); left != nil {
				t.Errorf("left: %q", left)
			}
		})
	}
	t.Run("made again", func(t *testing.T) {
		r := reserve(t, v, theirs)
		lent, err := v.Lend(t.Context(), at, r)
		if err == nil {
			err = os.RemoveAll(lent.Dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		right := k.Secret
		t.Setenv("AWS_SECRET_ACCESS_KEY", strings.Repeat("0", 64))
		for range 2 {
			if err := v.Release(t.Context(), at, r); err == nil {
				t.Error("a bucket is said to be gone, and nobody could look")
			}
		}
		t.Setenv("AWS_SECRET_ACCESS_KEY", right)
		if err := v.Release(t.Context(), at, r); err != nil {
			t.Error(err)
		}
		if left := remains(t, l, 0, 1); left != nil {
			t.Errorf("left: %q", left)
		}
	})
	if err := l.DeleteKey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

// foreign: in a directory made by another user, no program is started and the mark
// is not trusted.
func foreign(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	if os.Getuid() != 0 {
		t.Skip("it takes root to make a directory for another user")
	}
	r := reserve(t, v, subject(t, l))
	lent, err := v.Lend(t.Context(), at, r)
	if err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	trap := "#!/bin/sh\ntouch " + ran + "\n"
	if err := errors.Join(os.WriteFile(filepath.Join(lent.Dir, "untouched"), nil, 0o600), os.WriteFile(filepath.Join(lent.Dir, "assay"), []byte(trap), 0o700),
		os.Chown(lent.Dir, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(t.Context(), at, r); err == nil {
		t.Error("released, and nobody looked for the bucket")
	}
	if exists(ran) {
		t.Error("another user's program was started")
	}
	if err := os.RemoveAll(lent.Dir); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}

// bounds is a place that records how long a removal may take.
type bounds struct {
	assay.Place
	bound time.Duration
}

func (p *bounds) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	var job agent.Job
	if json.Unmarshal(c.Stdin, &job) == nil && job.Do == agent.Remove {
		p.bound = job.Bound
	}
	return p.Place.Run(ctx, c)
}

// longerThanItMay: a removal that runs out of time is reported, with what it did,
// and the next one removes the rest.
func longerThanItMay(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	slow := s3proxy.New(t, l.Endpoints()[0], false)
	r := reserve(t, v, subject(t, l, slow.URL))
	lent, err := v.Lend(t.Context(), at, r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(lent.Dir, "store.json"))
	var kept agent.Store
	if err = errors.Join(err, json.Unmarshal(text, &kept)); err != nil {
		t.Fatal(err)
	}
	c := outside(t, l.Endpoints()[0], garage.Key{ID: kept.Keys.Access, Secret: kept.Keys.Secret})
	if _, err := c.PutObject(t.Context(), lent.File, "data/1", strings.NewReader("x"), 1, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	slow.Stall(time.Now(), time.Now().Add(time.Minute))
	soon, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := v.Release(soon, removed{at}, r); !errors.Is(err, assay.ErrTimeout) || !strings.Contains(err.Error(), lent.File) || !strings.Contains(assay.Hint(err), "assay cleanup") {
		t.Errorf("%v (hint: %s)", err, assay.Hint(err))
	}
	slow.MendAll()
	later, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	told := &bounds{Place: at}
	if err := v.Release(later, told, r); err != nil {
		t.Error(err)
	}
	if told.bound < 4*time.Minute || told.bound > 5*time.Minute-10*time.Second {
		t.Errorf("the agent is given %v of five minutes", told.bound)
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}
