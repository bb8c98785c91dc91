package survey

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/inventory/cluster"
)

func TestReadAddress(t *testing.T) {
	for line, want := range map[string]string{
		`2: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0\       valid_lft forever preferred_lft forever`:        "eth0 10.0.0.1/24",
		`12: vmbr0    inet 192.168.1.5/22 metric 100 brd 192.168.3.255 scope global dynamic noprefixroute vmbr0\  valid_lft`: "vmbr0 192.168.1.5/22",
		`4: wg0    inet 10.8.0.1 peer 10.8.0.2/32 scope global wg0\       valid_lft forever`:                                 "wg0 10.8.0.1/32",
		`3: en05    inet6 fd00::81/128 scope global \       valid_lft forever preferred_lft forever`:                         "en05 fd00::81/128",
		`2: eth0@if3    inet 10.0.0.9/24 scope global eth0\   valid_lft forever`:                                             "eth0 10.0.0.9/24", // busybox
		`2: br-1a    inet 172.18.0.1/16 scope global br-1a`:                                                                  "br-1a 172.18.0.1/16",
		`1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever`:                                                   "",
		`2: eth0    inet6 fe80::1/64 scope link \       valid_lft forever`:                                                   "",
		`2: eth0    inet6 2001:db8::1/64 scope global temporary dynamic \       valid_lft 1sec`:                              "",
		`2: eth0    inet6 2001:db8::1/64 scope global deprecated dynamic mngtmpaddr \  valid_lft 1sec`:                       "",
		`2: eth0    inet 10.0.0.1/240 scope global eth0`:                                                                     "",
		`2: eth0    inet 10.0.0.1000/24 scope global eth0`:                                                                   "",
		`2: eth0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state UP`:                                                       "",
		`Object "addr" is unknown, try "ip help".`:                                                                           "",
	} {
		got := ""
		if a, ok := readAddress(line); ok {
			got = a.NIC + " " + a.Prefix.String()
		}
		if got != want {
			t.Errorf("%s\n%q, want %q", line, got, want)
		}
	}
}

func TestReasonsAreShort(t *testing.T) {
	a := Answer{Host: cluster.Host{Name: "pve3", Address: "10.0.0.3"}, Err: errors.New("host 10.0.0.3: host pve3: refused: host x: y")}
	if got := a.Reason(); got != "refused: host x: y" {
		t.Error(got)
	}
	if got := (Answer{}).Reason(); got != "" {
		t.Errorf("an answer is %q", got)
	}
}

func TestCandidates(t *testing.T) {
	const mounts = `
25 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
26 25 259:1 / /boot/efi rw,relatime - vfat /dev/nvme0n1p1 rw
27 25 0:5 / /dev rw - devtmpfs udev rw
28 25 259:2 /srv /export/srv rw,relatime - ext4 /dev/nvme0n1p2 rw
40 25 0:41 / /tank rw,noatime - zfs tank rw
41 25 0:42 / /tank/vm-100-disk-0 rw,noatime - zfs tank/vm-100-disk-0 rw
42 25 0:43 / /rpool/data rw,noatime - zfs rpool/data rw
43 25 8:1 / /mnt/old\040disk ro,relatime - xfs /dev/sda1 rw
44 25 8:17 / /mnt/new\040disk rw,relatime - xfs /dev/sdb1 rw
45 25 0:50 /@home /home rw - btrfs /dev/sdc1 rw,subvol=/@home
46 25 0:51 /@var /var rw - btrfs /dev/sdc1 rw,subvol=/@var
47 25 0:60 / /mnt/nas rw - nfs4 nas:/export rw
48 25 7:0 / /snap/core/1 rw - ext4 /dev/loop0 rw
49 25 0:61 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw
50 25 8:33 / /mnt/line\012break rw - ext4 /dev/sdd1 rw
51 25 0:70 / /etc/pve rw - fuse /dev/fuse rw
broken line`
	s, err := parse([]byte("@@ assay-survey 1\n@@ mounts\n" + strings.ReplaceAll(mounts, "\n", "\n ") + "\n@@ end\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/", "/tank", "/var", "/mnt/nas", "/mnt/new disk", "/rpool/data"}
	if d := cmp.Diff(want, s.candidates()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	s.mounts = nil
	for i := range 100 {
		s.mounts = append(s.mounts, mount{number: fmt.Sprint(i), point: fmt.Sprintf("/m%03d", i), fs: "ext4", source: fmt.Sprintf("/dev/x%d", i)})
	}
	if got := s.candidates(); len(got) != mostCandidates || got[0] != "/m000" {
		t.Errorf("%q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("@@ assay-survey 1\n@@ addresses\n 2: eth0    inet 10.0.0.1/24 scope global eth0\n@@ mounts\n 25 1 8:1 / / rw - ext4 /dev/sda1 rw\n\n@@ end\n"))
	f.Add([]byte("@@ assay-survey 1\r\n@@ addresses\r\n 4: wg0    inet 10.8.0.1 peer 10.8.0.2/32 scope global wg0\r\n@@ end\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := parse(raw)
		if err != nil {
			return
		}
		for _, a := range s.addresses {
			if !a.Prefix.IsValid() || a.NIC == "" {
				t.Errorf("%+v", a)
			}
		}
		for _, dir := range s.candidates() {
			if dir == "" || strings.ContainsAny(dir, "\n\r") {
				t.Errorf("directory %q", dir)
			}
		}
	})
}
