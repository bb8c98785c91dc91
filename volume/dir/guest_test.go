package dir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/yamldoc"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
)

// Two resources in one kernel replicate to each other over the loopback interface,
// like two nodes.
const twoNodes = `set -e
for side in 0 1; do
	disk=$1; shift
	here=127.0.0.$((side + 1)) there=127.0.0.$((2 - side))
	drbdmeta --force $side v08 "$disk" internal create-md >/dev/null
	drbdsetup new-resource r$side
	drbdsetup new-minor r$side $side 0
	drbdsetup attach $side "$disk" "$disk" internal
	drbdsetup connect r$side $here:7788 $there:7788 --protocol=C
done
until drbdsetup status r0 | grep -q peer-disk:Inconsistent; do sleep .2; done
drbdsetup new-current-uuid --clear-bitmap 0
until drbdsetup status r0 | grep -q peer-disk:UpToDate; do sleep .2; done
drbdsetup primary 0
mkfs.ext4 -q /dev/drbd0
mount /dev/drbd0 /srv`

// TestLearnsOfDRBDInAGuest makes DRBD 8.4 replicate, disconnects it and resyncs
// it.
func TestLearnsOfDRBDInAGuest(t *testing.T) {
	one, two := guest.Disk{Bus: guest.Virtio, Serial: "ONE", Bytes: 128 << 20}, guest.Disk{Bus: guest.Virtio, Serial: "TWO", Bytes: 128 << 20}
	g := guesttest.UpDRBD(t, one, two)
	run := func(argv ...string) string {
		t.Helper()
		out, err := g.Run(t.Context(), argv...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	run("ln", "-s", "/bin/busybox", "/usr/local/bin/ip")
	run("sh", "-c", twoNodes, "sh", one.Link(), two.Link())
	if dir := os.Getenv("ASSAY_CAPTURE"); dir != "" {
		for name, command := range map[string]string{"show-8.4.txt": "drbdsetup show --show-defaults", "status-8.4.txt": "drbdsetup status r0", "proc-8.4-real.txt": "cat /proc/drbd"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(run("sh", "-c", command)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	learn := func() (assay.StackFacts, string) {
		t.Helper()
		f := assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Device: "drbd0", Bytes: 120 << 20}}}
		notes, err := (&Storage{Directory: yamldoc.Path("/srv")}).Learn(t.Context(), g.Place(), &f)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, n := range notes {
			ids = append(ids, n.ID)
			t.Log(n.Text)
		}
		return *f.Stack, strings.Join(ids, " ")
	}
	if s, ids := learn(); s.Copies != 2 || s.Remote != 1 || s.Protocol != "C" || s.Health != "UpToDate" || ids != "drbd-c-max-rate drbd-tiebreaker drbd-network" {
		t.Errorf("well: %+v, %s", s, ids)
	}
	run("drbdsetup", "disconnect", "127.0.0.1:7788", "127.0.0.2:7788")
	if s, ids := learn(); s.Copies != 1 || s.Remote != 0 || !strings.Contains(ids, "drbd-alone") {
		t.Errorf("cut off: %+v, %s", s, ids)
	}
}
