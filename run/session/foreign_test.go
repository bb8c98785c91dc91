package session_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/plan/suite"
	"assay/run/session"
	"assay/store"
)

// foreignDatabase returns a database with crafted receipts, as somebody might pass
// on: each would run a command, or send the content of a file, if acted on. user is
// where its maker has the key of the journal.
func foreignDatabase(t *testing.T, user string) (st *store.Store, acted func() string) {
	t.Helper()
	own := os.Getenv("XDG_STATE_HOME")
	t.Setenv("XDG_STATE_HOME", user)
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	var asked atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	kubeconfig := filepath.Join(dir, "kubeconfig")
	write(t, kubeconfig, strings.NewReplacer("SERVER", server.URL, "RAN", ran).Replace(`apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "SERVER", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: ["RAN"], interactiveMode: Never}}}]
`))
	secret := filepath.Join(dir, "secret")
	write(t, secret, "a token of the user's")
	victim := filepath.Join(dir, ".assay-cccccccc")
	if err := os.Mkdir(victim, 0o755); err != nil {
		t.Fatal(err)
	}
	bucket, err := json.Marshal(assay.ObjectStore{Endpoints: []string{server.URL}, Garage: &assay.GarageAdmin{Address: server.URL, Token: "file " + secret}})
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	st = database(t)
	dead := store.Owner{PID: 4194304, Start: "1", Boot: "another boot", Run: "20260101-000000-abcdef"}
	receipts := []assay.Receipt{
		{ID: "aaaaaaaa", Volume: "namespace", Host: here, Subject: "kubernetes", Names: map[string]string{"namespace": "assay-aaaaaaaa", "kubeconfig": kubeconfig, "context": "c"}},
		{ID: "bbbbbbbb", Volume: "bucket", Host: here, Subject: "store", Names: map[string]string{"bucket": "assay-bbbbbbbb", "directory": ".assay-bbbbbbbb", "store": string(bucket)}},
		{ID: "cccccccc", Volume: "dir", Host: here, Subject: here + "/directory/" + dir, Names: map[string]string{"dir": victim}},
	}
	for _, r := range receipts {
		if r.Volume == "bucket" && user == own {
			continue // this program is not its agent
		}
		if err := st.Journal(t.Context(), r, dead); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_STATE_HOME", own)
	return st, func() string {
		var what []string
		if _, err := os.Stat(ran); err == nil {
			what = append(what, "a command was run")
		}
		if asked.Load() > 0 {
			what = append(what, "a server was asked")
		}
		if _, err := os.Stat(victim); err != nil {
			what = append(what, "a directory was removed")
		}
		return strings.Join(what, ", ")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAForeignJournalIsOnlyShown(t *testing.T) {
	// The user's own receipts are acted on: the test can fail.
	st, acted := foreignDatabase(t, os.Getenv("XDG_STATE_HOME"))
	cleaned, err := session.Cleanup(t.Context(), st, "", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if what := acted(); what != "a command was run, a directory was removed" {
		t.Fatalf("of the user's own receipts: %q; %+v", what, cleaned.Released)
	}
	st, acted = foreignDatabase(t, t.TempDir())
	done, err := session.Cleanup(t.Context(), st, "", func(string) {})
	if err != nil || len(done.Released) != 0 || len(done.Unproven) != 3 {
		t.Errorf("released %d, shown %d, %v", len(done.Released), len(done.Unproven), err)
	}
	if what := acted(); what != "" {
		t.Errorf("cleanup: %s", what)
	}
	dir := t.TempDir()
	measured, err := begin(t, quick(t, dir, new(told))).Run(t.Context(), st)
	if err != nil || measured.Status == assay.RunFailed {
		t.Errorf("a run beside it: %s, %v", measured.Status, err)
	}
	if what := acted(); what != "" {
		t.Errorf("a run: %s", what)
	}
	if n, err := session.Forget(t.Context(), st, "20260101-000000-abcdef"); n != 3 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if what := acted(); what != "" {
		t.Errorf("forgetting: %s", what)
	}
	if done, err = session.Cleanup(t.Context(), st, "", func(string) {}); err != nil || len(done.Unproven) != 0 {
		t.Errorf("still shown: %+v, %v", done.Unproven, err)
	}
}

// A database must not choose which cluster.yaml is used.
func TestAForeignClusterFileIsNotObeyed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	write(t, file, "hosts:\n  a: {address: 127.0.0.1}\n")
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	was := assay.Run{ID: "r", Suite: "quick", Status: assay.RunInterrupted, Inventory: assay.Inventory{File: file}}
	_, err := session.Resume(was, session.Options{})
	if err == nil || !strings.Contains(err.Error(), "which another user can change") || !strings.Contains(assay.Hint(err), "-i "+file) {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}

// Measuring again uses only what the user names now: a stored trial that names a
// server, and a file whose content is its token, may be forged.
func TestAStoredTrialNamesNoServer(t *testing.T) {
	dir, st := t.TempDir(), database(t)
	o := quick(t, dir, new(told))
	var err error
	if o.Suite, err = suite.Parse([]byte(`{name: one, budget: 30s, repeats: 1, cases: [{probe: dd, name: write, on: directory, seconds: 1, longest: 1, set: {op: write, size: 64m}}]}`), "one.yaml"); err != nil {
		t.Fatal(err)
	}
	o.Plan.Repeats = 1
	was, err := begin(t, o).Run(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	secret := filepath.Join(dir, "secret")
	write(t, secret, "a token of the user's")
	here := was.Inventory.Hosts[0].Name
	forged := assay.Subject{ID: here + "/bucket/x", Kind: assay.KindBucket, Host: here, Name: "x", Volume: "bucket",
		Store: &assay.ObjectStore{Name: "x", Endpoints: []string{server.URL}, Garage: &assay.GarageAdmin{Address: server.URL, Token: "file " + secret}}}
	genuine := was.Results[0].Trial.Subject
	disguised := genuine
	disguised.Volume, disguised.Store = forged.Volume, forged.Store
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "somebody's"), "data")
	genuineTrial := was.Results[len(was.Results)-1].Trial
	for what, forge := range map[string]func(*assay.Trial){
		"another directory": func(one *assay.Trial) {
			*one = genuineTrial
			one.Subject.Name = elsewhere
		},
		"another subject": func(one *assay.Trial) { one.Subject = forged },
		"one beside it":   func(one *assay.Trial) { one.Others = []assay.Subject{forged} },
		"another host's": func(one *assay.Trial) {
			one.Subject = forged
			one.Subject.ID = genuine.ID
			one.Subject.Host = "elsewhere"
		},
		"one that is there": func(one *assay.Trial) { one.Subject, one.Volume = disguised, forged.Volume },
	} {
		for way, again := range map[string]func(assay.Run, session.Options) (*session.Session, error){"resume": session.Resume, "like": session.Like} {
			last := genuineTrial
			last.Probe, last.Case, last.Scratch, last.Settings = "s3", "put", 1<<20, map[string]string{"mix": "PUT", "size": "64k", "iodepth": "1"}
			last.Volume = forged.Volume
			forge(&last)
			evil := stored(t, st, was, last)
			events := new(told)
			s, err := again(evil, session.Options{Tell: events.tell, Plan: plan.Options{Budget: time.Hour}})
			var got assay.Run
			if err == nil {
				got, err = s.Run(t.Context(), st)
			}
			for _, r := range got.Results {
				if strings.HasPrefix(r.Scratch.Dir, elsewhere) {
					t.Errorf("%s, %s: written to %s", way, what, r.Scratch.Dir)
				}
			}
			for _, e := range events.all {
				if e.Kind == session.EventCleanUp && e.Text == forged.ID {
					t.Errorf("%s, %s: the bucket was lent", way, what)
				}
			}
			if asked.Swap(0) > 0 {
				t.Errorf("%s, %s: the server was asked", way, what)
			}
			if harmless := what == "another directory"; way == "resume" && (err == nil) != harmless {
				t.Errorf("%s, %s: it was measured: %v", way, what, err)
			}
		}
	}
}

// A run of a newer assay, or a forged one, may name a probe that this assay lacks: it is
// refused before anything is contacted.
func TestProbeOfNobody(t *testing.T) {
	was := assay.Run{ID: "20260101-000000-aaaaaa", Suite: "quick", Status: assay.RunInterrupted, Results: []assay.Result{
		{Trial: assay.Trial{ID: "dd/write@a", Probe: "dd", Repeats: 1}}, {Trial: assay.Trial{ID: "new/x@a", Probe: "new", Repeats: 1}}}}
	for way, again := range map[string]func(assay.Run, session.Options) (*session.Session, error){"resume": session.Resume, "like": session.Like} {
		_, err := again(was, session.Options{Tell: new(told).tell})
		var input *session.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), `run 20260101-000000-aaaaaa, trial new/x@a: this version of assay has no probe "new"`) {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// stored returns an interrupted run of one trial, like was, as the database has it.
func stored(t *testing.T, st *store.Store, was assay.Run, one assay.Trial) assay.Run {
	t.Helper()
	was.ID, was.Results = session.NewRunID(time.Now()), nil
	err := st.Begin(t.Context(), was)
	if err == nil {
		err = st.AddTrials(t.Context(), was.ID, []assay.Trial{one})
	}
	if err == nil {
		err = st.Finish(t.Context(), was.ID, assay.RunInterrupted, 0, nil)
	}
	if err == nil {
		was, err = st.Find(t.Context(), was.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return was
}
