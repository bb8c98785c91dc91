package dir

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay"
	"assay/internal/yamldoc"
)

// answers is a host that answers commands, matched by prefix, with texts.
type answers map[string]string

func (answers) Host() assay.Host { return assay.Host{Name: "pve1"} }
func (answers) Close() error     { return nil }
func (a answers) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	said := strings.Join(c.Argv[4:], " ")
	for command, text := range a {
		if strings.HasPrefix(said, command) {
			return assay.Output{Stdout: []byte(text)}, nil
		}
	}
	return assay.Output{Exit: 127, Stderr: []byte(said + ": not found")}, nil
}

// A directory on DRBD reports its replication; others are not asked.
func TestLearnsOfDRBD(t *testing.T) {
	show, err := os.ReadFile("../../stacks/drbd/testdata/show-8.4.txt")
	if err != nil {
		t.Fatal(err)
	}
	host := answers{
		// The secret never leaves the host.
		"sh -c text=$(drbdsetup show --show-defaults) || exit\nprintf '%s\\n' \"$text\" | sed /shared-secret/d": strings.NewReplacer("protocol        \tC", "protocol        \tA", "127.0.0.", "10.0.1.1").Replace(string(show)),
		"drbdsetup status r0": "r0 role:Primary\n  disk:UpToDate\n  peer role:Secondary\n    replication:SyncSource peer-disk:Inconsistent done:12.3\n",
		"ip -o route get":     "10.0.1.12 dev eno1 src 10.0.1.11 uid 0 \\    cache\n",
	}
	s := &Storage{Directory: yamldoc.Path("/srv")}
	f := assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Device: "drbd0", Bytes: 20 << 30}}, NICs: []assay.NICFacts{{Name: "eno1", Speed: 1e9, MTU: 1500}}}
	notes, err := s.Learn(t.Context(), host, &f)
	if err != nil || f.Stack == nil || f.Stack.Protocol != "A" || f.Stack.Copies != 2 || f.Stack.Remote != 1 {
		t.Fatalf("%v, %+v", err, f.Stack)
	}
	var ids []string
	for _, n := range notes {
		ids = append(ids, n.ID)
	}
	if got := strings.Join(ids, " "); got != "drbd-protocol drbd-al-extents drbd-c-max-rate drbd-tiebreaker drbd-disturbed drbd-resync drbd-network" {
		t.Errorf("%s: %v", got, notes)
	}
	if last := notes[len(notes)-1].Text; !strings.Contains(last, "from 10.0.1.11 to 10.0.1.12 over eno1 (1 Gb/s, MTU 1500)") {
		t.Error(last)
	}
	host["drbdsetup status r0"] = "r0 role:Primary\n  disk:Diskless\n  peer role:Secondary\n    peer-disk:UpToDate\n"
	f = assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Device: "drbd0", Bytes: 1 << 30}}, Block: []assay.BlockDevice{{Name: "drbd0"}}}
	if notes, err = s.Learn(t.Context(), host, &f); err != nil || !strings.Contains(fmt.Sprint(notes), "its disk has failed") || f.Block[0].Stack == nil || f.Block[0].Stack.Remote != 1 {
		t.Errorf("%v, %v, %+v", notes, err, f.Block)
	}
	for _, device := range []string{"sda1", "drbdx", ""} {
		f := assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Device: device}}}
		if notes, err := s.Learn(t.Context(), nil, &f); err != nil || notes != nil || f.Stack != nil {
			t.Errorf("%s: %v, %v", device, notes, err)
		}
	}
	f = assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Device: "drbd7"}}}
	if _, err := s.Learn(t.Context(), host, &f); err == nil || f.Stack != nil {
		t.Errorf("a device of no resource: %v", err)
	}
}
