package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// facts returns matchers for lines that tell what a device is.
func facts() []fact {
	return []fact{
		{"iSCSI Initiator over TCP", scsiHost(incident.ISCSI)},
		{"scsi host", (*Reader).scsiHostDriver},
		{"Direct-Access", (*Reader).inquiry},
		{": [sd", (*Reader).sdName},
		{"Unrecovered read error", (*Reader).readSense},
		{"CDB: Write", (*Reader).writeCommand},
		{"smartctl", (*Reader).smartCommand},
		{"smart-log", (*Reader).smartCommand},
		{"Smart Log for NVME device:", (*Reader).smartLog},
		{"SMART overall-health", (*Reader).smartStatus},
		{"SMART Health Status:", (*Reader).smartStatus},
		{"SMART Failure:", (*Reader).smartdFailure},
		{"FAILED SMART self-check", (*Reader).smartdFailure},
		{"Currently unreadable (pending) sectors", smartd(incident.SMARTPending)},
		{"Offline uncorrectable sectors", smartd(incident.SMARTPending)},
		{"Self-Test Log error count increased", smartd(incident.SMARTSelfTest)},
		{"ATA error count increased", smartd(incident.SMARTLogged)},
		{"new Self-Test Log error at hour timestamp", smartd(incident.SMARTSelfTest)},
		{"199 UDMA_CRC_Error_Count changed from", smartd(incident.SMARTCRCGrew)},
		{"199 CRC_Error_Count changed from", smartd(incident.SMARTCRCGrew)},
		{", want=", (*Reader).beyondEnd},
		{"event severity: ", (*Reader).recordSeverity},
		{"[Hardware Error]:  Error ", (*Reader).recordSeverity},
		{"[Hardware Error]: severity: ", (*Reader).recordSeverity},
		{"section_type: ", (*Reader).recordSection},
		{"BUG: unable to handle", (*Reader).oopsBegins},
		{"BUG: kernel NULL pointer dereference", (*Reader).oopsBegins},
		{"general protection fault", (*Reader).oopsBegins},
		{"kernel BUG at ", (*Reader).oopsBegins},
		{"Unable to handle kernel ", (*Reader).oopsBegins},
		{"RIP: 0010:", (*Reader).oopsAt},
		{"pc : ", (*Reader).oopsAt},
		{"Failed SMART usage Attribute: ", (*Reader).pastThreshold},
		{"FAILING_NOW", (*Reader).failingNow},
		{"previous self-test completed with error (read", smartd(incident.SMARTSelfTest)},
		{"Critical Warning (0x", (*Reader).smartdWarning},
		{".T Status Bad, Backup and Replace", (*Reader).firmwareStatus},
		{"Read SMART Self-Test Log Failed", smartd(incident.SMARTUnread)},
		{"Read SMART Error Log Failed", smartd(incident.SMARTUnread)},
		{"Read Summary SMART Error Log failed", smartd(incident.SMARTUnread)},
		{"failed to read SMART Attribute Data", smartd(incident.SMARTUnread)},
		{"failed to read SMART values", smartd(incident.SMARTUnread)},
		{"failed to read NVMe SMART/Health Information", smartd(incident.SMARTUnread)},
		{"Reallocated_Sector_Ct", smartRow(incident.SMARTRealloc)},
		{"Reallocated_Event_Count", smartRow(incident.SMARTRealloc)},
		{"Current_Pending_Sector", smartRow(incident.SMARTPending)},
		{"Offline_Uncorrectable", smartRow(incident.SMARTPending)},
		{"Reported_Uncorrect", smartRow(incident.SMARTPending)},
		{"Uncorrectable_Error_Cnt", smartRow(incident.SMARTPending)},
		{"Uncorrectable_Sector_Ct", smartRow(incident.SMARTPending)},
		{"Total_Pending_Sectors", smartRow(incident.SMARTPending)},
		{"End-to-End_Error", smartRow(incident.SMARTPending)},
		{"UDMA_CRC_Error_Count", smartRow(incident.SMARTCRC)},
		{"CRC_Error_Count", smartRow(incident.SMARTCRC)},
		{"Media and Data Integrity Errors:", smartField(incident.SMARTMedia)},
		{"media_errors", smartField(incident.SMARTMedia)},
		{"Critical Warning:", smartField(incident.SMARTWarning)},
		{"critical_warning", smartField(incident.SMARTWarning)},
		{"- available spare has fallen below threshold", warned(1)},
		{"- temperature is above or below threshold", warned(2)},
		{"- NVM subsystem reliability has been degraded", warned(4)},
		{"- media has been placed in read only mode", warned(8)},
		{"- volatile memory backup device has failed", warned(16)},
		{"Percentage Used:", (*Reader).wear},
		{"Elements in grown defect list:", smartField(incident.SMARTRealloc)},
		{"Completed: read failure", (*Reader).selfTest},
		{"failed command: ", (*Reader).ataCommand},
		{"connection status changed", ataSays(ataPort.changed)}, // ahci
		{"device exchanged", ataSays(ataPort.changed)},          // sata_sil24
		{"dev connect", ataSays(ataPort.changed)},               // sata_mv
		{"hotplug", ataSays(ataPort.changed)},                   // sata_nv
		{"SATA link down", ataSays(ataPort.changed)},
		{"hard resetting link", ataSays(ataPort.reset)},
		{"SATA link up", ataSays(ataPort.up)},
		{", max UDMA/", ataSays(ataPort.identified)},
		{"EH complete", ataSays(ataPort.handled)},
		{"error: { ABRT }", (*Reader).ataAbort},
		{"Security:", (*Reader).security},
		{"locked", (*Reader).locked},
		{"Power supply #", (*Reader).powerSupply},
		{"Condition:", (*Reader).condition},
		{"throttled=0x", (*Reader).throttled},
		{"Attr", (*Reader).lvsHeader},
		{"Allocated pool data", (*Reader).lvdisplay},
		{"Allocated metadata", (*Reader).lvdisplay},
		{"Error: UNC", (*Reader).errorLog},
		{"Failed in segment -->", (*Reader).selfTest},
		{"Completed: electrical failure", (*Reader).selfTest},
		{"Completed: servo/seek failure", (*Reader).selfTest},
		{"Completed: unknown failure", (*Reader).selfTest},
		{"Drive failure expected in less than 24 hours", (*Reader).firmwareStatus},
		{"SMART Failure Predicted on Hard Disk", (*Reader).firmwareStatus},
		{"Use%", (*Reader).dfHeader},
		{"Capacity", (*Reader).dfHeader}, // POSIX and BSD wording
		{"°C", (*Reader).overCritical},
		{"Temperature", (*Reader).driveHeat},
		{"bad blocks found. (", (*Reader).badBlocks},
		{" : inactive ", (*Reader).inactiveArray},
		{"temp=", (*Reader).coreTemperature},
		{"seconds slow of NTP time", (*Reader).tracking},
		{"seconds fast of NTP time", (*Reader).tracking},
		{"refid", (*Reader).ntpHeader},
		{"NAME", (*Reader).tableHeader},
		{"I/O error, dev sd", (*Reader).failedSector},
		{"I/O error, dev nvme", (*Reader).failedSector},
		{"critical medium error, dev ", (*Reader).failedSector},
		{"percentage_used", (*Reader).wear},
		{"Media_Wearout_Indicator", (*Reader).normalized},
		{"Wear_Leveling_Count", (*Reader).normalized},
		{"Percent_Lifetime_Remain", (*Reader).normalized},
		{"Remaining_Lifetime_Perc", (*Reader).normalized},
		{"SSD_Life_Left", (*Reader).normalized},
		{"Number of Reported Uncorrectable Errors", statistic(incident.SMARTPending)},
		{"Number of Interface CRC Errors", statistic(incident.SMARTCRC)},
		{"read: ", (*Reader).errorCounters},
		{"write: ", (*Reader).errorCounters},
		{"verify: ", (*Reader).errorCounters},
		{"Error: AMNF", (*Reader).errorLog},
		{"element of the test failed", (*Reader).selfTest},
		{"unable to open ATA device", smartd(incident.SMARTUnread)},
		{"open() of ATA device failed", smartd(incident.SMARTUnread)},
		{"open() of NVMe device failed", smartd(incident.SMARTUnread)},
		{"Media Error Count", (*Reader).raidCount},
		{"Predictive Failure Count", (*Reader).raidCount},
		{"degrees C", (*Reader).sensor},
		{"RPM", (*Reader).sensor},
		{"Volts", (*Reader).sensor},
		{" : active ", (*Reader).activeArray},
		{"active with ", (*Reader).activeWith},
		{"% packet loss", (*Reader).packetLoss},
		{"crc_err", (*Reader).damagedFrames},
		{"fcs_err", (*Reader).damagedFrames},
		{"Cpu(s):", (*Reader).topLine},
		{"Local time:", (*Reader).clockShown},
		{"RTC time:", (*Reader).clockShown},
		{"Universal time:", (*Reader).clockShown},
		{"iqn.", (*Reader).iqn},
		{"-> ../../", (*Reader).byPath},
		{"/dev/sd", (*Reader).lsscsi},
		{"Attached scsi disk", (*Reader).sessionDisk},
		{"\"blockdevices\"", (*Reader).beginDocument},
		{"\"smartctl\"", (*Reader).beginDocument},
		{"/dev/longhorn/", (*Reader).longhorn},
		{"driver.longhorn.io", (*Reader).longhorn},
		{"longhorn-system", (*Reader).longhorn},
	}
}

