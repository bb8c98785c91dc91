package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// What --install prints for Kubernetes is what its API takes, to the last field.
func TestWatchInstallsInKubernetes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	const cluster = "hosts:\n  pve1:\n    address: 10.0.0.1\n"
	if err := os.WriteFile(file, []byte(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	got := assayed(context.Background(), filepath.Join(t.TempDir(), "db"), "watch", "-i", file, "--every", "2h", "--keep", "90d", "--install", "kubernetes", "--image", "registry.lan/assay:1")
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
	if job.Spec.Schedule != "17 */2 * * *" || len(c) != 1 || c[0].Image != "registry.lan/assay:1" || strings.Join(c[0].Args, " ") != "watch --rounds 1 -i /etc/assay/cluster.yaml --db /var/lib/assay/assay.db --keep 90d" {
		t.Errorf("%+v", job.Spec)
	}
	if got := assayed(context.Background(), "x", "watch", "-i", file, "--every", "7h", "--install", "kubernetes", "--image", "x"); got.status != exitUsage {
		t.Errorf("a CronJob every 7 h: status %d", got.status)
	}
}

// systemd itself has nothing to say against the unit.
func TestWatchInstallsInSystemd(t *testing.T) {
	t.Parallel()
	got := assayed(context.Background(), "x", "watch", "--dir", "/srv/my data", "--every", "1h", "--keep", "52w", "--install", "systemd")
	if got.status != exitFine || !strings.Contains(got.stdout, ` watch --db %S/assay/assay.db --dir "/srv/my data" --every 1h --keep 52w`+"\n") {
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
