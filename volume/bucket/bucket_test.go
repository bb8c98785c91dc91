package bucket_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/place/local"
	"assay/volume/bucket"
	"assay/volume/volumetest"
)

const (
	id       = "0123456789abcdef"
	tokenEnv = "ASSAY_TEST_GARAGE_TOKEN"
)

// subject returns a Garage bucket whose keys assay makes.
func subject(t *testing.T, l *garage.Lab, endpoints ...string) assay.Subject {
	t.Helper()
	address, token := l.Admin()
	t.Setenv(tokenEnv, token)
	if len(endpoints) == 0 {
		endpoints = l.Endpoints()
	}
	return assay.Subject{ID: "box/bucket/s3", Kind: assay.KindBucket, Host: "box", Name: "s3", Volume: bucket.Kind, Store: &assay.ObjectStore{
		Name: "s3", Endpoints: endpoints, Region: garage.Region, Garage: &assay.GarageAdmin{Address: address, Token: "env " + tokenEnv},
	}}
}

// own returns a bucket of a store whose keys the user has: a Garage key that
// may make buckets.
func own(t *testing.T, l *garage.Lab, name string) (assay.Subject, garage.Key) {
	t.Helper()
	k, err := l.NewKey(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	address, token := l.Admin()
	body := strings.NewReader(`{"allow":{"createBucket":true}}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/v2/UpdateKey?id="+k.ID, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(err, answer)
	}
	answer.Body.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", k.ID)
	t.Setenv("AWS_SECRET_ACCESS_KEY", k.Secret)
	s := subject(t, l, l.Endpoints()[0])
	s.Store.Garage, s.Store.Credentials = nil, "env"
	return s, k
}

// remains returns what a volume left: buckets and keys of the store, beyond
// those that existed before, and directories of this machine.
func remains(t *testing.T, l *garage.Lab, buckets, keys int) (left []string) {
	t.Helper()
	b, err := l.Buckets(t.Context())
	k, err2 := l.Keys(t.Context())
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if len(b) != buckets {
		left = append(left, "buckets "+strings.Join(b, " "))
	}
	if len(k) != keys {
		left = append(left, "keys "+strings.Join(k, " "))
	}
	return append(left, directories(t)...)
}

func directories(t *testing.T) (left []string) {
	t.Helper()
	home, _ := os.UserHomeDir()
	for _, parent := range []string{"/dev/shm", "/run", "/run/user/0", "/tmp", "/var/tmp", home} {
		if dir := filepath.Join(parent, ".assay-"+id); exists(dir) {
			left = append(left, dir)
		}
	}
	return left
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func reserve(t *testing.T, v *bucket.Volume, s assay.Subject) assay.Receipt {
	t.Helper()
	r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOnGarage(t *testing.T) {
	l := garagetest.Up(t, garage.Standard)
	v := bucket.New(nil)
	at := local.New("box", "")
	t.Run("conformance", func(t *testing.T) {
		volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
			t.Chdir(t.TempDir()) // the suite writes to a file named like the bucket
			return volumetest.Fixture{Volume: v, Place: at, Subject: subject(t, l),
				Present: func(t *testing.T, _ assay.Receipt) bool { return len(remains(t, l, 0, 0)) > 0 }}
		})
	})
	t.Run("the user's own keys", func(t *testing.T) { withOwnKeys(t, l, v, at) })
	t.Run("secrets are nowhere", func(t *testing.T) { secretsAreNowhere(t, l, v, at) })
	t.Run("released by another process", func(t *testing.T) { releasedByAnother(t, l, at) })
	t.Run("somebody else's bucket", func(t *testing.T) { somebodyElses(t, l, v, at) })
	t.Run("a host that is gone", func(t *testing.T) { hostGone(t, l, v, at) })
	t.Run("a pod that is gone", func(t *testing.T) { podGone(t, l, v, at) })
	t.Run("keys that are wrong", func(t *testing.T) { wrongKeys(t, l, v, at) })
	t.Run("somebody else's directory", func(t *testing.T) { foreign(t, l, v, at) })
	t.Run("longer than it may", func(t *testing.T) { longerThanItMay(t, l, v, at) })
	t.Run("not yet empty", func(t *testing.T) { notYetEmpty(t, l, v, at) })
	t.Run("not yet counted", func(t *testing.T) { notYetCounted(t, l, v, at) })
	t.Run("what is wrong is said", func(t *testing.T) { whatIsWrong(t, l, v, at) })
	t.Run("TLS", func(t *testing.T) { trusted(t, l, v, at) })
}

// withOwnKeys makes and removes a bucket with keys that assay did not make; it
// holds objects and an unfinished upload.
func withOwnKeys(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	s, k := own(t, l, "mine")
	r := reserve(t, v, s)
	lent, err := v.Lend(t.Context(), at, r)
	if err != nil {
		t.Fatal(err)
	}
	c := outside(t, l.Endpoints()[0], k)
	for _, key := range []string{"a", "b/c", "data-x/1"} {
		if _, err := c.PutObject(t.Context(), lent.File, key, strings.NewReader("text"), 4, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	core := minio.Core{Client: c}
	if _, err := core.NewMultipartUpload(t.Context(), lent.File, "unfinished", minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := v.Release(t.Context(), at, r); err != nil {
			t.Fatal(err)
		}
	}
	if left := remains(t, l, 0, 1); left != nil {
		t.Errorf("left: %q", left)
	}
	// Without the keys, the copy kept next to the agent is enough.
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	if left := remains(t, l, 0, 1); left != nil {
		t.Errorf("left: %q", left)
	}
	if err := v.Release(t.Context(), at, r); err == nil {
		t.Error("a bucket is said to be gone, and nobody could look")
	}
	if err := l.DeleteKey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

// outside is another client of the store.
func outside(t *testing.T, endpoint string, k garage.Key) *minio.Client {
	t.Helper()
	c, err := minio.New(strings.TrimPrefix(endpoint, "http://"), &minio.Options{Creds: credentials.NewStaticV4(k.ID, k.Secret, ""), Region: garage.Region})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told is a place that records commands and their output, but not stdin.
type told struct {
	assay.Place
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *told) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := p.Place.Run(ctx, c)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.WriteString(strings.Join(c.Argv, " ") + strings.Join(c.Env, " ") + string(out.Stdout) + string(out.Stderr))
	return out, err
}

func secretsAreNowhere(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	s := subject(t, l)
	_, token := l.Admin()
	heard := &told{Place: at}
	r := reserve(t, v, s)
	lent, err := v.Lend(t.Context(), heard, r)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(lent.Dir, "store.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	dir, err := os.Stat(lent.Dir)
	if err != nil || dir.Mode().Perm() != 0o700 {
		t.Error(dir, err)
	}
	var kept struct {
		Keys struct{ Access, Secret string }
	}
	text, _ := os.ReadFile(file)
	if json.Unmarshal(text, &kept) != nil || len(kept.Keys.Secret) < 32 {
		t.Fatalf("%d bytes of %s hold no key", len(text), file)
	}
	if bytes.Contains(text, []byte(token)) {
		t.Error("the admin token is kept on the host")
	}
	if err := v.Release(t.Context(), heard, r); err != nil {
		t.Fatal(err)
	}
	receipt, _ := json.Marshal(r)
	for name, secret := range map[string]string{"token": token, "key": kept.Keys.Access, "secret key": kept.Keys.Secret} {
		if strings.Contains(heard.text.String(), secret) || bytes.Contains(receipt, []byte(secret)) {
			t.Errorf("the %s is in an argument, an environment, an answer or the receipt", name)
		}
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}

// releasedByAnother: only the receipt of what a killed assay lent is left, maybe
// not even the directory.
func releasedByAnother(t *testing.T, l *garage.Lab, at assay.Place) {
	for _, rebooted := range []bool{false, true} {
		r := reserve(t, bucket.New(nil), subject(t, l))
		lent, err := bucket.New(nil).Lend(t.Context(), at, r)
		if err != nil {
			t.Fatal(err)
		}
		if rebooted {
			if err := os.RemoveAll(lent.Dir); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(r)
		var again assay.Receipt
		if err = errors.Join(err, json.Unmarshal(text, &again)); err != nil {
			t.Fatal(err)
		}
		if err := bucket.New(nil).Release(t.Context(), at, again); err != nil {
			t.Error(err)
		}
		if left := remains(t, l, 0, 0); left != nil {
			t.Errorf("left (rebooted: %t): %q", rebooted, left)
		}
	}
}

// somebodyElses: a non-empty bucket that happens to have the name is neither
// lent nor removed.
func somebodyElses(t *testing.T, l *garage.Lab, v *bucket.Volume, at assay.Place) {
	k, err := l.NewKey(t.Context(), "theirs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.NewBucket(t.Context(), "assay-"+id, k); err != nil {
		t.Fatal(err)
	}
	c := outside(t, l.Endpoints()[0], k)
	if _, err := c.PutObject(t.Context(), "assay-"+id, "precious", strings.NewReader("x"), 1, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", k.ID)
	t.Setenv("AWS_SECRET_ACCESS_KEY", k.Secret)
	theirs := subject(t, l, l.Endpoints()[0])
	theirs.Store.Garage, theirs.Store.Credentials = nil, "env"
	for name, s := range map[string]assay.Subject{"garage": subject(t, l), "own keys": theirs} {
		r := reserve(t, v, s)
		if _, err := v.Lend(t.Context(), at, r); !errors.Is(err, assay.ErrBusy) && (err == nil || !strings.Contains(err.Error(), assay.ErrBusy.Error())) {
			t.Errorf("%s: lent: %v", name, err)
		}
		if err := v.Release(t.Context(), at, r); err == nil || !strings.Contains(err.Error(), "not empty") || assay.Hint(err) == "" {
			t.Errorf("%s: released: %v", name, err)
		}
		if _, err := c.StatObject(t.Context(), "assay-"+id, "precious", minio.StatObjectOptions{}); err != nil {
			t.Fatalf("%s: it is gone: %v", name, err)
		}
	}
	if err := c.RemoveObject(t.Context(), "assay-"+id, "precious", minio.RemoveObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	// Nodes of a busy store may still list an object for a while after its
	// removal.
	for listed := true; listed; {
		listed = false
		for o := range c.ListObjects(t.Context(), "assay-"+id, minio.ListObjectsOptions{}) {
			if o.Err != nil {
				t.Fatal(o.Err)
			}
			listed = true
		}
	}
	if err := v.Release(t.Context(), at, reserve(t, v, subject(t, l))); err != nil {
		t.Error(err)
	}
	if err := l.DeleteKey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	if left := remains(t, l, 0, 0); left != nil {
		t.Errorf("left: %q", left)
	}
}

func TestReserve(t *testing.T) {
	store := &assay.ObjectStore{Name: "s3", Endpoints: []string{"http://s3:3900"}, Credentials: "profile lab"}
	v := bucket.New(nil)
	r, err := v.Reserve(context.Background(), nil, assay.Subject{ID: "x", Host: "box", Store: store}, assay.Request{ID: id, Bytes: 1})
	if err != nil || r.Names["bucket"] != "assay-"+id || !strings.Contains(r.Names["store"], "profile lab") {
		t.Error(r, err)
	}
	for _, s := range []assay.Subject{{}, {Store: &assay.ObjectStore{}}} {
		if _, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: id, Bytes: 1}); err == nil {
			t.Errorf("reserved on %+v", s)
		}
	}
}
