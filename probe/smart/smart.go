package smart

import (
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/setting"
)

// bound is the timeout for smartctl: a drive that has to spin up and then
// retries a failing sector can take most of a minute.
const bound = 2 * time.Minute

type probe struct{}

var (
	_ assay.Probe    = probe{}
	_ assay.Measurer = probe{}
)

// New returns the probe.
func New() assay.Probe { return probe{} }

func (probe) Spec() assay.Spec {
	return assay.Spec{
		Name: "smart",
		Tools: []assay.Tool{{
			Name:  "smartctl",
			Least: "7.0", // the first with --json
			Packages: map[string]string{
				"apt": "smartmontools", "dnf": "smartmontools",
				"pacman": "smartmontools", "apk": "smartmontools",
			},
		}},
		Metrics: []string{
			"smart.passed", "smart.available_spare", "smart.percentage_used",
			"smart.media_errors", "smart.temperature", "smart.power_on_hours",
			"smart.data_written", "smart.data_read", "smart.unsafe_shutdowns",
			"smart.error_log_entries", "smart.throttle_minutes",
			"smart.reallocated_sectors", "smart.crc_errors", "smart.self_test_failures", "smart.failing_attributes",
			"smart.end_to_end_errors", "smart.spin_retries", "smart.load_cycles", "smart.non_medium_errors",
		},
	}
}

// Trials returns one trial per drive. It fails if the case is not about drives
// or has settings, since there are none.
func (probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != "" && c.On != assay.KindDrive {
		return nil, fmt.Errorf("case smart/%s is on %q: smart measures a %s", c.Name, c.On, assay.KindDrive)
	}
	if err := setting.Of(c.Name, c.Set).Err(); err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, drive := range inv.Of(assay.KindDrive) {
		trials = append(trials, trialFor(inv, c, drive))
	}
	return trials, nil
}

func trialFor(inv assay.Inventory, c assay.Case, drive assay.Subject) assay.Trial {
	t := assay.Trial{
		ID:      "smart/" + c.Name + "@" + drive.ID,
		Probe:   "smart",
		Case:    c.Name,
		Title:   c.Title,
		Subject: drive,
		Claims:  []string{drive.ID},
		Risk:    assay.Reads,
		Bound:   bound,
	}
	facts, known := inv.Facts[drive.Host]
	if !known {
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: "no facts were collected about host " + drive.Host}
		return t
	}
	device := facts.Device(drive.Name)
	if device == nil {
		t.Absent = &assay.Absence{
			Word: assay.Unknown,
			Why:  "no block device " + drive.Name + " was found on " + drive.Host,
		}
		return t
	}
	if t.Absent = unsupported(*device); t.Absent != nil {
		return t
	}
	if !facts.Root {
		t.Absent = &assay.Absence{
			Word: assay.Unknown,
			Why:  "only root can read a drive's SMART data",
			Hint: "run assay as root or with sudo",
		}
		return t
	}
	t.Settings = map[string]string{"device": devicePath(*device)}
	if maySleep(*device) {
		t.Settings["nocheck"] = "standby"
	}
	return t
}

// maySleep reports whether querying the drive might have to spin it up. Some
// SATA SSDs always claim to be on standby; they have nothing to spin up.
func maySleep(d assay.BlockDevice) bool {
	return d.Bus != assay.BusNVMe && (d.Rotational == nil || *d.Rotational)
}

func devicePath(d assay.BlockDevice) string {
	if strings.HasPrefix(d.Path, "/dev/") {
		return d.Path
	}
	return "/dev/" + d.Name
}

// unsupported returns why a block device has no SMART data of its own, or nil
// if it may have some.
func unsupported(d assay.BlockDevice) *assay.Absence {
	no := func(why, hint string) *assay.Absence {
		return &assay.Absence{Word: assay.NotSupported, Why: why, Hint: hint}
	}
	virtual := func() *assay.Absence {
		return no("a virtual disk has no SMART data of its own: check on the hypervisor", "")
	}
	switch {
	case d.Kind == "loop" || d.Bus == assay.BusLoop:
		return no("a loop device is a file: check the drive that holds it", "")
	case d.Kind == "zram" || strings.HasPrefix(d.Name, "zram"):
		return no("a zram device is memory: it has no SMART data", "")
	case d.Kind == "rom":
		return no("an optical drive has no SMART data", "")
	case d.Kind != "" && d.Kind != "disk":
		return no(fmt.Sprintf("%s is not a drive (%s): check the drives below it", d.Name, d.Kind), "")
	case d.Bus == assay.BusMMC:
		return no("SD cards and eMMC do not support SMART", "for eMMC, mmc extcsd read shows the lifetime estimate")
	case d.Bus == assay.BusVirtio, d.Bus == assay.BusXen:
		return virtual()
	case d.Bus == assay.BusISCSI:
		return no("an iSCSI disk has no SMART data of its own: check on the target", "")
	case emulated(d.Model):
		return virtual()
	}
	return nil
}

// emulated reports whether a model is a hypervisor's disk on a SATA, SCSI or
// NVMe bus. Some of them answer SMART with constants, which must not pass for
// health.
func emulated(model string) bool {
	model = strings.ToUpper(model)
	for _, mark := range []string{"QEMU", "VBOX", "VMWARE", "VIRTUAL DISK", "VIRTUAL_DISK", "VIRTUAL NVME"} {
		if strings.Contains(model, mark) {
			return true
		}
	}
	return false
}
