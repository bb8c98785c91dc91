package decide_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/incident/read"
	"assay/place/local"
	"assay/volume/volumetest"
)

func logOf(t *testing.T, host, text string) incident.Log {
	t.Helper()
	r := read.New()
	if err := r.Read("dmesg", host, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return r.Log()
}

// loop returns a loop device on a file of 8 MiB.
func loop(t *testing.T) (file, name string) {
	t.Helper()
	volumetest.NeedLoop(t)
	file = filepath.Join(t.TempDir(), "image of a guest")
	body := make([]byte, 8<<20)
	for i := range body {
		body[i] = byte(i >> 12)
	}
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", file).Output()
	if err != nil {
		t.Skipf("no loop device: %v", err)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	return file, filepath.Base(device)
}

// sums returns a file's checksum, and how many writes the kernel counted on a
// device.
func sums(t *testing.T, file, device string) string {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/sys/class/block/" + device + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(stat))
	return fmt.Sprintf("%d bytes, sha256 %x, writes %s, sectors %s", len(body), sha256.Sum256(body), f[4], f[6])
}

func measure(t *testing.T, log incident.Log, v blame.Verdict) (blame.Verdict, []decide.Measured) {
	t.Helper()
	at := local.New("here", "")
	defer at.Close()
	all, err := decide.Host(t.Context(), at, decide.Plan(log, v))
	if err != nil {
		t.Fatal(err)
	}
	return decide.Settle(v, all)
}

// A loop device with a truncated file gives real I/O errors: reads decide what was
// undecided, without writing a byte.
func TestALoopDeviceWhoseFileWasShortened(t *testing.T) {
	file, name := loop(t)
	if err := os.Truncate(file, 4<<20); err != nil {
		t.Fatal(err)
	}
	log := logOf(t, "here", fmt.Sprintf("[65729.573771] I/O error, dev %s, sector 12000 op 0x0:(READ) flags 0x800 phys_seg 1 prio class 2\n", name))
	v := blame.Judge(log)
	if v.Cause != nil || len(v.Between) < 2 {
		t.Fatalf("the log alone decides: %+v", v)
	}
	before := sums(t, file, name)
	v, all := measure(t, log, v)
	if after := sums(t, file, name); after != before {
		t.Errorf("something was written: %s, then %s", before, after)
	}
	if v.Cause == nil || v.Cause.Layer != incident.FileSystem || v.Cause.How != blame.VeryLikely {
		t.Fatalf("verdict %+v after %+v", v, all)
	}
	if len(all) != 1 || all[0].Answer != decide.Confirmed || !strings.Contains(all[0].Says, file+" has 4194304 B, the device 8388608 B") {
		t.Errorf("%+v", all)
	}
}

// A healthy one is read without an error, which decides nothing.
func TestALoopDeviceThatIsWell(t *testing.T) {
	file, name := loop(t)
	log := logOf(t, "here", fmt.Sprintf("[1.0] I/O error, dev %s, sector 12000 op 0x0:(READ) flags 0x800 phys_seg 1 prio class 2\n", name))
	before := sums(t, file, name)
	v, all := measure(t, log, blame.Judge(log))
	if after := sums(t, file, name); after != before {
		t.Errorf("something was written: %s, then %s", before, after)
	}
	if v.Cause != nil || len(all) != 1 || all[0].Answer != decide.Undecided || !strings.Contains(all[0].Says, "was read without an error") {
		t.Errorf("verdict %+v, %+v", v, all)
	}
}

// Only block devices are read, and no name leads out of /dev.
func TestOnlyBlockDevicesAreRead(t *testing.T) {
	log := logOf(t, "here", "[1.0] blk_update_request: critical medium error, dev sdzzy, sector 800\n")
	v, all := measure(t, log, blame.Judge(log))
	if v.Cause != nil || len(all) == 0 {
		t.Fatalf("verdict %+v, %+v", v, all)
	}
	for _, m := range all {
		if m.Answer != decide.NotMeasured || !strings.Contains(m.Absent, "/dev/sdzzy is not a block device here") {
			t.Errorf("%+v", m)
		}
	}
	for _, name := range []string{"sd/../null", "sda;reboot", "sd$(id)", "loop0 x", "null", "tty1", "sd", "../sda", "sd\n"} {
		cause := blame.Cause{Layer: incident.Drive, How: blame.VeryLikely, Evidence: []incident.Event{{Kind: incident.MediumError, Device: name, Text: "sector 8"}}}
		odd := incident.Log{Events: cause.Evidence}
		if reads := decide.Plan(odd, blame.Verdict{Cause: &cause}); len(reads) > 0 {
			t.Errorf("%q is read: %+v", name, reads)
		}
	}
}

// told is a host that answers with canned texts, in turn, by a word of the
// script.
type told struct{ says map[string][]string }

func (h told) Host() assay.Host { return assay.Host{Name: "pve4"} }
func (h told) Close() error     { return nil }
func (h told) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	for word, texts := range h.says {
		if strings.Contains(c.Argv[2], word) {
			h.says[word] = texts[1:]
			return assay.Output{Stdout: []byte(texts[0])}, nil
		}
	}
	return assay.Output{Exit: 127}, nil
}

// block returns the script's output line for one block, as worded by dd of coreutils
// 9.1.
func block(device string, at int, fails bool) string {
	if fails {
		return fmt.Sprintf("read\t%s\t%d\t1\tdd: error reading '/dev/%s': Input/output error 0+0 records in 0+0 records out 0 bytes copied, 0.00134473 s, 0.0 kB/s\n", device, at, device)
	}
	return fmt.Sprintf("read\t%s\t%d\t0\t1+0 records in 1+0 records out 4096 bytes (4.1 kB, 4.0 KiB) copied, 7.4451e-05 s, 55.0 MB/s\n", device, at)
}

const (
	clean    = "smartctl -A /dev/sdk\n197 Current_Pending_Sector  0x0032   100   100   000    Old_age   Always       -       0\n199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       3\n"
	pending  = "smartctl -A /dev/sdk\n197 Current_Pending_Sector  0x0032   100   100   000    Old_age   Always       -       8\n199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       3\n"
	crc      = "smartctl -A /dev/sdk\n197 Current_Pending_Sector  0x0032   100   100   000    Old_age   Always       -       0\n199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       9\n"
	oneFails = "[1.0] blk_update_request: critical medium error, dev sdk, sector 800\n"
	noReason = "[1.0] blk_update_request: I/O error, dev sdk, sector 800\n"
	lossy    = "peer\t10.0.0.2\n50 packets transmitted, 41 received, 18% packet loss, time 9960ms\nrtt min/avg/max/mdev = 0.312/0.498/1.211/0.100 ms\ngrew\teth0\trx_crc_errors\t12\n"
	unlossy  = "peer\t10.0.0.2\n50 packets transmitted, 50 received, 0% packet loss, time 9960ms\nrtt min/avg/max/mdev = 0.312/0.498/1.211/0.100 ms\n"
	peerGone = "drbd r0 nodeB: PingAck did not arrive in time.\n"
)

func tree(tran string) string {
	return `{"blockdevices": [{"name":"sdk", "tran":"` + tran + `", "vendor":"ATA     ", "model":"X", "type":"disk", "mountpoint":null}]}` + "\n"
}

// Reads change a verdict only as far as they go.
func TestWhatReadsShow(t *testing.T) {
	some := ""
	for at := 96; at <= 104; at++ {
		some += block("sdk", at, at == 100)
	}
	well := block("sdk", 99, false) + block("sdk", 100, false)
	all := block("sdk", 99, true) + block("sdk", 100, true)
	for name, c := range map[string]struct {
		log   string
		says  map[string][]string
		want  incident.Layer // "" for undecided
		among []decide.Answer
		words string
	}{
		"a drive that can't read one block": {noReason + tree("sata"), map[string][]string{"around": nil, "iflag": {some}, "smartctl": {clean, clean}}, incident.Drive, []decide.Answer{decide.Undecided, decide.Confirmed}, "1 of 9 blocks"},
		"pending sectors that grow":         {noReason + tree("sata"), map[string][]string{"iflag": {well}, "smartctl": {clean, pending}}, incident.Drive, []decide.Answer{decide.Confirmed, decide.Undecided}, "0, then 8"},
		"CRC errors that grow":              {noReason + tree("sata"), map[string][]string{"iflag": {well}, "smartctl": {clean, crc}}, incident.Link, []decide.Answer{decide.Confirmed, decide.Undecided}, "3, then 9"},
		"a drive that is cut off":           {noReason + tree("sata"), map[string][]string{"iflag": {all}, "smartctl": {clean, clean}}, "", []decide.Answer{decide.Undecided, decide.Undecided}, "cut off would look the same"},
		"a drive that reads again":          {noReason + tree("sata"), map[string][]string{"iflag": {well}, "smartctl": {clean, clean}}, "", []decide.Answer{decide.Undecided, decide.Undecided}, "may have been repaired"},
		"a volume over iSCSI":               {oneFails + tree("iscsi"), map[string][]string{"iflag": {some}, "ping": {unlossy}}, incident.Engine, []decide.Answer{decide.Confirmed, decide.Undecided}, "no drive of this machine"},
		"a disk of which nothing is known":  {oneFails, map[string][]string{"iflag": {some}, "smartctl": {"absent not supported: x", "absent not supported: x"}}, "", []decide.Answer{decide.NotMeasured, decide.Undecided}, "isn't known"},
		"dd that knows no direct":           {noReason + tree("sata"), map[string][]string{"iflag": {"read\tsdk\t99\t1\tdd: unknown option iflag\n"}, "smartctl": {clean, clean}}, "", []decide.Answer{decide.Undecided, decide.NotMeasured}, ""},
		"a network that loses packets":      {peerGone, map[string][]string{"ping": {lossy}}, incident.Network, []decide.Answer{decide.Confirmed}, "rx_crc_errors of eth0 grew by 12"},
		"a network that is well now":        {peerGone, map[string][]string{"ping": {unlossy}}, "", []decide.Answer{decide.Undecided}, "50 of 50 pings"},
		"a peer that answers nothing":       {peerGone, map[string][]string{"ping": {"peer\t10.0.0.2\n50 packets transmitted, 0 received, 100% packet loss, time 9960ms\n"}}, "", []decide.Answer{decide.Undecided}, "0 of 50 pings"},
	} {
		t.Run(name, func(t *testing.T) {
			log := logOf(t, "pve4", c.log)
			delete(c.says, "around")
			reads := decide.Plan(log, blame.Judge(log))
			for _, r := range reads {
				if r.What == "" || r.Shows == "" || r.Longest <= 0 || r.Longest > time.Minute || r.Bytes > 16<<20 {
					t.Errorf("a read that does not say what it costs: %+v", r)
				}
			}
			got, err := decide.Host(t.Context(), told{c.says}, reads)
			if err != nil {
				t.Fatal(err)
			}
			v, got := decide.Settle(blame.Judge(log), got)
			var answers []decide.Answer
			said := ""
			for _, m := range got {
				answers = append(answers, m.Answer)
				said += m.Says + m.Absent + "\n"
			}
			if !slices.Equal(answers, c.among) || !strings.Contains(said, c.words) {
				t.Errorf("answers %q, want %q; said %s", answers, c.among, said)
			}
			var layer incident.Layer
			if v.Cause != nil {
				layer = v.Cause.Layer
			}
			if layer != c.want {
				t.Errorf("blames %q, want %q: %s", layer, c.want, said)
			}
		})
	}
}

// layered returns the script's output for a stacked device and the one below
// it.
func layered(upper, lower bool) string {
	text := "lower\tsdk\n"
	for at := range 8 {
		text += block("dm-3", at, upper && at == 5) + block("sdk", at, lower && at == 5)
	}
	return text
}

// In a stacked device the lowest failing layer is to blame.
func TestTheLayerBelow(t *testing.T) {
	// The reset leaves open whether the mapping or its disk failed.
	log := logOf(t, "pve4", "[0.9] sd 2:0:0:0: [sdk] Power-on or device reset occurred\n[1.0] blk_update_request: I/O error, dev dm-3, sector 800\n"+tree("sata"))
	for name, c := range map[string]struct {
		text string
		want incident.Layer
	}{
		"only the upper one": {layered(true, false), incident.Volumes},
		"both":               {layered(true, true), incident.Drive},
		"none":               {layered(false, false), ""},
		"one that is slow":   {strings.ReplaceAll(layered(false, false), "dm-3\t5\t0\t1+0 records in 1+0 records out 4096 bytes (4.1 kB, 4.0 KiB) copied, 7.4451e-05 s", "dm-3\t5\t0\tcopied, 3 s"), ""},
		"all that are slow":  {slowed(layered(false, false)), incident.Volumes},
	} {
		t.Run(name, func(t *testing.T) {
			v := blame.Judge(log)
			got, err := decide.Host(t.Context(), told{map[string][]string{"iflag": {c.text}}}, decide.Plan(log, v))
			if err != nil {
				t.Fatal(err)
			}
			v, got = decide.Settle(v, got)
			var layer incident.Layer
			if v.Cause != nil {
				layer = v.Cause.Layer
			}
			if layer != c.want || len(got) != 1 {
				t.Errorf("blames %q, want %q: %+v", layer, c.want, got)
			}
		})
	}
}

func slowed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "read\tdm-3") {
			line = strings.Replace(line, "7.4451e-05 s", "0.25 s", 1)
		}
		b.WriteString(line)
	}
	return b.String()
}

