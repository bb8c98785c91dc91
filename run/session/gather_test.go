package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/incident/blame"
	"assay/incident/collect"
	"assay/inventory/cluster"
	"assay/place/record"
)

// troubled is a host whose port lost its link, and then its iSCSI session.
type troubled struct{ name string }

func (h troubled) Host() assay.Host { return assay.Host{Name: h.name} }
func (h troubled) Close() error     { return nil }
func (h troubled) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	now := time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC)
	out := assay.Output{Started: now, Elapsed: 10 * time.Millisecond}
	if c.Argv[0] == "date" {
		out.Stdout = fmt.Appendf(nil, "%d.000000000\n", now.Unix())
		return out, nil
	}
	out.Stdout = []byte("@assay kernel log\n2026-02-22T11:00:00+0000 x kernel: igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n2026-02-22T11:00:05+0000 x kernel:  connection1:0: detected conn error (1022)\n@assay-absent SMART\tnot supported: no smartctl\n")
	return out, nil
}

// 64 hosts are queried at once, and one that does not answer does not affect the others.
func TestGather64Hosts(t *testing.T) {
	dir := t.TempDir()
	var c cluster.Cluster
	for i := range 64 {
		name := fmt.Sprintf("host%02d", i)
		c.Hosts = append(c.Hosts, cluster.Host{Name: name})
		if i == 7 {
			continue // it has no recording
		}
		var tape bytes.Buffer
		if _, err := collect.Host(t.Context(), record.New(troubled{name}, &tape), time.Hour); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), tape.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := Gather(t.Context(), c, c.Hosts, time.Hour, Recordings{Replay: dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Answers) != 63 || len(g.Down) != 1 || g.Down[0].Host != "host07" || !strings.Contains(g.Down[0].Why, "no recording") {
		t.Fatalf("%d answers, down: %+v", len(g.Answers), g.Down)
	}
	if len(g.Log.Events) != 2*63 {
		t.Errorf("%d events", len(g.Log.Events))
	}
	for i := 1; i < len(g.Answers); i++ {
		if g.Answers[i-1].Host >= g.Answers[i].Host {
			t.Errorf("%s before %s", g.Answers[i-1].Host, g.Answers[i].Host)
		}
	}
	if v := blame.Judge(g.Log); v.Cause == nil || v.Cause.Rule != "nic" {
		t.Errorf("%+v", v)
	}
}
