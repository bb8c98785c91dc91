package blame_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/incident/blame"
	"assay/incident/read"
)

// Posted lines make a verdict likely at most, unless such lines leave no doubt; what they
// leave open is named. Queried hosts show more than lines.
func TestJudgePosted(t *testing.T) {
	const (
		smart   = "SMART overall-health self-assessment test result: FAILED!\n"
		damaged = "[   20.1] EXT4-fs error (device sda2): ext4_lookup:1785: inode #9: comm rsync: iget: checksum invalid\n"
		brains  = "[   20.1] drbd r0/0 drbd0: Split-Brain detected but unresolved, dropping connection!\n"
		busy    = "Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) db-0\n"
	)
	for name, c := range map[string]struct{ text, asked, posted string }{
		"a drive's own verdict":             {smart, "certain drive []", "certain drive []"},
		"a damaged file system":             {damaged, "likely file system []", "likely file system [drive power]"},
		"two halves of a replicated volume": {brains, "very likely replication engine []", "likely replication engine [network operator]"},
		"what is left open beside a rival":  {busy, "likely operator []", "likely operator [hypervisor]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := read.New()
			if err := r.Read("dmesg.txt", "", strings.NewReader(c.text)); err != nil {
				t.Fatal(err)
			}
			for how, v := range map[string]struct {
				said blame.Verdict
				want string
			}{"asked": {blame.Judge(r.Log()), c.asked}, "posted": {blame.JudgePosted(r.Log()), c.posted}} {
				if v.said.Cause == nil {
					t.Fatalf("%s: no cause", how)
				}
				if got := fmt.Sprint(v.said.Cause.How, " ", v.said.Cause.Layer, " ", v.said.Open); got != v.want {
					t.Errorf("%s: %s, want %s", how, got, v.want)
				}
			}
		})
	}
}