// A verdict contradicted by a read is doubted, unless the drive's own report made it
// certain.
func TestAContradictedVerdict(t *testing.T) {
	evidence := []incident.Event{{Kind: incident.IOError, Host: "pve4", Device: "dm-3", Count: 1}}
	m := decide.Measured{Read: decide.Read{Host: "pve4", Device: "dm-3"}, Shown: decide.Shown{Says: "x", Against: []incident.Layer{incident.Drive}}}
	for how, want := range map[blame.Sureness]bool{blame.VeryLikely: false, blame.Certain: true} {
		v, got := decide.Settle(blame.Verdict{Cause: &blame.Cause{Layer: incident.Drive, Host: "pve4", Device: "dm-3", How: how, Evidence: evidence}}, []decide.Measured{m})
		if (v.Cause != nil) != want || got[0].Answer != decide.Contradicted {
			t.Errorf("%s: %+v, %s", how, v, got[0].Answer)
		}
	}
	// A measurement of another device says nothing about this one.
	other := m
	other.Device = "dm-4"
	if v, _ := decide.Settle(blame.Verdict{Cause: &blame.Cause{Layer: incident.Drive, Host: "pve4", Device: "dm-3", How: blame.VeryLikely, Evidence: evidence}}, []decide.Measured{other}); v.Cause == nil {
		t.Error("another device's read contradicts")
	}
}

