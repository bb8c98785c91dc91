package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"assay"
)

// A receiver that refuses pushes is reported once, and once more when it
// accepts them again.
func TestAFailedPushIsToldOnce(t *testing.T) {
	t.Parallel()
	var pushes atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n := pushes.Add(1); n > 1 && n < 5 {
			http.Error(w, "out of order\x1b[31m", http.StatusBadRequest)
		}
	}))
	defer server.Close()
	var said []string
	p, err := newPusher(server.URL, "", &page{}, func(format string, args ...any) error {
		said = append(said, fmt.Sprintf(format, args...))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		p.push(t.Context())
	}
	if pushes.Load() != 6 || len(said) != 2 || !strings.HasPrefix(said[0], "warning: push to "+server.URL+"/api/v1/write: ") || !strings.Contains(said[0], "400 Bad Request: out of order") ||
		said[1] != "note: pushes to "+server.URL+"/api/v1/write succeed again; 3 failed\n" {
		t.Errorf("%d pushes; said %q", pushes.Load(), said)
	}
}

// Between rounds the latest figures are pushed again, until the watch ends.
func TestPushesGoOnBetweenRounds(t *testing.T) {
	t.Parallel()
	pushed := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { pushed <- struct{}{} }))
	defer server.Close()
	p, err := newPusher(server.URL, "", &page{}, func(string, ...any) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	stop := p.begin(t.Context(), 1)
	for range 3 {
		<-pushed
	}
	stop()
}

// A token comes from a file or the environment, and never from the arguments.
func TestTokensOfPushes(t *testing.T) {
	t.Setenv("ASSAY_TEST_TOKEN", " s3cret\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "my token")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+"s", []byte("s3cret\ns3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{"": "", "env ASSAY_TEST_TOKEN": "s3cret", "file " + file: "s3cret"} {
		read, err := tokenOf(source)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(); got != want || err != nil {
			t.Errorf("%q: %q, %v", source, got, err)
		}
	}
	for _, source := range []string{"s3cret", "env s3cret=1", "env ", "bearer s3cret", "env ASSAY_TEST_NONE", "file " + file + "s", "file " + dir + "/none"} {
		read, err := tokenOf(source)
		if err == nil {
			_, err = read()
		}
		if err == nil || strings.Contains(fmt.Sprint(err, assay.Hint(err)), "s3cret") {
			t.Errorf("%q: %v", source, err)
		}
	}
}

func TestPushFlags(t *testing.T) {
	t.Parallel()
	do := func(args ...string) (status int, out string) {
		var stdout, stderr bytes.Buffer
		status = execute(t.Context(), append([]string{"watch", "--dir", t.TempDir()}, args...), newApp(nil, &stdout, &stderr))
		return status, stdout.String() + stderr.String()
	}
	for _, args := range [][]string{{"--push", "http://u:s3cret@prometheus"}, {"--push", "http://prometheus", "--push-token", "s3cret"}, {"--push-token", "env s3cret"}} {
		if status, out := do(args...); status != exitUsage || strings.Contains(out, "s3cret") {
			t.Errorf("%q: status %d\n%s", args, status, out)
		}
	}
	status, out := do("--push", "http://prometheus:9090", "--push-token", "file /etc/assay/token", "--install", "systemd")
	if want := ` --push http://prometheus:9090 --push-token "file /etc/assay/token"` + "\n"; status != 0 || !strings.Contains(out, want) {
		t.Errorf("status %d, lacks %s in\n%s", status, want, out)
	}
}
