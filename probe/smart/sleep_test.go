package smart

import (
	"strings"
	"testing"

	"assay"
)

// A sleeping drive is left asleep: an absence with a hint, not a JSON error,
// and no reason to try a device type.
func TestSleepingDrive(t *testing.T) {
	bridge := load(t, "usb-unknown-bridge.json")
	for name, c := range map[string]struct {
		docs [][]byte
		want string
	}{
		"standby":            {[][]byte{load(t, "standby.json")}, "(standby)"},
		"behind a bridge":    {[][]byte{bridge, load(t, "standby.json")}, "(standby)"},
		"as the system says": {[][]byte{[]byte(`{"smartctl":{"exit_status":2,"messages":[{"string":"Device is in STANDBY (OS) mode, exit(2)","severity":"information"}]}}`)}, "(standby (os))"},
		"as text":            {[][]byte{[]byte("smartctl 7.0\n\nDevice is in SLEEP mode, exit(2)\n")}, "(sleep)"},
	} {
		tr := transcript(c.docs...)
		tr.Settings = map[string]string{"device": "/dev/sdb"}
		_, err := New().Parse(tr)
		if err == nil || !strings.Contains(err.Error(), "asleep "+c.want) || !strings.Contains(err.Error(), "not woken") || strings.Contains(err.Error(), "sat") {
			t.Errorf("%s: got %v", name, err)
		}
		if hint := assay.Hint(err); !strings.Contains(hint, "dd if=/dev/sdb of=/dev/null") {
			t.Errorf("%s: hint %q", name, hint)
		}
	}
}

// Drives that may sleep are not woken, on either try; drives without spinning
// platters are read in any case.
func TestRunWakesNothing(t *testing.T) {
	for setting, want := range map[string][]string{
		"standby": {"smartctl --json=c -x -n standby /dev/sdb", "smartctl --json=c -x -n standby -d sat /dev/sdb"},
		"":        {"smartctl --json=c -x /dev/sdb", "smartctl --json=c -x -d sat /dev/sdb"},
	} {
		at := &answers{outputs: []assay.Output{{Stdout: load(t, "usb-unknown-bridge.json"), Exit: 1}, {Stdout: load(t, "ssd-statistics.json")}}}
		trial := assay.Trial{Settings: map[string]string{"device": "/dev/sdb"}}
		if setting != "" {
			trial.Settings["nocheck"] = setting
		}
		if _, err := New().Run(t.Context(), trial, assay.Bench{Place: at}); err != nil {
			t.Fatal(err)
		}
		for i, c := range at.asked {
			if got := strings.Join(c.Argv, " "); got != want[i] {
				t.Errorf("asked %q, want %q", got, want[i])
			}
		}
	}
}

func TestOnlyWhatTurnsMaySleep(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		drive assay.BlockDevice
		want  string
	}{
		"disk":      {assay.BlockDevice{Bus: assay.BusSATA, Rotational: &yes}, "standby"},
		"SSD":       {assay.BlockDevice{Bus: assay.BusSATA, Rotational: &no}, ""},
		"not known": {assay.BlockDevice{Bus: assay.BusUSB}, "standby"},
		"NVMe":      {assay.BlockDevice{Bus: assay.BusNVMe}, ""},
	} {
		c.drive.Name, c.drive.Kind = "sda", "disk"
		inv := assay.Inventory{
			Facts:    map[string]assay.Facts{"a": {Root: true, Block: []assay.BlockDevice{c.drive}}},
			Subjects: []assay.Subject{{ID: "a/drive/sda", Kind: assay.KindDrive, Host: "a", Name: "sda"}},
		}
		trials, err := New().Trials(inv, assay.Case{Name: "health"})
		if err != nil || len(trials) != 1 || trials[0].Settings["nocheck"] != c.want {
			t.Errorf("%s: %+v, %v", name, trials, err)
		}
	}
}
