package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"assay"
	"assay/report/exposition"
)

// The served metrics pass promtool, at one path only.
func TestWatchServesMetrics(t *testing.T) {
	t.Parallel()
	p := &page{every: time.Hour}
	p.set(assay.Run{ID: "r1", Suite: "watch", Started: time.Now()}, found{all: []exposition.Change{{Host: "a", Metric: "net.rtt.median", Verdict: "worse", At: time.Now()}}})
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

// A round that fails is in the file for node_exporter: it would go on serving the last
// figures as if they were current.
func TestWatchExportsThatARoundFailed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := &watcher{app: newApp(nil, io.Discard, io.Discard), textfile: filepath.Join(dir, "assay.prom")}
	w.at.Directories = []string{filepath.Join(dir, "missing")}
	w.page.set(assay.Run{ID: "r1", Suite: "watch", Started: time.Now()}, found{})
	if err := w.round(context.Background()); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Fatalf("says %v", err)
	}
	text, err := os.ReadFile(w.textfile)
	if err != nil || !strings.Contains(string(text), "\nassay_watch_failed_rounds 1\n") {
		t.Errorf("%v, want a failed round:\n%s", err, text)
	}
}

// Kubernetes' API accepts what --install prints, down to the last field.
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
	if job.Spec.Schedule != "17 */2 * * *" || len(c) != 1 || c[0].Image != "registry.lan/assay:1" || strings.Join(c[0].Args, " ") != "watch --rounds 1 -i /etc/assay/cluster.yaml --db /var/lib/assay/assay.db --keep 90d --every 2h" {
		t.Errorf("%+v", job.Spec)
	}
	got = assayed(context.Background(), "x", "watch", "-i", file, "--install", "kubernetes", "--image", "x")
	if !strings.Contains(got.stdout, `schedule: "17 * * * *"`) || !strings.Contains(got.stdout, `"--every", "1h"`) || !strings.Contains(got.stderr, "note: this CronJob runs hourly") {
		t.Errorf("a CronJob without an interval:\n%s%s", got.stdout, got.stderr)
	}
	if got := assayed(context.Background(), "x", "watch", "-i", file, "--every", "7h", "--install", "kubernetes", "--image", "x"); got.status != exitUsage {
		t.Errorf("a CronJob every 7 h: status %d", got.status)
	}
}

// A watch that is scraped or pushes is a Deployment, with a Service if scraped.
func TestWatchInstallsADeployment(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte("hosts:\n  pve1:\n    address: 10.0.0.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	words := []string{"watch", "-i", file, "--every", "7h", "--install", "kubernetes", "--image", "registry.lan/assay:1"}
	for _, c := range []struct {
		more    []string
		args    string // behind the database
		service bool
		secret  bool
	}{
		{[]string{"--listen", "127.0.0.1:9798"}, "--every 7h --listen :9798", true, false},
		{[]string{"--push", "https://prometheus.lan", "--push-token", "env TOKEN"}, "--every 7h --push https://prometheus.lan --push-token file /etc/assay-push/token", false, true},
	} {
		got := assayed(context.Background(), "x", append(slices.Clone(words), c.more...)...)
		parts := strings.Split(got.stdout, "\n---\n")
		if want := map[bool]int{false: 3, true: 4}[c.service]; got.status != exitFine || len(parts) != want {
			t.Fatalf("%q: status %d, %d documents\n%s%s", c.more, got.status, len(parts), got.stdout, got.stderr)
		}
		var d appsv1.Deployment
		if err := yaml.UnmarshalStrict([]byte(parts[2]), &d); err != nil {
			t.Fatalf("%v\n%s", err, parts[2])
		}
		pod := d.Spec.Template
		if args := strings.Join(pod.Spec.Containers[0].Args, " "); args != "watch -i /etc/assay/cluster.yaml --db /var/lib/assay/assay.db "+c.args {
			t.Errorf("%q: %s", c.more, args)
		}
		if *d.Spec.Replicas != 1 || d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType || pod.Labels["app"] != d.Spec.Selector.MatchLabels["app"] {
			t.Errorf("%+v", d.Spec)
		}
		mounted := map[string]bool{}
		for _, v := range pod.Spec.Volumes {
			mounted[v.Name] = true
		}
		for _, m := range pod.Spec.Containers[0].VolumeMounts {
			if !mounted[m.Name] {
				t.Errorf("volume %s is not there", m.Name)
			}
		}
		if mounted["push"] != c.secret {
			t.Errorf("%q: volumes %v", c.more, mounted)
		}
		if c.service {
			var s corev1.Service
			if err := yaml.UnmarshalStrict([]byte(parts[3]), &s); err != nil || s.Spec.Ports[0].Port != 9798 || s.Spec.Selector["app"] != pod.Labels["app"] {
				t.Errorf("%v\n%s", err, parts[3])
			}
		}
	}
	for _, more := range [][]string{{"--textfile", "x.prom"}, {"--listen", "9798"}} {
		if got := assayed(context.Background(), "x", append(slices.Clone(words), more...)...); got.status != exitUsage {
			t.Errorf("%q: status %d\n%s", more, got.status, got.stderr)
		}
	}
}

// systemd itself accepts the unit.
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
