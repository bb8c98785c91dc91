package decide

import (
	"testing"

	"assay/incident"
)

// Whatever a host answers, judging it does not panic, and each read yields a result.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{
		"refused /dev/sdk is not a block device here\n",
		"file\t8388608\t4194304\t/srv/guest.img\nread\tsdk\t100\t1\tdd: error reading '/dev/sdk': Input/output error\n",
		"lower\tsda\nread\tsdk\t0\t0\t4096 bytes (4.1 kB, 4.0 KiB) copied, 7.4451e-05 s, 55.0 MB/s\nread\tsda\t0\t124\t\n",
		"peer\t10.0.0.2\n40 packets transmitted, 32 received, 20% packet loss, time 8000ms\nrtt min/avg/max/mdev = 0.3/0.4/1.2/0.1 ms\ngrew\teth0\trx_errors\t3\n",
		"absent not supported: ping is not installed\n",
		"197 Current_Pending_Sector  0x0032   100   100   000    Old_age   Always       -       8\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for what, s := range map[string]Shown{
			"sectors":  sectorsShow(incident.Device{Name: "sdk", Transport: incident.SATA}, "/dev/sdk", text),
			"layers":   layersShow("sdk", text, func(string) incident.Device { return incident.Device{} }),
			"path":     pathShows(text),
			"counters": countersShow("/dev/sdk", []string{text, text}),
		} {
			if s.Says == "" && s.Absent == "" {
				t.Errorf("%s: nothing is said of %q", what, text)
			}
		}
	})
}
