package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
)

// serve passes a job to an agent and reads its reply.
func serve(t *testing.T, job string) (agent.Reply, string, bool) {
	t.Helper()
	var out bytes.Buffer
	done := agent.Serve(t.Context(), strings.NewReader(job), &out, "v1")
	r, _, ok := agent.ReadReply(out.Bytes())
	if !ok {
		t.Fatalf("no reply: %q", out.String())
	}
	return r, out.String(), done
}

func TestHello(t *testing.T) {
	r, _, done := serve(t, `{"do":"hello"}`)
	if !done || r.Version != "v1" || len(r.SHA256) != 64 || r.Arch == "" {
		t.Errorf("%+v", r)
	}
}

// Anything that is not a job is refused, and its content is not repeated.
func TestWhatIsNoJob(t *testing.T) {
	dir := t.TempDir()
	for _, job := range []string{
		"", "s3cr3t", `{"do":"s3cr3t`, `{"do":"wipe","dir":"/tmp"}`, `{"do":"make"}`, `{"do":"make","dir":"x","store":{"keys":{"secret":"s3cr3t"}}}`,
		`{"do":"run","dir":"` + dir + `","set":"../x","load":{}}`, `{"do":"run","dir":"` + dir + `","set":"x","load":{}}`,
		`{"do":"make","dir":"` + dir + `","store":{"endpoints":["s3cr3t"],"bucket":"bucket","owner":"x","keys":{"access":"s3cr3t-key","secret":"s3cr3t"}}}`,
		`{"do":"remove","dir":"` + dir + `","store":{"endpoints":["http://127.0.0.1:1"],"bucket":"bucket","owner":"x"}}`,
	} {
		r, text, done := serve(t, job)
		if done || r.Failed == nil || r.Failed.Text == "" {
			t.Errorf("%s: %+v", job, r)
		}
		if strings.Contains(text, "s3cr3t") {
			t.Errorf("%s: a secret is printed: %s", job, text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); left != nil {
		t.Errorf("left: %q", left)
	}
}

// A store's answer may contain a key or a secret. A reply does not.
func TestRepliesHideSecrets(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<Error><Code>AccessDenied</Code><Message>no such key ACCESS-KEY with s&lt;cret-key</Message></Error>")
	}))
	defer s.Close()
	job, err := json.Marshal(agent.Job{Do: agent.Make, Dir: t.TempDir(), Store: &agent.Store{Endpoints: []string{s.URL}, Bucket: "bucket", Owner: "x",
		Keys: &agent.Keys{Access: "ACCESS-KEY", Secret: "s<cret-key"}}})
	if err != nil {
		t.Fatal(err)
	}
	r, text, done := serve(t, string(job))
	if done || r.Failed.Class != loadgen.Denied || r.Failed.Hint == "" {
		t.Errorf("%+v", r.Failed)
	}
	if strings.Contains(text, "ACCESS-KEY") || strings.Contains(text, "cret-key") {
		t.Errorf("a secret is printed: %s", text)
	}
	if words := fmt.Sprintf("%v %+v %#v", agent.Keys{Secret: "s3cr3t"}, agent.Garage{Token: "s3cr3t"}, agent.Store{Owner: "s3cr3t"}); strings.Contains(words, "s3cr3t") {
		t.Error(words)
	}
}

// Users choose access keys, and may choose a word of the replies themselves. It is
// hidden where the store is quoted, and nowhere else.
func TestAccessKeysThatAreWordsOfReplies(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, "<ListBucketResult></ListBucketResult>")
			return
		}
		w.WriteHeader(http.StatusForbidden)
		_, after, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
		access, _, _ := strings.Cut(after, "/")
		fmt.Fprintf(w, "<Error><Code>AccessDenied</Code><Message>%s and %[1]s-s3cr3t may not write</Message></Error>", access)
	}))
	defer s.Close()
	for _, access := range []string{"assay", "user", "class", "denied", "text"} {
		// The secret begins with the access key: hiding that alone would leave the rest.
		keys := &agent.Keys{Access: access, Secret: access + "-s3cr3t"}
		dir := t.TempDir()
		kept, err := json.Marshal(agent.Store{Endpoints: []string{s.URL}, Bucket: "bucket", Owner: "x", Keys: keys})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "store.json"), kept, 0o600); err != nil {
			t.Fatal(err)
		}
		job, err := json.Marshal(agent.Job{Do: agent.Run, Dir: dir, Bucket: "bucket", Set: "x", Payload: loadgen.Signed,
			Load: &loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1, Concurrency: 1, Duration: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		r, text, done := serve(t, string(job))
		if done || r.Do != agent.Run || r.Failed == nil || r.Failed.Class != loadgen.Denied || r.Result == nil || !strings.Contains(text, `"user":`) {
			t.Fatalf("%s: %s", access, text)
		}
		put, _ := r.Result.Figure(loadgen.Put)
		if len(put.Errors) != 1 || put.Errors[0].Class != loadgen.Denied {
			t.Fatalf("%s: %+v", access, put.Errors)
		}
		for _, said := range []string{r.Failed.Text, put.Errors[0].Example} {
			if !strings.Contains(said, "(hidden) and (hidden) may not write") {
				t.Errorf("%s: says %q", access, said)
			}
		}
	}
}

