package tierfaults

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/store"
)

// everything measures all tiers in the lab's own cluster.yaml, and looks for
// secrets meanwhile and afterwards.
func everything(t *testing.T, b *bed) {
	l := laptop.New(t, b.Cluster())
	watch := b.watchSecrets(t)
	page, text := filepath.Join(l.Dir, "report.html"), filepath.Join(l.Dir, "report.json")
	m := measure(l, 80*time.Second, 2, both, "--report", page)
	o := m.end()
	o.expectDone()
	secrets := watch()
	if len(secrets) < 2 {
		t.Errorf("%d secrets were seen: the token and a key at least", len(secrets))
	}
	if r := l.Do("report", "latest", "--format", "json", "-o", text); r.Exit != fine {
		t.Errorf("report: %s", r.Said)
	}
	var columns []string
	if o.doc.Tiers != nil {
		for _, c := range o.doc.Tiers.Columns {
			columns = append(columns, c.Tier)
		}
	}
	for _, tier := range []string{"sd", "usb", "pvc", "block", "garage"} {
		if !slices.Contains(columns, tier) {
			t.Errorf("tier %s is no column of the table: %q", tier, columns)
		}
	}
	if html := string(readFile(t, page)); !strings.Contains(html, "Storage tiers") {
		t.Error("the page has no table of the tiers")
	}
	places := map[string]string{"stdout": o.Stdout, "stderr": o.Said, "the page": string(readFile(t, page)), "the JSON": string(readFile(t, text)),
		"the stored run": stored(t, l, o.doc.Run.ID)}
	for _, file := range []string{"assay.db", "assay.db-wal"} {
		if content, err := os.ReadFile(filepath.Join(l.Dir, file)); err == nil {
			places[file] = string(content)
		}
	}
	for _, secret := range secrets {
		for where, content := range places {
			if strings.Contains(content, secret) {
				t.Errorf("a secret stands in %s", where)
			}
		}
	}
	l.ExpectEmpty()
}

// stored returns all text of a run in the database, including packed
// transcripts.
func stored(t *testing.T, l *laptop.Laptop, id string) string {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(l.Dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	run, err := st.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	gather(reflect.ValueOf(run), &words)
	if !strings.Contains(words.String(), "randread") {
		t.Error("the stored run has no transcript")
	}
	return words.String()
}

// gather writes all strings and bytes in a value.
func gather(v reflect.Value, to *strings.Builder) {
	switch v.Kind() {
	case reflect.String:
		fmt.Fprintln(to, v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			gather(v.Elem(), to)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			gather(v.Field(i), to)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			gather(key, to)
			gather(v.MapIndex(key), to)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
			fmt.Fprintln(to, string(v.Bytes()))
			return
		}
		for i := range v.Len() {
			gather(v.Index(i), to)
		}
	}
}

// watchSecrets searches, until end is called, the command lines of all processes,
// including those in pods, for the Garage's token and the keys that it makes
// meanwhile. end returns the secrets that existed.
func (b *bed) watchSecrets(t *testing.T) (end func() []string) {
	t.Helper()
	admin, token := b.Garage.Admin()
	found := map[string]bool{token: true}
	ctx, cancel := context.WithCancel(b.ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		for ctx.Err() == nil {
			keys, _ := b.Garage.Keys(ctx)
			for _, id := range keys {
				if secret := secretOf(ctx, admin, token, id); secret != "" {
					found[secret] = true
				}
			}
			for _, p := range laptop.Processes() {
				line := p.Line()
				for secret := range found {
					if strings.Contains(line, secret) {
						t.Errorf("a secret stands in the command line of %.60s", line)
					}
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(300 * time.Millisecond): // between two looks
			}
		}
	})
	return func() []string {
		cancel()
		watching.Wait()
		return slices.Collect(maps.Keys(found))
	}
}

// secretOf asks the Garage for a key's secret, "" if there is no such key.
func secretOf(ctx context.Context, admin, token, id string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, admin+"/v2/GetKeyInfo?showSecretKey=true&id="+id, http.NoBody)
	if err != nil {
		return ""
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	var key struct {
		SecretAccessKey string `json:"secretAccessKey"`
	}
	_ = json.NewDecoder(answer.Body).Decode(&key)
	return key.SecretAccessKey
}
