package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"assay"
	"assay/report/exposition"
)

// What is served is what promtool has nothing to say against, at one path alone.
func TestWatchServesMetrics(t *testing.T) {
	t.Parallel()
	p := &page{every: time.Hour}
	p.set(assay.Run{ID: "r1", Suite: "watch", Started: time.Now()}, []exposition.Change{{Host: "a", Metric: "net.rtt.median", Verdict: "worse", At: time.Now()}})
	address, stop, err := p.serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	get := func(path string) (int, string, string) {
		answer, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header.Get("Content-Type"), string(text)
	}
	code, kind, text := get("/metrics")
	if code != 200 || kind != exposition.ContentType || !strings.Contains(text, "\nassay_watch_interval_seconds 3600\n") ||
		!strings.Contains(text, `assay_change_time_seconds{host="a",metric="net.rtt.median",verdict="worse"} `) {
		t.Errorf("%d %s\n%s", code, kind, text)
	}
	if code, _, _ := get("/"); code != 404 {
		t.Errorf("/ answers %d", code)
	}
	if _, err := exec.LookPath("promtool"); err == nil {
		check := exec.Command("promtool", "check", "metrics")
		check.Stdin = strings.NewReader(text)
		if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("promtool: %v\n%s", err, out)
		}
	}
}

// What is asked in another way gets the status that HTTP has for it.
func TestWatchSpeaksHTTP(t *testing.T) {
	t.Parallel()
	p := &page{every: time.Hour}
	address, stop, err := p.serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for request, want := range map[string]string{
		"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n":                        "HTTP/1.1 200 OK",
		"GET /metrics?x=1 HTTP/1.0\r\n\r\n":                               "HTTP/1.1 200 OK",
		"GET http://a/metrics HTTP/1.1\r\nHost: a\r\n\r\n":                "HTTP/1.1 200 OK",
		"GET /metrics HTTP/1.1\r\n\r\n":                                   "HTTP/1.1 400 Bad Request", // without a host
		"POST /metrics HTTP/1.1\r\nHost: a\r\n\r\n":                       "HTTP/1.1 405 Method Not Allowed",
		"HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n":                       "HTTP/1.1 200 OK",
		"\x16\x03\x01\r\n\r\n":                                            "HTTP/1.1 400 Bad Request", // TLS
		"GET /metrics HTTP/1.1\r\nX: " + strings.Repeat("x", requestHead): "HTTP/1.1 400 Bad Request",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, request)
		text, err := io.ReadAll(conn)
		conn.Close()
		head, body, whole := strings.Cut(string(text), "\r\n\r\n")
		if status, _, _ := strings.Cut(head, "\r\n"); status != want || !whole {
			t.Errorf("%.60q: %v\n%s\nwant %s", request, err, text, want)
		}
		if !strings.Contains(head, "\r\nDate: ") || !strings.Contains(head, "\r\nConnection: close") {
			t.Errorf("%.60q: incomplete head\n%s", request, head)
		}
		if strings.Contains(want, "405") != strings.Contains(head, "\r\nAllow: GET, HEAD") {
			t.Errorf("%.60q: %s", request, head)
		}
		if is := strings.HasPrefix(request, "HEAD"); is && (body != "" || strings.Contains(head, "Content-Length: 0")) {
			t.Errorf("HEAD is answered with\n%s", text)
		}
	}
}

// Connections that ask nothing don't make it accept more than the slots there are.
func TestWatchAnswersSoManyAtOnce(t *testing.T) {
	t.Parallel()
	l := &counted{accepted: make(chan net.Conn, 10*answersAtOnce), closed: make(chan struct{})}
	defer l.Close()
	for range 2 * answersAtOnce {
		ours, theirs := net.Pipe()
		defer ours.Close()
		l.accepted <- theirs
	}
	go (&page{}).accept(l)
	for l.calls.Load() < answersAtOnce {
		runtime.Gosched()
	}
	for range 1000 {
		runtime.Gosched()
	}
	if n := l.calls.Load(); n != answersAtOnce {
		t.Errorf("%d connections were accepted at once", n)
	}
}

// counted is a listener that counts what is asked of it.
type counted struct {
	accepted chan net.Conn
	closed   chan struct{}
	calls    atomic.Int64
}

func (c *counted) Accept() (net.Conn, error) {
	c.calls.Add(1)
	select {
	case conn := <-c.accepted:
		return conn, nil
	case <-c.closed:
		return nil, net.ErrClosed
	}
}

func (c *counted) Close() error   { close(c.closed); return nil }
func (c *counted) Addr() net.Addr { return &net.TCPAddr{} }

// What --install prints for Kubernetes is what its API takes, to the last field.
func TestWatchInstallsInKubernetes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	const cluster = "hosts:\n  pve1:\n    address: 10.0.0.1\n"
	if err := os.WriteFile(file, []byte(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	got := assayed(context.Background(), filepath.Join(t.TempDir(), "db"), "watch", "-i", file, "--every", "2h", "--install", "kubernetes", "--image", "registry.lan/assay:1")
	parts := strings.Split(got.stdout, "\n---\n")
	if got.status != exitFine || len(parts) != 3 {
		t.Fatalf("status %d, %d documents\n%s%s", got.status, len(parts), got.stdout, got.stderr)
	}
	var config corev1.ConfigMap
	var claim corev1.PersistentVolumeClaim
	var job batchv1.CronJob
	for i, into := range []any{&config, &claim, &job} {
		if err := yaml.UnmarshalStrict([]byte(parts[i]), into); err != nil {
			t.Errorf("%v\n%s", err, parts[i])
		}
	}
	if strings.TrimSpace(config.Data["cluster.yaml"]) != strings.TrimSpace(cluster) {
		t.Errorf("cluster.yaml became %q", config.Data["cluster.yaml"])
	}
	c := job.Spec.JobTemplate.Spec.Template.Spec.Containers
	if job.Spec.Schedule != "17 */2 * * *" || len(c) != 1 || c[0].Image != "registry.lan/assay:1" || strings.Join(c[0].Args, " ") != "watch --rounds 1 -i /etc/assay/cluster.yaml --db /var/lib/assay/assay.db" {
		t.Errorf("%+v", job.Spec)
	}
	if got := assayed(context.Background(), "x", "watch", "-i", file, "--every", "7h", "--install", "kubernetes", "--image", "x"); got.status != exitUsage {
		t.Errorf("a CronJob every 7 h: status %d", got.status)
	}
}

// systemd itself has nothing to say against the unit.
func TestWatchInstallsInSystemd(t *testing.T) {
	t.Parallel()
	got := assayed(context.Background(), "x", "watch", "--dir", "/srv/my data", "--every", "1h", "--install", "systemd")
	if got.status != exitFine || !strings.Contains(got.stdout, ` watch --db %S/assay/assay.db --dir "/srv/my data" --every 1h0m0s`+"\n") {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze here")
	}
	unit := filepath.Join(t.TempDir(), "assay-watch.service")
	if err := os.WriteFile(unit, []byte(got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("systemd-analyze", "verify", unit).CombinedOutput(); err != nil && strings.Contains(string(out), "assay-watch.service") {
		t.Errorf("%v\n%s", err, out)
	}
}
