package drbd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/captured"
)

// learned reads a capture kept by ingest/facts/drbd.
func learned(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../ingest/facts/drbd/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReadProc(t *testing.T) {
	for file, want := range map[string]string{
		"proc-8.4-syncing.txt": "[{ 0 Primary UpToDate [{ Connected SyncSource Inconsistent}]}]",
		"proc-8.4-waiting.txt": "[{ 0 Primary UpToDate [{ Connecting  DUnknown}]}]",
		"proc-8.4-fresh.txt":   "[{ 1 Secondary Inconsistent [{ Connected Established Inconsistent}]}]",
	} {
		text := captured.Text(t, file)
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			if got, err := ReadProc([]byte(text)); err != nil || fmt.Sprint(got) != want {
				t.Errorf("%s: %v, %v, want %s", file, got, err, want)
			}
		}
	}
	for _, bad := range []string{"", "version: 9.2.4 (api:2/proto:86-122)\n", " 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----\n"} {
		if got, err := ReadProc([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
	if got, err := ReadProc([]byte("version: 8.4.11 (api:1/proto:86-101)\n 1: cs:Unconfigured\n")); err != nil || got != nil {
		t.Errorf("a minor without a resource: %+v, %v", got, err)
	}
}

func TestReadVersion(t *testing.T) {
	for text, want := range map[string]string{"version: 8.4.11-1 (api:1/proto:86-101)\n": "8.4.11-1 8", "version: 9.2.4 (api:2/proto:86-122)\nGIT-hash: x\n": "9.2.4 9"} {
		if v, major, err := ReadVersion([]byte(text)); err != nil || fmt.Sprint(v, " ", major) != want {
			t.Errorf("%s %d %v", v, major, err)
		}
	}
	if _, _, err := ReadVersion(nil); err == nil {
		t.Error("nothing has a version")
	}
}

func TestReadStatus(t *testing.T) {
	all, err := ReadStatus(learned(t, "ha-exporter.json"))
	if err != nil || fmt.Sprint(all) != "[{1-single-0 2 Primary UpToDate [{SLE15-sp1-gm-drbd1145296-node2 Connected Established UpToDate}]}]" {
		t.Errorf("%v, %v", all, err)
	}
	all, err = ReadStatus(learned(t, "one-peer-gone.json"))
	if err != nil || len(all) == 0 || !strings.Contains(fmt.Sprint(all), "Connecting  ") || len(all[0].Troubles(2)) == 0 {
		t.Errorf("%v, %v", all, err)
	}
	for _, bad := range []string{"", "{", `[{"devices": [{"volume": 0}]}]`} {
		if got, err := ReadStatus([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
}

func TestTroubles(t *testing.T) {
	sane := func() State {
		return State{Disk: "UpToDate", Peers: []PeerState{{"b", "Connected", "Established", "UpToDate"}}}
	}
	if why := sane().Troubles(1); why != nil || sane().Resyncs() {
		t.Errorf("%v", why)
	}
	for want, change := range map[string]func(*State){
		"its own disk is Diskless":                   func(s *State) { s.Disk = "Diskless" },
		"the connection to the peer b is StandAlone": func(s *State) { s.Peers[0].Connection = "StandAlone" },
		"the peer b is resynced (SyncSource)":        func(s *State) { s.Peers[0].Replication, s.Peers[0].Disk = "SyncSource", "Inconsistent" },
		"the disk of the peer b is Diskless":         func(s *State) { s.Peers[0].Disk = "Diskless" },
		"0 of 1 peers take part":                     func(s *State) { s.Peers = nil },
	} {
		s := sane()
		change(&s)
		if why := s.Troubles(1); fmt.Sprint(why) != "["+want+"]" {
			t.Errorf("%v, want %s", why, want)
		}
		if s.Resyncs() != strings.Contains(want, "Sync") {
			t.Errorf("%s: resyncs %v", want, s.Resyncs())
		}
	}
}

func TestCommon(t *testing.T) {
	text := captured.Text(t, "dump-8.4.txt")
	all, err := Common([]byte(text))
	if err != nil || fmt.Sprint(all) != "[{net max-buffers 4000} {disk al-extents 1237} {disk c-max-rate 50M}]" {
		t.Errorf("%v, %v", all, err)
	}
	if p := CommonProtocol([]byte("common { net { protocol B; } }")); p != "B" {
		t.Error(p)
	}
	for _, text := range []string{"", "resource r0 { net { max-buffers 1; } }", `common { handlers { fence-peer "/bin/x"; } net { shared-secret "x"; max-buffers "1;}"; } }`} {
		if all, err := Common([]byte(text)); err != nil || all != nil || CommonProtocol([]byte(text)) != "" {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
	if _, err := Common([]byte("common {")); err == nil {
		t.Error("cut off and read")
	}
}

func FuzzState(f *testing.F) {
	for _, name := range []string{"proc-8.4-syncing.txt", "dump-8.4.txt"} {
		f.Add([]byte(captured.Text(f, name)))
	}
	f.Add([]byte(`[{"name": "r", "devices": [{"volume": 0, "minor": 1, "disk-state": "UpToDate"}]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		proc, _ := ReadProc(text)
		status, _ := ReadStatus(text)
		for _, s := range append(proc, status...) {
			if s.Minor < -1 || s.Disk == "" {
				t.Errorf("%+v", s)
			}
			s.Troubles(1)
		}
		common, _ := Common(text)
		for _, o := range common {
			if !o.Valid() {
				t.Errorf("%+v", o)
			}
		}
	})
}
