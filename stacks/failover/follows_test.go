package failover

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/internal/executable"
)

// asks runs a command of an entry in which each of these programs prints a given text. It
// returns the exit status, stderr, and what else the programs were told to do.
func asks(t *testing.T, command string, prints map[string]string) (exit int, complaint, told string) {
	t.Helper()
	dir := t.TempDir()
	for program, text := range prints {
		if err := os.WriteFile(filepath.Join(dir, program+".txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"ha-manager", "drbdsetup", "drbd-reactorctl"} {
		script := "#!/bin/sh\n[ \"$1\" != status ] || exec cat " + filepath.Join(dir, program) + ".txt\necho \"$0 $*\" >>" + filepath.Join(dir, "told") + "\n"
		if err := executable.Write(filepath.Join(dir, program), script); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "sh", "-c", command)
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	var said strings.Builder
	c.Stderr = &said
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	did, _ := os.ReadFile(filepath.Join(dir, "told")) // empty if nothing was
	return c.ProcessState.ExitCode(), said.String(), strings.ReplaceAll(string(did), dir+"/", "")
}

// haHealthy is output of ha-manager status, based on a published answer of three
// nodes.
const haHealthy = `quorum OK
master pve3 (active, Fri Nov 28 13:23:12 2025)
lrm pve1 (active, Fri Nov 28 13:23:19 2025)
lrm pve2 (idle, Fri Nov 28 13:23:16 2025)
lrm pve3 (idle, Fri Nov 28 13:23:16 2025)
service ct:109 (pve1, stopped)
service vm:101 (pve1, started)
service vm:1011 (pve2, started)
`

func TestAnHAGuest(t *testing.T) {
	t.Parallel()
	e := Entry{Name: "mail", Host: "pve1", By: "pve2", HA: "vm:101", Stop: "a", Start: "b", Running: "c", Address: "10.0.0.44", Observers: []string{"pve3"}}.Completed()
	if err := e.Check(); err != nil || e.AtMost() != MostWithin || e.AtLeast() != defaultFor {
		t.Fatalf("from %s to %s, %v", e.AtLeast(), e.AtMost(), err)
	}
	was := func(old, is string) string {
		if !strings.Contains(haHealthy, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(haHealthy, old, is, 1)
	}
	dead := was("pve2 (idle", "pve2 (old timestamp - dead?")
	if _, said, _ := asks(t, e.Whole, map[string]string{"ha-manager": dead}); said != "lrm pve2 (old timestamp - dead?, Fri Nov 28 13:23:16 2025)\n" {
		t.Errorf("of a dead node it says %q", said)
	}
	for name, c := range map[string]struct {
		text  string
		whole bool
		home  bool
		asked string // to move it back home
	}{
		"healthy":           {haHealthy, true, true, ""},
		"a load of CRS":     {was("12 2025)", "12 2025) - static load CRS"), true, true, ""},
		"no quorum":         {was("quorum OK", "quorum No quorum on node 'pve3'!"), false, true, ""},
		"a dead node":       {dead, false, true, ""},
		"a dead master":     {was("pve3 (active", "pve3 (old timestamp - dead?"), false, true, ""},
		"in maintenance":    {was("pve2 (idle", "pve2 (maintenance mode"), false, true, ""},
		"lock lost":         {was("pve1 (active", "pve1 (lost_agent_lock"), false, true, ""},
		"never seen":        {was("pve2 (idle, Fri Nov 28 13:23:16 2025)", "pve2 (unable to read lrm status)"), false, true, ""},
		"to be fenced":      {was("vm:101 (pve1, started)", "vm:101 (pve1, fence)"), false, false, ""},
		"on its way":        {was("vm:101 (pve1, started)", "vm:101 (pve2, migrate)"), false, false, ""},
		"starting":          {was("vm:101 (pve1, started)", "vm:101 (pve2, starting)"), false, false, ""},
		"elsewhere":         {was("vm:101 (pve1, started)", "vm:101 (pve2, started)"), true, false, "ha-manager migrate vm:101 pve1\n"},
		"another in error":  {was("vm:1011 (pve2, started)", "vm:1011 (pve2, error)"), false, true, ""},
		"not managed by HA": {was("service vm:101 (pve1, started)\n", ""), false, false, ""},
		"nothing":           {"", false, false, ""},
	} {
		exit, said, told := asks(t, e.Whole, map[string]string{"ha-manager": c.text})
		if (exit == 0) != c.whole || told != "" || c.whole && said != "" {
			t.Errorf("%s: whole exits %d, says %q and does %q", name, exit, said, told)
		}
		if exit, _, told = asks(t, e.Failback, map[string]string{"ha-manager": c.text}); (exit == 0) != c.home || told != c.asked {
			t.Errorf("%s: failback exits %d and does %q", name, exit, told)
		}
	}
}

// promoted is output of drbdsetup status on pve2, one of three hosts.
const promoted = `linstor_db role:Secondary
  disk:UpToDate open:no
  pve1 role:Primary
    peer-disk:UpToDate
  pve3 role:Secondary
    peer-disk:Diskless

`

func TestAPromoter(t *testing.T) {
	t.Parallel()
	e := Entry{Name: "controller", Host: "pve1", Promoter: "linstor_db", Command: "linstor node list", Observers: []string{"pve2"}}.Completed()
	if err := e.Check(); err != nil || e.AtMost() != defaultWithin || e.AtLeast() != 20*time.Second || e.What() != "promoter linstor_db" {
		t.Fatalf("%s from %s to %s, %v", e.What(), e.AtLeast(), e.AtMost(), err)
	}
	for name, c := range map[string]struct {
		changes []string
		whole   bool
		home    bool
	}{
		"healthy":       {nil, true, true},
		"it runs here":  {[]string{"db role:Secondary", "db role:Primary", "pve1 role:Primary", "pve1 role:Secondary"}, true, false},
		"nobody has it": {[]string{"pve1 role:Primary", "pve1 role:Secondary"}, true, false},
		"pve3 is gone":  {[]string{"pve3 role:Secondary\n    peer-disk:Diskless", "pve3 connection:Connecting"}, false, true},
		"pve1 is gone":  {[]string{"pve1 role:Primary\n    peer-disk:UpToDate", "pve1 connection:Connecting"}, false, false},
		"resyncing":     {[]string{"peer-disk:UpToDate", "replication:SyncSource peer-disk:Inconsistent done:12.5"}, false, true},
		"outdated":      {[]string{"disk:UpToDate open", "disk:Outdated open"}, false, true},
		"a lost disk":   {[]string{"disk:UpToDate open:no", "disk:Diskless client:no"}, false, true},
		"no quorum":     {[]string{"open:no", "open:no quorum:no"}, false, true},
		"one copy":      {[]string{"peer-disk:UpToDate", "peer-disk:Diskless"}, false, true},
		"another":       {[]string{"pve1 role", "pve11 role"}, true, false},
	} {
		text := strings.NewReplacer(c.changes...).Replace(promoted)
		if exit, said, told := asks(t, e.Whole, map[string]string{"drbdsetup": text}); (exit == 0) != c.whole || told != "" || c.whole && said != "" {
			t.Errorf("%s: whole exits %d, says %q and does %q", name, exit, said, told)
		}
		if exit, _, told := asks(t, e.Failback, map[string]string{"drbdsetup": text}); (exit == 0) != c.home || (told == "drbd-reactorctl evict linstor_db\n") == c.home {
			t.Errorf("%s: failback exits %d and does %q", name, exit, told)
		}
	}
	if exit, _, _ := asks(t, e.Whole, nil); exit == 0 {
		t.Error("redundancy is whole of what there is not")
	}
}

// Values in the file are kept, and nothing is derived from fields that are not
// set.
func TestWhatFollows(t *testing.T) {
	e := Entry{Name: "x", Host: "a", Promoter: "db", Command: "c", Whole: "w", Failback: "f", For: time.Second, Within: time.Minute}
	if got := e.Completed(); got.Whole != "w" || got.Failback != "f" || got.For != time.Second || got.Within != time.Minute {
		t.Errorf("%+v", got)
	}
	v := vip()
	if got := v.Completed(); got.Whole != "" || got.Failback != "" || got.For != 0 || got.Within != 0 {
		t.Errorf("%+v", got)
	}
	stop, start, running := Entry{Promoter: "linstor-db"}.Scripts()
	for _, script := range []string{stop, start, running} {
		if !strings.Contains(script, `drbd-services@linstor\x2ddb.target'`) || strings.Contains(script, "TARGET") {
			t.Errorf("%q names another unit", script)
		}
	}
}

// FuzzStatus: whatever they print, the commands exit with 0 or 1, and never report whole
// without evidence.
func FuzzStatus(f *testing.F) {
	f.Add(haHealthy)
	f.Add(promoted)
	f.Add("quorum OK\nservice vm:101 (\n")
	ha := Entry{Host: "pve1", HA: "vm:101"}.Completed().Whole
	drbd := Entry{Host: "pve1", Promoter: "linstor_db"}.Completed().Whole
	f.Fuzz(func(t *testing.T, text string) {
		all := map[string]string{"ha-manager": text, "drbdsetup": text}
		if exit, _, _ := asks(t, ha, all); exit > 1 || exit == 0 && (!strings.Contains(text, "quorum OK") || !strings.Contains(text, "vm:101")) {
			t.Errorf("ha-manager: %d of %q", exit, text)
		}
		if exit, _, _ := asks(t, drbd, all); exit > 1 || exit == 0 && strings.Count(text, "disk:UpToDate") < 2 {
			t.Errorf("drbdsetup: %d of %q", exit, text)
		}
	})
}
