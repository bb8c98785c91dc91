package inventory

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
)

// replay is a place that prints one capture, whatever the command.
type replay struct {
	host string
	out  []byte
	exit int
	err  error
	got  assay.Cmd
}

func (p *replay) Host() assay.Host { return assay.Host{Name: p.host} }
func (p *replay) Close() error     { return nil }
func (p *replay) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	p.got = c
	return assay.Output{Stdout: p.out, Stderr: []byte("sh: no\nmore"), Exit: p.exit, Started: time.Unix(1750000000, 0)}, p.err
}

func firecracker(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/captures/firecracker.txt")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestDiscover(t *testing.T) {
	at := &replay{host: "pve1", out: firecracker(t)}
	f, err := Discover(context.Background(), at, []string{"/", "/it's $(here)", "/"}, []string{"fio"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(at.got.Argv, "|"); got != "sh|-s|--|2|/|/it's $(here)|fio" {
		t.Errorf("argv %s", got)
	}
	if at.got.Timeout <= 0 || len(at.got.Stdin) == 0 {
		t.Errorf("timeout %s, %d B of script", at.got.Timeout, len(at.got.Stdin))
	}
	if f.Host != "pve1" || f.Taken.Unix() != 1750000000 || f.Device("vda") == nil {
		t.Errorf("%+v", f)
	}
}

func TestDiscoverRefuses(t *testing.T) {
	at := &replay{host: "pve1", out: firecracker(t)}
	for _, c := range []struct{ dir, tool, want string }{
		{"srv/x", "fio", "not absolute"},
		{"/srv/a\nb", "fio", "line break"},
		{"/srv", "rm -rf /", "not a plain name"},
		{"/srv", "--version", "not a plain name"},
	} {
		_, err := Discover(context.Background(), at, []string{c.dir}, []string{c.tool})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "host pve1: ") {
			t.Errorf("%q %q: %v", c.dir, c.tool, err)
		}
	}
	if at.got.Argv != nil {
		t.Errorf("%v was run", at.got.Argv)
	}
}

func TestDiscoverFails(t *testing.T) {
	_, err := Discover(context.Background(), &replay{host: "h", err: assay.ErrTimeout}, nil, nil)
	if !errors.Is(err, assay.ErrTimeout) || assay.Hint(err) == "" {
		t.Errorf("timeout: %v", err)
	}
	_, err = Discover(context.Background(), &replay{host: "h", exit: 127}, nil, nil)
	if !errors.Is(err, assay.ErrNoOutput) || !strings.Contains(err.Error(), "exited 127 (sh: no)") {
		t.Errorf("nothing printed: %v", err)
	}
}

func TestGather(t *testing.T) {
	raw := firecracker(t)
	a, b := &replay{host: "a", out: raw}, &replay{host: "b", out: raw}
	inv, err := Gather(context.Background(), []assay.Place{b, a}, []string{"/tmp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range inv.Subjects {
		ids = append(ids, s.ID+" on "+strings.Join(s.On, ","))
	}
	want := "b/cpu/cpu on |b/memory/memory on |b/thermal/thermal on |b/drive/vda on |b/directory//tmp on b/drive/vda|" +
		"a/cpu/cpu on |a/memory/memory on |a/thermal/thermal on |a/drive/vda on |a/directory//tmp on a/drive/vda"
	if got := strings.Join(ids, "|"); got != want {
		t.Errorf("subjects %s", got)
	}
	if len(inv.Hosts) != 2 || inv.Hosts[0].Name != "b" || inv.Facts["a"].Host != "a" {
		t.Errorf("%+v", inv.Hosts)
	}
	if _, err := Gather(context.Background(), []assay.Place{a, a}, nil, nil); err == nil {
		t.Error("the same host twice was taken")
	}
	if _, err := Gather(context.Background(), []assay.Place{a, &replay{host: "c", err: assay.ErrNoCommand}}, nil, nil); !errors.Is(err, assay.ErrNoCommand) {
		t.Errorf("one host fails: %v", err)
	}
}
