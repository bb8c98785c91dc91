package audit

import (
	"fmt"
	"math"

	"assay"
)

var migrationAverage = Rule{
	ID: "migration-average", Number: 48, Applies: "migration", Severities: "W",
	Title:   "An average speed that was not measured",
	Formula: "|reported speed / (bytes sent / time sending) - 1| > 5 %, and more than a log's rounding to whole seconds explains; downtime > its limit; interval between the probes that measured the downtime > downtime / 5",
	Source:  "Proxmox VE's qemu-server divides the guest's memory by whole seconds (PVE/QemuMigrate.pm), not what was sent: zero pages are skipped, and dirtied pages are sent again",
	Example: "806.6 MiB/s reported against 11.7 GiB / 16.0 s = 748.8 MiB/s: +7.72 %; it is 12.6 GiB / 16.0 s",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			found = append(found, l.migrationSpeed()...)
			found = append(found, l.downtimeOverLimit()...)
			found = append(found, l.downtimeProbed()...)
		}
		return found
	},
}

const migrationRule = "migration-average"

func (l look) migrationSpeed() []assay.Finding {
	metrics := []string{"migration.throughput"}
	reported, ok := l.median("migration.throughput")
	if !ok || !(reported > 0) {
		return nil
	}
	sent, okSent := l.median("migration.transferred")
	took, okTook := l.median("migration.transfer_time")
	whole, _ := l.median("migration.memory")
	switch {
	case !okSent || !(sent > 0):
		return []assay.Finding{l.unchecked(migrationRule, metrics, "amount of memory sent",
			"newer releases of Proxmox VE write it (\"migration completed, transferred\"); while it runs, "+l.ownCount()+" says it")}
	case !okTook || !(took > 0):
		return []assay.Finding{l.unchecked(migrationRule, metrics, "time spent sending", "keep the timestamps at the start of the log's lines")}
	}
	if l.label("", "tool") == libvirt && reported > sent/took {
		return nil // QEMU divides by its own time; libvirt's also includes preparation
	}
	took, divided := secondsBehind(reported, sent, whole, took)
	off := reported/(sent/took) - 1
	if math.Abs(off) <= migrationSlack+roundedBy(sent) || !divided && explained(reported, sent, took) {
		return nil
	}
	arithmetic := fmt.Sprintf("%s reported against %s / %s = %s: %s", mebibytes(reported), sized(sent), seconds(took), mebibytes(sent/took), signed(off))
	message := "the reported average is not bytes sent divided by time"
	if divided {
		arithmetic += fmt.Sprintf("; it is %s / %s", sized(whole), seconds(took))
		message = "it divides the guest's memory size, not the bytes sent: it shows how large the guest is, not how fast the network is"
	}
	return []assay.Finding{l.finding(migrationRule, assay.Warns, metrics, arithmetic, message,
		"quote "+mebibytes(sent/took)+"; QEMU's own count while it runs: "+l.ownCount())}
}

// secondsBehind finds the whole seconds for which the reported speed equals
// guest memory over time: those of the log, or one off if the log's cannot be
// right. divided is false if there are none.
func secondsBehind(reported, sent, memory, took float64) (s float64, divided bool) {
	is := func(s float64) bool {
		return s > 0 && memory > 0 && math.Abs(reported*s/memory-1) <= max(sameQuotient, roundedBy(memory))
	}
	switch {
	case is(took):
		return took, true
	case explained(reported, sent, took):
		return took, false
	case is(took - logSecond):
		return took - logSecond, true
	case is(took + logSecond):
		return took + logSecond, true
	}
	return took, false
}

// explained reports whether a time off by up to a second makes the reported speed
// a true average.
func explained(reported, sent, took float64) bool {
	slack := migrationSlack + roundedBy(sent)
	if shortest := took - logSecond; shortest > 0 && reported > sent/shortest*(1+slack) {
		return false
	}
	return reported >= sent/(took+logSecond)*(1-slack)
}

// roundedBy returns the share by which rounding may change a size printed to a
// tenth of a GiB, or of a MiB if below one.
func roundedBy(bytes float64) float64 {
	unit := float64(1 << 20)
	if bytes >= 1<<30 {
		unit = 1 << 30
	}
	return .05 * unit / bytes
}

func (l look) downtimeOverLimit() []assay.Finding {
	downtime, ok := l.median("migration.downtime")
	limit, okLimit := l.median("migration.downtime.limit")
	if !ok || !okLimit || !(limit > 0) || downtime <= limit {
		return nil
	}
	needs := math.Max(.1, math.Ceil(downtime*10+.5)/10)
	allow := fmt.Sprintf("qm set %s --migrate_downtime %.1f && qm migrate %s %s --online", l.guest(), needs, l.guest(), orDefault(l.label("", "to"), "NODE"))
	if l.label("", "tool") == libvirt {
		allow = fmt.Sprintf("virsh migrate-setmaxdowntime %s %.0f, while it migrates", l.guest(), 1000*needs)
	}
	return []assay.Finding{l.finding(migrationRule, assay.Warns, []string{"migration.downtime"},
		fmt.Sprintf("%s against a limit of %s: %s", seconds(downtime), seconds(limit), times(downtime/limit)),
		"the guest was paused for longer than allowed: it dirtied memory faster than the network carried it, or its devices took long to save",
		"allow the downtime it needs and migrate again: "+allow)}
}

// downtimeProbed judges a downtime measured by something other than the
// hypervisor, mostly by lost pings.
func (l look) downtimeProbed() []assay.Finding {
	downtime, ok := l.median("migration.downtime")
	interval, known := parseSeconds(l.label("", "probe_interval"))
	if !ok || !known || !(downtime > 0) || interval <= downtime*probeShare {
		return nil
	}
	return []assay.Finding{l.finding(migrationRule, assay.Warns, []string{"migration.downtime"},
		fmt.Sprintf("a probe every %s against %s / 5 = %s", seconds(interval), seconds(downtime), seconds(downtime*probeShare)),
		"the downtime is known only to within the probe interval",
		fmt.Sprintf("probe more often: ping -D -O -i %.3f GUEST", math.Max(.002, math.Floor(downtime*100)/1000)))}
}

// libvirt is the tool that migrates libvirt guests.
const libvirt = "virsh"

// guest is the hypervisor's name for the guest: a number in Proxmox VE, a name in libvirt.
func (l look) guest() string {
	if l.label("", "tool") == libvirt {
		return orDefault(l.label("", "guest"), orDefault(l.Trial.Subject.Name, "GUEST"))
	}
	return orDefault(l.label("", "guest"), "VMID")
}

// ownCount is the command that shows how much QEMU has sent so far.
func (l look) ownCount() string {
	if l.label("", "tool") == libvirt {
		return "virsh domjobinfo " + l.guest()
	}
	return "echo 'info migrate' | qm monitor " + l.guest()
}

// mebibytes formats B/s as hypervisors do, to a tenth.
func mebibytes(v float64) string { return grouped(v/(1<<20), 1) + " MiB/s" }

// sized formats bytes as hypervisors do: binary, to a tenth.
func sized(v float64) string {
	if math.Abs(v) >= 1<<30 {
		return grouped(v/(1<<30), 1) + " GiB"
	}
	return grouped(v/(1<<20), 1) + " MiB"
}

func signed(share float64) string {
	if share > 0 {
		return "+" + percent(share)
	}
	return percent(share)
}
