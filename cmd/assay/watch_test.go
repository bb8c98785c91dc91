package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/plan/canary"
	"assay/report/exposition"
	"assay/store"
)

// A link that has become slower for good is told as a change point, and nothing is told
// before; a round costs no more than was promised. Rounds are a second apart.
func TestWatchFindsADrift(t *testing.T) {
	if os.Getenv("ASSAY_QUICK_TESTS") != "" {
		t.Skip("takes minutes")
	}
	lab := hoststest.Up(t, alike("host1", "host2"))
	file := clusterFile(t, lab, "")
	db := filepath.Join(t.TempDir(), "watch.db")
	prom := filepath.Join(t.TempDir(), "assay.prom")
	rounds := func() string {
		t.Helper()
		got := assayed(t.Context(), db, "watch", "-i", file, "--network", hosts.Storage, "--every", "1s", "--rounds", "6", "--textfile", prom)
		if got.status != exitFine {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		return got.stdout
	}
	slow := regexp.MustCompile(`worse: TCP, one flow for a second, host2 → host1 on storage, net\.tcp\.throughput, -\S+ % .* since run`)
	before := rounds()
	if slow.MatchString(before) {
		t.Errorf("a change before there was one:\n%s", before)
	}
	nic, err := lab.Run(t.Context(), "host2", "sh", "-c", "ip -o -4 address show to "+lab.Address("host2", hosts.Storage)+" | awk '{ print $2 }'")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := lab.Run(t.Context(), "host2", "tc", "qdisc", "replace", "dev", strings.TrimSpace(nic), "root", "tbf", "rate", "50mbit", "burst", "64kb", "latency", "50ms"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := rounds()
	if n := len(slow.FindAllString(after, -1)); n != 1 {
		t.Errorf("the slower link is told %d times, want once:\n%s", n, after)
	}
	page, err := os.ReadFile(prom)
	if err != nil || !regexp.MustCompile(`(?m)^assay_change_time_seconds\{host="host2",case="iperf3/watch-tcp",.*metric="net\.tcp\.throughput",verdict="worse"\} \S+$`).Match(page) {
		t.Errorf("Prometheus is not told of it: %v\n%s", err, page)
	}
	keptToCost(t, db)
}

// keptToCost holds what the rounds in a database took against what they were to take.
func keptToCost(t *testing.T, db string) {
	t.Helper()
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := st.Runs(t.Context())
	if err != nil || len(all) != 12 {
		t.Fatalf("%d rounds, %v", len(all), err)
	}
	for _, one := range all {
		run, err := st.Load(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		written, files := map[string]float64{}, map[string]float64{}
		for _, r := range run.Results {
			id := r.Trial.Subject.ID
			if r.Scratch.Bytes > 0 {
				files[id] = float64(r.Scratch.Bytes)
			}
			for _, v := range r.Values("storage.write.bytes") {
				written[id] += v
			}
			if r.Trial.Length > time.Second || r.Trial.Warmup > 0 || len(r.Counted()) > 1 {
				t.Errorf("%s measures %d times %s, want once for a second", r.Trial.ID, len(r.Counted()), r.Trial.Length)
			}
		}
		for id, file := range files {
			if total := written[id] + file; total > 4<<20+210*4096 {
				t.Errorf("%s: %g B were written, want at most 5.01 MB", id, total)
			}
		}
		if len(files) == 0 {
			t.Error("no directory was watched")
		}
	}
	const promised = 4<<20 + 200*4096
	if y := (canary.Cost{Bytes: promised}).Yearly(time.Hour); y > canary.Written {
		t.Errorf("%g B a year", y)
	}
}

// What is served is what promtool has nothing to say against, at one path alone.
func TestWatchServesMetrics(t *testing.T) {
	t.Parallel()
	p := &page{every: time.Hour}
	p.set(assay.Run{ID: "r1", Suite: "watch", Started: time.Now()}, []exposition.Change{{Host: "a", Metric: "net.rtt.median", Verdict: "worse", At: time.Now()}})
	address := "127.0.0.1:39798"
	stop, err := p.serve(address)
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