// Whatever answers at the admin address is named in the error.
func TestAdminAPI(t *testing.T) {
	answers := map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"token":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, "rejects the token"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "no Garage admin API"},
		"too old": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, "v1")
		}, "400 v1"},
		"in itself": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `{"code":"X","message":"no quorum"}`)
		}, "500 X no quorum"},
	}
	for name, c := range answers {
		s := httptest.NewServer(c.answer)
		for _, do := range []agent.Verb{agent.Make, agent.Remove} {
			_, err := agent.Do(t.Context(), agent.Job{Do: do, Dir: t.TempDir(), Store: &agent.Store{Endpoints: []string{"http://127.0.0.1:1"}, Bucket: "bucket", Owner: "x",
				Garage: &agent.Garage{Address: s.URL, Token: "s3cr3t"}}}, time.Now(), nil)
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error()+assay.Hint(err), "s3cr3t") {
				t.Errorf("%s, %s: %v", name, do, err)
			}
		}
		s.Close()
	}
}

// A job ends at its bound, and gives that as the reason.
func TestBound(t *testing.T) {
	hung := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	defer s.Close()
	defer close(hung)
	job := loading(t, s.URL)
	job.Bound = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := agent.Do(ctx, job, time.Now(), nil); !errors.Is(err, assay.ErrTimeout) {
		t.Error(err)
	}
	job.Bucket, job.Bound = "precious", 0
	if _, err := agent.Do(ctx, job, time.Now(), nil); err == nil || !strings.Contains(err.Error(), "precious") {
		t.Errorf("another bucket was loaded: %v", err)
	}
}

// overdue is past its deadline and will be done in a moment.
type overdue struct{ context.Context }

func (overdue) Deadline() (time.Time, bool) { return time.Unix(1, 0), true }

// A socket may notice the bound before the context does: the reason is the same.
func TestBoundThatASocketNoticesFirst(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	job := loading(t, s.URL)
	ctx, over := context.WithCancelCause(t.Context())
	defer time.AfterFunc(50*time.Millisecond, func() { over(assay.ErrTimeout) }).Stop()
	if _, err := agent.Do(overdue{ctx}, job, time.Now(), nil); !errors.Is(err, assay.ErrTimeout) {
		t.Error(err)
	}
}

// loading is a job that loads the store at url.
func loading(t *testing.T, url string) agent.Job {
	t.Helper()
	dir := t.TempDir()
	text, err := json.Marshal(agent.Store{Endpoints: []string{url}, Bucket: "bucket", Owner: "x", Keys: &agent.Keys{Access: "a", Secret: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "store.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return agent.Job{Do: agent.Run, Dir: dir, Bucket: "bucket", Set: "x",
		Load: &loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1, Concurrency: 1, Duration: time.Minute}}
}

func TestReadReply(t *testing.T) {
	text := "\n{\"second\":1,\"ops\":5,\"bytes\":9}\n{\"schema\":\"assay.agent/1\",\"do\":\"run\"}\n"
	if r, line, ok := agent.ReadReply([]byte(text)); !ok || line != 3 || r.Do != agent.Run {
		t.Error(r, line, ok)
	}
	if tick, ok := agent.ReadTick([]byte(`{"second":1,"ops":5,"bytes":9}`)); !ok || tick.Ops != 5 {
		t.Error(tick, ok)
	}
	for _, text := range []string{"", "x", "{}", `{"schema":"assay.agent/1"}`, `{"second":-1}`, `[]`} {
		if _, ok := agent.ReadTick([]byte(text)); ok {
			t.Errorf("%s is a second", text)
		}
	}
	if _, _, ok := agent.ReadReply([]byte(`{"schema":"assay.agent/2"}`)); ok {
		t.Error("another form was read")
	}
}
