package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/patient"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
)

// TestMain lets the test binary be the one that is measured.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "agent" {
		if !agent.Serve(context.Background(), os.Stdin, os.Stdout, "bench") {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(patient.Run(m, 4))
}

// TestS3ToolsDoWhatTheyAreTimedFor has each tool put and get on a real Garage,
// and counts its requests in a proxy in front of it.
func TestS3ToolsDoWhatTheyAreTimedFor(t *testing.T) {
	garagetest.Take(t)
	w := peers(t)
	dir := t.TempDir()
	put, get := s3Cell{loadgen.Put, 1 << 10, 4}, s3Cell{loadgen.Get, 1 << 10, 4}
	table := newS3Table(1, []string{"assay", "boto3", "rclone"}, []int64{1 << 10}, []int{4})
	if err := writeS3Files(dir, []*s3Table{table}); err != nil {
		t.Fatal(err)
	}
	var seen counter
	err := onGarage(t.Context(), dir, 1, func(s s3Store) error {
		front := seen.before(t, s.endpoint)
		defer front.Close()
		s.endpoint = front.URL
		tools, err := s3Tools(t.Context(), w, dir, s)
		if err != nil {
			return err
		}
		return table.round(t.Context(), tools, true)
	})
	if err != nil {
		t.Fatal(err)
	}
	// assay also tests the bucket by itself.
	for _, tool := range []struct {
		name, path string
		more       int64
	}{{"assay", "/" + ownBucket + "/", 8}, {"boto3", "/" + peersBucket + "/boto3/", 0}, {"rclone", "/" + peersBucket + "/rclone/", 0}} {
		for _, c := range []s3Cell{put, get} {
			all := table.done[c][tool.name]
			if len(all) != 1 || all[0].ops < 20 || all[0].wall <= 0 || all[0].cpu <= 0 {
				t.Fatalf("%s: %s: %+v", tool.name, c, all)
			}
			said := all[0].ops
			if c == put {
				said += int64(files(put.size)) // plus the objects laid out
			}
			if came := seen.of(string(c.op) + " " + tool.path); came < said || came > said+tool.more {
				t.Errorf("%s: %s: %d operations came, and %d were said", tool.name, c, came, said)
			}
		}
		if n := seen.of("HEAD " + tool.path); n > 0 {
			t.Errorf("%s: %d HEADs", tool.name, n)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "round-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// counter counts successful requests.
type counter struct {
	mu  sync.Mutex
	all map[string]int64 // by method and path
}

// before puts a proxy in front of a store.
func (c *counter) before(t *testing.T, endpoint string) *httptest.Server {
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	c.all = map[string]int64{}
	return httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { // keep what is signed
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = to.Scheme, to.Host, r.In.Host
		},
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode/100 == 2 {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.all[r.Request.Method+" "+r.Request.URL.Path]++
			}
			return nil
		},
	})
}

func (c *counter) of(prefix string) (n int64) {
	for what, times := range c.all {
		if strings.HasPrefix(what, prefix) && what != prefix {
			n += times
		}
	}
	return n
}

// peers returns the tools that make bench installs; the measured binary is this
// one.
func peers(t *testing.T) wish {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := wish{binary: own, boto3: "../../bin/boto3/bin/python", rclone: "../../bin/rclone-v1.76.0"}
	for _, file := range []*string{&w.boto3, &w.rclone} {
		if *file, err = filepath.Abs(*file); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(*file); err != nil {
			t.Skipf("%v (make bench installs it)", err)
		}
	}
	return w
}

// TestS3ToolsFail has a store that refuses everything: there are no figures, and
// no secret leaks.
func TestS3ToolsFail(t *testing.T) {
	w := peers(t)
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer store.Close()
	const secret = "5ecre7of7hebench"
	s := s3Store{endpoint: store.URL, admin: store.URL, token: secret, key: garage.Key{ID: "GK0123", Secret: secret}, dir: t.TempDir()}
	if err := writeS3Size(s3Files(s.dir, 1<<20), 1<<20); err != nil {
		t.Fatal(err)
	}
	_, own := newS3Assay(t.Context(), w.binary, s)
	boto3, err := newS3Boto3(w.boto3, s)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"assay": own, "boto3": boto3.layOut(t.Context(), 1<<20), "rclone": s3Rclone{w.rclone, s, s.dir}.layOut(t.Context(), 1<<20),
	} {
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestS3Tables(t *testing.T) {
	seen := map[s3Cell]int{}
	for _, table := range s3Tables([]string{"assay"}, false) {
		for _, c := range table.cells {
			seen[c] += table.nodes
			if files(c.size) < 20 || c.op == loadgen.Put && c.most() < 19 {
				t.Errorf("%s: %d files, %d operations", c, files(c.size), c.most())
			}
		}
	}
	if seen[s3Cell{loadgen.Put, 1 << 10, 16}] != 4 || seen[s3Cell{loadgen.Get, 10 << 20, 1}] != 1 || seen[s3Cell{loadgen.Get, 10 << 20, 64}] != 0 || len(seen) != 22 {
		t.Error(seen)
	}
}

func TestS3Markdown(t *testing.T) {
	table := newS3Table(1, []string{"assay", "boto3"}, []int64{1 << 10}, []int{16})
	for c := range table.done {
		for n := range s3Rounds {
			table.done[c]["assay"] = append(table.done[c]["assay"], s3Done{ops: int64(7000 + n), wall: 2, cpu: 1})
			table.done[c]["boto3"] = append(table.done[c]["boto3"], s3Done{ops: 700, wall: 2, cpu: 1})
		}
	}
	got := s3Markdown([]*s3Table{table}, s3Conditions{s3Rounds, 90 * time.Second, "memory"})
	for _, want := range []string{
		"6 rounds", "in memory, 2 minutes in all",
		"| PUT 1 KiB, 16 at once | 7,000 | 700 | 10 [10, 10] | ok |\n", // per CPU-second
		"| PUT 1 KiB, 16 at once | 3,500 | 350 | 10 [10, 10] |\n",      // a second
		"| PUT 1 KiB, 16 at once | 593 | 4,670 (3,292 obj/s) | 7,000 | 1.499 [1.499, 1.500] | ok |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "rclone") {
		t.Errorf("a tool that is not there:\n%s", got)
	}
	for v, want := range map[float64]string{12345: "12,300", 999: "999", 1.234: "1.23"} {
		if got := rounded(v); got != want {
			t.Errorf("%v: %s", v, got)
		}
	}
}