// longhornVolumes is a host's placeholder device for "some volume of this engine", where
// a text names the engine but not the device.
const longhornVolumes = "longhorn volumes"

func (r *Reader) longhorn(text string, n int) {
	d := r.log.Stack.Device(r.host, longhornVolumes)
	if d.Line == "" {
		d.Volume, d.Source, d.Line = "longhorn", incident.Source{File: r.file, Line: n}, excerpt(text)
	}
}

// know records a device's transport, unless an earlier listing gave it.
func (r *Reader) know(name string, t incident.Transport, text string, n int) *incident.Device {
	d := r.log.Stack.Device(r.host, strings.Clone(name))
	if d.Transport == "" && t != "" {
		d.Transport, d.Source, d.Line = t, incident.Source{File: r.file, Line: n}, excerpt(text)
	}
	return d
}

// scsiHost records the transport of "scsi host9: …".
func scsiHost(t incident.Transport) func(*Reader, string, int) {
	return func(r *Reader, text string, _ int) {
		if _, rest, ok := strings.Cut(text, "scsi host"); ok {
			if number, _, ok := strings.Cut(rest, ":"); ok && digits(number) {
				r.context.host[strings.Clone(number)] = t
			}
		}
	}
}

// drivers are SCSI hosts by the kernel's names for them.
var drivers = []struct {
	word string
	is   incident.Transport
}{
	{"ahci", incident.SATA}, {"ata_", incident.SATA}, {"sata_", incident.SATA}, {"usb-storage", incident.USB}, {"uas", incident.USB},
	{"Virtio", incident.Virtual}, {"PVSCSI", incident.Virtual}, {"storvsc", incident.Virtual}, {"Fusion MPT", incident.SAS}, {"mpt3sas", incident.SAS},
	{"megaraid", incident.SAS}, {"Avago", incident.SAS}, {"hpsa", incident.SAS}, {"smartpqi", incident.SAS}, {"qla2xxx", incident.FC}, {"Emulex", incident.FC},
}