// A cause that is only likely is decided like one of several: a read that supports it
// makes it surer, one that supports its rival makes the rival the cause, and one that
// only speaks against it leaves all of them open.
func TestALikelyVerdict(t *testing.T) {
	evidence := []incident.Event{{Kind: incident.IOError, Host: "pve4", Device: "sdb", Count: 1}}
	cause := func(l incident.Layer, how blame.Sureness) blame.Cause {
		return blame.Cause{Layer: l, Host: "pve4", Device: "sdb", How: how, Evidence: evidence}
	}
	drive, link := cause(incident.Drive, blame.Likely), cause(incident.Link, blame.Possible)
	for name, c := range map[string]struct {
		shown decide.Shown
		cause incident.Layer
		how   blame.Sureness
		open  int
	}{
		"for it":          {decide.Shown{For: []incident.Layer{incident.Drive}}, incident.Drive, blame.VeryLikely, 0},
		"for its rival":   {decide.Shown{For: []incident.Layer{incident.Link}, Against: []incident.Layer{incident.Drive}}, incident.Link, blame.VeryLikely, 0},
		"against it":      {decide.Shown{Against: []incident.Layer{incident.Drive}}, "", 0, 2},
		"nothing of both": {decide.Shown{For: []incident.Layer{incident.Network}}, incident.Drive, blame.Likely, 0},
	} {
		v, _ := decide.Settle(blame.Verdict{Cause: &drive, Rivals: []blame.Cause{link}}, []decide.Measured{{Read: decide.Read{Host: "pve4", Device: "sdb"}, Shown: c.shown}})
		switch {
		case len(v.Between) != c.open, (v.Cause == nil) != (c.cause == ""):
			t.Errorf("%s: %+v", name, v)
		case v.Cause != nil && (v.Cause.Layer != c.cause || v.Cause.How != c.how || (c.how == blame.Likely) != (len(v.Rivals) > 0)):
			t.Errorf("%s: %+v", name, v)
		}
	}
}
