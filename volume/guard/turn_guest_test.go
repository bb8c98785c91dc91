package guard_test

import (
	"errors"
	"maps"
	"testing"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/volume/guard"
)

// drivesWord prints the state of a guest drive's write cache, bypassing the kernel's
// cached value.
const drivesWord = `n=$(basename "$(readlink -f "$1")")
case $n in
nvme*) nvme get-feature "/dev/${n%n1}" -f 6 ;;
vd*) cat "/sys/block/$n/cache_type" ;;
*) echo 1 >"/sys/block/$n/device/rescan"; cat "/sys/block/$n"/device/scsi_disk/*/cache_type ;;
esac | sed 's/.*value:\(0x\)\{0,1\}0*\([01]\)$/\2/'`

// TestWriteCachesOfAGuest turns off the write caches of disks on every bus while they are
// lent, and back on; once as clean-up does for a run killed in between, knowing only the
// receipts.
func TestWriteCachesOfAGuest(t *testing.T) {
	var disks []guest.Disk
	for _, bus := range guest.Buses {
		disks = append(disks, guest.Disk{Bus: bus, Serial: "CACHE" + string(bus), Bytes: 32 << 20})
	}
	b := bed{guesttest.Up(t, disks...), t.Context()}
	for _, d := range disks {
		t.Run(string(d.Bus), func(t *testing.T) {
			on, off := "write back", "write through"
			if d.Bus == guest.NVMe {
				on, off = "1", "0"
			}
			expect := func(want, when string) {
				t.Helper()
				if got := b.run(t, drivesWord, d.Link()); got != want {
					t.Errorf("%s: the drive says %q, want %q", when, got, want)
				}
			}
			expect(on, "at first")
			v := guard.New("rawblock")
			s := assay.Subject{ID: "guest/block/x", Kind: assay.KindBlock, Host: guest.Name, Name: d.Link(), Params: guard.Identity{Serial: d.Serial}.Params(), Turns: true}
			lent, err := v.Reserve(b.ctx, b.Place(), s, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := v.Lend(b.ctx, b.Place(), lent); err != nil {
				t.Fatal(err)
			}
			turn := func(value string) assay.Receipt {
				t.Helper()
				r, err := v.ReserveTurn(b.ctx, b.Place(), lent, assay.Request{ID: "fedcba9876543210", Way: assay.Way{"write_cache": value}})
				if err != nil {
					t.Fatal(err)
				}
				if want := (assay.Property{Of: d.Link(), Name: "write_cache", Value: "on"}); len(r.Restore) != 1 || r.Restore[0] != want || !maps.Equal(r.Way, assay.Way{"write_cache": value}) {
					t.Errorf("the receipt is %+v", r)
				}
				return r
			}
			r := turn("off")
			expect(on, "reserved")
			if err := v.Turn(b.ctx, b.Place(), r); err != nil {
				t.Fatal(err)
			}
			expect(off, "turned off")
			for range 2 {
				if err := v.Release(b.ctx, b.Place(), r); err != nil {
					t.Error(err)
				}
				expect(on, "released")
			}
			r = turn("on")
			if err := errors.Join(v.Turn(b.ctx, b.Place(), r), v.Release(b.ctx, b.Place(), r)); err != nil {
				t.Error(err)
			}
			expect(on, "turned on")
			r = turn("off")
			if err := errors.Join(v.Turn(b.ctx, b.Place(), r), v.Release(b.ctx, b.Place(), lent)); err != nil {
				t.Fatal(err)
			}
			expect(off, "the space released, its turn not")
			if err := guard.New("rawblock").Release(b.ctx, b.Place(), r); err != nil {
				t.Error(err)
			}
			expect(on, "cleaned up")
		})
	}
}
