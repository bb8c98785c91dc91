package garage_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/lab/internal/processtest"
)

func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func client(t *testing.T, endpoint string, k garage.Key) *minio.Client {
	t.Helper()
	c, err := minio.New(strings.TrimPrefix(endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(k.ID, k.Secret, ""), Region: garage.Region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNodesAreOneStore writes through one node and reads through the others.
func TestNodesAreOneStore(t *testing.T) {
	l := garagetest.Up(t, garage.Standard)
	k := garagetest.Bucket(t, l, "shared")
	ctx := bounded(t)
	endpoints := l.Endpoints()
	want := bytes.Repeat([]byte("assay"), 1<<20)
	_, err := client(t, endpoints[0], k).PutObject(ctx, "shared", "one", bytes.NewReader(want), int64(len(want)), minio.PutObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range endpoints {
		o, err := client(t, e, k).GetObject(ctx, "shared", "one", minio.GetObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(o)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s gave %d bytes, %v", e, len(got), err)
		}
	}
	// With three copies one node may fail.
	if err := l.Stop(ctx, "node3"); err != nil {
		t.Fatal(err)
	}
	if l.Alive()["node3"] {
		t.Error("node3 runs")
	}
	if _, err := client(t, endpoints[1], k).StatObject(ctx, "shared", "one", minio.StatObjectOptions{}); err != nil {
		t.Errorf("two of three nodes: %v", err)
	}
	if err := l.Start(ctx); err != nil || !l.Alive()["node3"] {
		t.Errorf("node3 did not start: %v", err)
	}
}

func TestTheAdminAPIGivesAndTakes(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	ctx := bounded(t)
	k, err := l.NewKey(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	id, err := l.NewBucket(ctx, "bucket", k)
	if err != nil {
		t.Fatal(err)
	}
	list := func() (int, int) {
		keys, err := l.Keys(ctx)
		if err != nil {
			t.Fatal(err)
		}
		buckets, err := l.Buckets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(keys), len(buckets)
	}
	if keys, buckets := list(); keys != 1 || buckets != 1 {
		t.Errorf("%d keys, %d buckets", keys, buckets)
	}
	if err := l.DeleteBucket(ctx, id); err != nil {
		t.Error(err)
	}
	if err := l.DeleteKey(ctx, k); err != nil {
		t.Error(err)
	}
	if keys, buckets := list(); keys != 0 || buckets != 0 {
		t.Errorf("%d keys, %d buckets are left", keys, buckets)
	}
	address, token := l.Admin()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/v2/ListKeys", nil)
	if err != nil {
		t.Fatal(err)
	}
	for bearer, status := range map[string]int{token: http.StatusOK, token[1:]: http.StatusForbidden} {
		req.Header.Set("Authorization", "Bearer "+bearer)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("%s, want %d", resp.Status, status)
		}
	}
}

// TestNothingIsLeft checks that a removed lab leaves no processes or mounts in
// the kernel, and that no argument list shows its secrets while it is up.
func TestNothingIsLeft(t *testing.T) {
	var dir, token string
	t.Run("a test with a Garage", func(t *testing.T) {
		o := garage.Options{Nodes: 1, Replication: 1, DataBytes: 32 << 20}
		if garage.CannotBound() != nil {
			o.DataBytes = 0
		}
		l := garagetest.Up(t, o)
		dir = l.Dir
		_, token = l.Admin()
		if args := processtest.Arguments(t); !strings.Contains(args, dir) || strings.Contains(args, token) {
			t.Error("the processes are not seen, or their arguments hold the token")
		}
	})
	if dir == "" {
		t.Skip("there was no Garage")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
	if strings.Contains(processtest.Arguments(t), dir) {
		t.Error("a process is left")
	}
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil || strings.Contains(string(mounts), dir) {
		t.Errorf("a mount is left, or it cannot be seen: %v", err)
	}
}

// TestWhatAKilledProgramLeft checks that Down cleans up after another program
// that was killed.
func TestWhatAKilledProgramLeft(t *testing.T) {
	if dir := os.Getenv("GARAGE_TEST_DIR"); dir != "" {
		if _, err := garage.Up(context.Background(), dir, garage.Options{Nodes: 1, Replication: 1}); err != nil {
			t.Fatal(err)
		}
		os.Exit(7) // without taking it down
	}
	garagetest.Take(t)
	ctx := bounded(t)
	dir := filepath.Join(t.TempDir(), "garage")
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWhatAKilledProgramLeft$")
	c.Env = append(os.Environ(), "GARAGE_TEST_DIR="+dir)
	if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(processtest.Arguments(t), dir) {
		t.Error("the node did not outlive its program")
	}
	if err := garage.Down(ctx, dir); err != nil {
		t.Error(err)
	}
	if strings.Contains(processtest.Arguments(t), dir) {
		t.Error("a process is left")
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	if err := garage.Missing(); err != nil {
		t.Skip(err)
	}
	for _, o := range []garage.Options{{}, {Nodes: 10, Replication: 1}, {Nodes: 1, Replication: 2}, {Nodes: 1, Replication: 1, Host: "here"}} {
		if _, err := garage.Up(context.Background(), filepath.Join(t.TempDir(), "g"), o); err == nil {
			t.Errorf("took %+v", o)
		}
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.tex"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := garage.Up(context.Background(), full, garage.Standard); err == nil || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("took somebody's directory: %v", err)
	}
}