func (r *Reader) scsiHostDriver(text string, n int) {
	for _, d := range drivers {
		if strings.Contains(text, d.word) {
			scsiHost(d.is)(r, text, n)
			return
		}
	}
}

// products are SCSI disks by their vendor or model, where it shows that no drive
// answers, or which kind does.
var products = []struct {
	word string
	is   incident.Transport
}{
	{"IET ", incident.ISCSI}, {"LIO-ORG", incident.ISCSI}, {"SYNOLOGY", incident.ISCSI}, {"FreeNAS", incident.ISCSI}, {"TrueNAS", incident.ISCSI},
	{"Nimble", incident.ISCSI}, {"QEMU ", incident.Virtual}, {"VMware", incident.Virtual}, {"Msft ", incident.Virtual},
	{"Google ", incident.Virtual}, {"VBOX", incident.Virtual}, {"Virtual disk", incident.Virtual}, {" ATA ", incident.SATA},
}

func productOf(text string) incident.Transport {
	for _, p := range products {
		if strings.Contains(text, p.word) {
			return p.is
		}
	}
	return ""
}

// address returns the SCSI address at the start of a message: 9:0:0:1 in "sd 9:0:0:1:
// [sdk]".
func address(text string) string {
	fields := strings.Fields(text)
	for _, f := range fields[:min(len(fields), 3)] {
		f = strings.Trim(f, "[]:")
		if strings.Count(f, ":") == 3 && digits(strings.ReplaceAll(f, ":", "")) {
			return f
		}
	}
	return ""
}

