package folder

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/powershell"
	"assay/lab/vms/standin"
	"assay/volume/volumetest"
)

// hostile is a name that Windows allows, and that would break a careless script.
const hostile = `D:\it's $(Remove-Item x); & y`

func subject(dir string) assay.Subject {
	return assay.Subject{ID: "win/directory/" + dir, Kind: assay.KindDirectory, Host: "win", Name: dir, Source: standin.Volume}
}

// host returns a stand-in that has this directory and dd.
func host(t *testing.T, dir string) *standin.Windows {
	t.Helper()
	w := &standin.Windows{Drive: t.TempDir()}
	if err := os.Mkdir(w.Path(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Programs = map[string]func(context.Context, assay.Cmd) (assay.Output, error){
		"dd": func(ctx context.Context, c assay.Cmd) (assay.Output, error) {
			argv := append([]string{}, c.Argv...)
			for i, word := range argv {
				if file, is := strings.CutPrefix(word, "of="); is {
					argv[i] = "of=" + w.Path(file)
				}
			}
			out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
			return assay.Output{Stderr: out}, err
		},
	}
	return w
}

// Run on a stand-in, which covers the commands but not Windows.
func TestConformance(t *testing.T) {
	volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
		w := host(t, hostile)
		return volumetest.Fixture{
			Volume: New(), Place: w, Subject: subject(hostile),
			Present: func(_ *testing.T, r assay.Receipt) bool {
				_, err := os.Lstat(w.Path(r.Names["dir"]))
				return err == nil
			},
		}
	})
}

// answers is a host that gives every script the same answer.
type answers struct {
	says any
	argv *[]string
}

func (answers) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }
func (answers) Close() error     { return nil }
func (a answers) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	if a.argv != nil {
		*a.argv = c.Argv
	}
	if text, is := a.says.(string); is {
		return assay.Output{Stderr: []byte(text), Exit: 1}, nil
	}
	out, err := powershell.Answer(a.says)
	return assay.Output{Stdout: out}, err
}

func receipt(t *testing.T) assay.Receipt {
	t.Helper()
	r, err := New().Reserve(t.Context(), nil, subject(hostile), assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every trouble comes with advice, and nothing counts as gone unless the answer says so.
func TestTroubles(t *testing.T) {
	for want, says := range map[string]any{
		"not safe to measure in: anybody may":    map[string]any{"Trouble": "unsafe", "Why": `anybody may rename what is in D:\ (S-1-1-0)`},
		"is not found":                           map[string]any{"Trouble": "missing"},
		"assay leaves 2048 MiB unused":           map[string]any{"Size": 100 << 30, "Free": 1 << 30},
		"Access is denied.":                      "Access is denied.\r\nAt line:1",
		"create D:\\it's":                        map[string]any{"Size": 100 << 30, "Free": 90 << 30},
		"cannot look D:\\it's $(Remove-Item x);": map[string]any{"Trouble": "failed", "Why": "Invalid class"},
	} {
		if _, err := New().Lend(t.Context(), answers{says: says}, receipt(t)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "win") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for want, says := range map[string]any{
		"it is still there":       map[string]any{"Gone": false},
		"so .assay-0123456789abc": map[string]any{"Trouble": "missing"},
		"may be hidden":           map[string]any{"Trouble": "hidden"},
		"is a junction":           map[string]any{"Trouble": "link", "Why": "x is a junction"},
	} {
		if err := New().Release(t.Context(), answers{says: says}, receipt(t)); err == nil || !strings.Contains(err.Error(), want) || assay.Hint(err) == "" {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := New().Release(t.Context(), answers{says: "nothing"}, receipt(t)); !errors.Is(err, assay.ErrNoOutput) {
		t.Error(err)
	}
}

// The script is the same whatever the directory's name.
func TestTheScriptArrivesAsItIs(t *testing.T) {
	var argv []string
	_, _ = New().Lend(t.Context(), answers{map[string]any{"Made": true, "Size": 1 << 40, "Free": 1 << 39}, &argv}, receipt(t))
	var given asking
	text, err := powershell.Given(argv, &given)
	if err != nil || text != powershell.Slim(script) || given.Do != "make" || given.Parent != hostile || given.Path != hostile+`\.assay-0123456789abcdef` {
		t.Errorf("%+v, %v", given, err)
	}
}

// A receipt is read from a file: what Reserve would not have made is not removed.
func TestForeignReceipts(t *testing.T) {
	for _, dir := range []string{`C:\Windows`, `D:\bench\..\.assay-0123456789abcdef`, `D:\bench\.assay-0123456789abcdee`, `D:\bench/.assay-0123456789abcdef`, `\\server\x\.assay-0123456789abcdef`, ".assay-0123456789abcdef", `D:\a"; Remove-Item C:\ -Recurse\.assay-0123456789abcdef`, "/srv/.assay-0123456789abcdef", ""} {
		r := receipt(t)
		r.Names["dir"] = dir
		if err := New().Release(t.Context(), nil, r); err == nil {
			t.Errorf("%s was released", dir)
		}
	}
	r := receipt(t)
	r.Volume = "dir"
	if err := New().Release(t.Context(), nil, r); err == nil {
		t.Error("a receipt of another kind was released")
	}
	if _, err := New().Reserve(t.Context(), nil, subject("/srv"), assay.Request{ID: "0123456789abcdef"}); err == nil {
		t.Error("a directory of Linux was reserved")
	}
	// A drive itself has its scratch directory in its root.
	if r, err := New().Reserve(t.Context(), nil, subject(`D:\`), assay.Request{ID: "0123456789abcdef"}); err != nil || r.Names["dir"] != `D:\.assay-0123456789abcdef` || filepath.Base(r.Names["dir"]) == "" {
		t.Errorf("%+v, %v", r, err)
	}
}