// inquiry parses "scsi 9:0:0:1: Direct-Access IET VIRTUAL-DISK 0001 PQ: 0 ANSI:
// 5".
func (r *Reader) inquiry(text string, _ int) {
	if a := address(text); a != "" && len(r.vendor) < 4096 {
		r.vendor[strings.Clone(a)] = excerpt(text)
	}
}

// sdName derives a disk's host and product from "sd 9:0:0:1: [sdk] …".
func (r *Reader) sdName(text string, n int) {
	if !strings.HasPrefix(text, "sd ") {
		return
	}
	a, name := address(text), after("[")(text)
	if a == "" || !isDevice(name) {
		return
	}
	d := r.log.Stack.Device(r.host, strings.Clone(name))
	d.Address = strings.Clone(a)
	if d.Transport != "" {
		return
	}
	number, _, _ := strings.Cut(a, ":")
	said := r.vendor[a]
	t := productOf(said)
	if over := r.context.host[number]; over != "" {
		t = over
	}
	if t != "" {
		if said == "" {
			said = text
		}
		r.know(name, t, said, n)
		d.Model = said
	}
}

// readSense notes which device last answered with a read error. "Auto reallocate failed" is
// libata's translation of an unreadable sector on a SATA drive, whatever the command.
func (r *Reader) readSense(text string, _ int) {
	r.sense = ""
	if !strings.Contains(text, "auto reallocate failed") {
		r.sense = strings.Clone(device(text))
	}
}

// writeCommand finds writes that were answered with a read error. A drive answers a
// failed write with "write error"; a software target that maps every failure to one
// sense does not.
func (r *Reader) writeCommand(text string, n int) {
	name := device(text)
	if name != "" && name == r.sense {
		r.event(incident.WriteReadError, name, 0, r.line, n)
	}
	r.sense = ""
}

// smartCommand notes the drive named on a command line.
func (r *Reader) smartCommand(text string, _ int) {
	if _, path, ok := strings.Cut(text, "/dev/"); ok {
		if w := word(path); isDevice(w) {
			r.drive = strings.Clone(incident.ControllerOf(w))
		}
	}
}

// smartLog parses the heading of nvme-cli.
func (r *Reader) smartLog(text string, _ int) {
	r.drive = strings.Clone(incident.ControllerOf(after("device:")(text)))
}

func (r *Reader) smartStatus(text string, n int) {
	switch {
	case strings.Contains(text, "PASSED"), strings.HasSuffix(strings.TrimSpace(text), "OK"):
		r.smart(incident.SMARTClean, 0, text, n)
	case strings.Contains(text, "FAIL"), strings.Contains(text, "mpending failure"):
		r.smart(incident.SMARTFailed, 1, text, n)
	}
}

// heats are the temperature attributes.
var heats = []string{"190 ", "194 ", "231 Temperature"}

// pastThreshold parses smartd's message about an attribute below its threshold.
func (r *Reader) pastThreshold(text string, n int) {
	_, attribute, _ := strings.Cut(text, "Attribute: ")
	kind := incident.SMARTPast
	for _, h := range heats {
		if strings.HasPrefix(attribute, h) {
			kind = incident.Warm
		}
	}
	smartd(kind)(r, text, n)
}

// failingNow parses a row of smartctl's attribute table that is past its threshold.
func (r *Reader) failingNow(text string, n int) {
	row := strings.TrimLeft(text, " ")
	if fields := strings.Fields(row); len(fields) < 9 || !digits(fields[0]) {
		return
	}
	kind := incident.SMARTPast
	for _, h := range heats {
		if strings.HasPrefix(row, h) {
			kind = incident.Warm
		}
	}
	r.smart(kind, 1, text, n)
}

// firmwareStatus parses a PC firmware's message about a drive before boot, and
// smartctl's text below a failed status.
func (r *Reader) firmwareStatus(text string, n int) { r.smart(incident.SMARTFailed, 1, text, n) }

// smart records what a drive reports about itself.
func (r *Reader) smart(kind incident.Kind, value float64, text string, n int) {
	r.event(kind, r.drive, value, stamped{text: text}, n)
}

// smartRow reads the raw value in a row of ATA attributes, the tenth column. In tables
// cut down to the name and a few columns, it is the last number.
func smartRow(kind incident.Kind) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		fields := strings.Fields(text)
		if len(fields) >= 2 && strings.Contains(fields[0], "_") {
			last := fields[len(fields)-1]
			r.count(kind, last[strings.LastIndexByte(last, '=')+1:], text, n)
			return
		}
		if len(fields) < 8 || !digits(fields[0]) {
			return
		}
		raw := fields[len(fields)-1]
		if len(fields) >= 10 {
			raw = fields[9]
		}
		r.count(kind, raw, text, n)
	}
}

// smartField reads "name: value" and "name : value".
func smartField(kind incident.Kind) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		_, value, ok := strings.Cut(text, ":")
		if ok {
			value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
			r.count(kind, value, text, n)
		}
	}
}

// count records a drive's counter: errors, or that there are none.
func (r *Reader) count(kind incident.Kind, value, text string, n int) {
	value = strings.ReplaceAll(strings.Trim(value, ","), ",", "")
	v, err := strconv.ParseInt(value, 0, 64)
	switch {
	case err != nil || v < 0:
	case v == 0 && kind == incident.SMARTWarning, v == 0 && kind == incident.SMARTCRC, v == 0 && kind == incident.SMARTRealloc:
	case v == 0:
		r.smart(incident.SMARTClean, 0, text, n)
	default:
		r.smart(kind, float64(v), text, n)
	}
}

func (r *Reader) wear(text string, n int) {
	_, value, _ := strings.Cut(text, ":")
	if v, err := strconv.ParseFloat(strings.TrimRight(strings.TrimSpace(value), "%"), 64); err == nil && v >= 100 {
		r.smart(incident.SMARTWorn, v, text, n)
	}
}

func (r *Reader) selfTest(text string, n int) { r.smart(incident.SMARTSelfTest, 1, text, n) }
func (r *Reader) errorLog(text string, n int) { r.smart(incident.SMARTErrorLog, 1, text, n) }

// iqn parses the target in iscsiadm's list, and rows of lsscsi -t.
func (r *Reader) iqn(text string, n int) {
	_, rest, _ := strings.Cut(text, "iqn.")
	r.target = "iqn." + strings.Clone(word(rest))
	if strings.Contains(r.target, "longhorn") {
		r.longhorn(text, n)
	}
	if _, path, ok := strings.Cut(text, "/dev/"); ok {
		if name := word(path); isDevice(name) {
			r.know(name, incident.ISCSI, text, n).Volume = strings.TrimSuffix(strings.Split(r.target, ",")[0], ",")
		}
	}
}

// sessionDisk reads "Attached scsi disk sdk State: running" below a target.
func (r *Reader) sessionDisk(text string, n int) {
	if name := after("Attached scsi disk ")(text); isDevice(name) {
		r.know(name, incident.ISCSI, text, n).Volume = r.target
	}
}

// byPath parses a link in /dev/disk/by-path.
func (r *Reader) byPath(text string, n int) {
	from, to, _ := strings.Cut(text, "-> ../../")
	name := word(to)
	if !isDevice(name) {
		return
	}
	for _, p := range []struct {
		word string
		is   incident.Transport
	}{{"-iscsi-iqn.", incident.ISCSI}, {"-usb-", incident.USB}, {"-ata-", incident.SATA}, {"-nvme-", incident.NVMe}, {"-sas-", incident.SAS}, {"-fc-", incident.FC}, {"virtio", incident.Virtual}} {
		if strings.Contains(from, p.word) {
			d := r.know(name, p.is, text, n)
			if _, iqn, ok := strings.Cut(from, "-iscsi-"); ok {
				d.Volume = strings.Clone(word(iqn))
			}
			return
		}
	}
}

// lsscsi reads rows of lsscsi: "[9:0:0:1] disk IET VIRTUAL-DISK 0001 /dev/sdk".
func (r *Reader) lsscsi(text string, n int) {
	if a := address(text); a == "" || !strings.Contains(text, " disk ") {
		return
	}
	_, path, _ := strings.Cut(text, "/dev/")
	name := word(path)
	t := productOf(text)
	switch {
	case strings.Contains(text, "iqn."):
		t = incident.ISCSI
	case strings.Contains(text, " usb:"):
		t = incident.USB
	case strings.Contains(text, " sata:"):
		t = incident.SATA
	case strings.Contains(text, " sas:"):
		t = incident.SAS
	}
	if isDevice(name) && t != "" {
		r.know(name, t, text, n).Model = excerpt(text)
	}
}
