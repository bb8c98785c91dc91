package anonymise

import (
	"fmt"
	"net/netip"
	"strings"

	"assay/internal/lazyregexp"
)

// kind is one kind of identifying data, with its own series of pseudonyms.
type kind struct {
	// name returns pseudonym number n, from 1; was is the original.
	name func(n int, was string) string
	// forms match it in any text: the whole match, or its first group if there
	// is one.
	forms []*lazyregexp.Regexp
	// is rejects false matches.
	is func(s string) bool
}

func numbered(format string) func(int, string) string {
	return func(n int, _ string) string { return fmt.Sprintf(format, n) }
}

func forms(all ...string) (out []*lazyregexp.Regexp) {
	for _, f := range all {
		out = append(out, lazyregexp.New(f))
	}
	return out
}

// The kinds. Those without forms are learnt from fields and phrases.
var (
	kindHost   = &kind{name: numbered("host%d")}
	kindDomain = &kind{name: func(n int, _ string) string {
		if n == 1 {
			return "example.org"
		}
		return fmt.Sprintf("example%d.org", n)
	}}
	kindUser      = &kind{name: numbered("user%d")}
	kindDirectory = &kind{name: numbered("dir%d")}
	kindInterface = &kind{name: numbered("nic%d")}
	kindName      = &kind{name: numbered("name%d")}
	kindOwn       = &kind{name: numbered("text%d")}
	kindSerial    = &kind{name: numbered("SERIAL%04d")}
	kindMail      = &kind{name: numbered("mail%d@example.org")}
	kindPlace     = &kind{name: func(n int, was string) string {
		ending, root := was[strings.LastIndexByte(was, '/')+1:], ""
		if strings.HasPrefix(was, "/") {
			root = "/"
		}
		if dot := strings.LastIndexByte(ending, '.'); dot >= 0 && plainEnding.MatchString(ending[dot:]) {
			return fmt.Sprintf("%sfile%d%s", root, n, ending[dot:])
		}
		return fmt.Sprintf("%sfile%d", root, n)
	}}
	// 192.0.2.0/24, 198.51.100.0/24 and 203.0.113.0/24 are for documentation (RFC
	// 5737), 198.18.0.0/15 for benchmarks (RFC 2544); each address is used once.
	kindIPv4 = &kind{forms: forms(`\d{1,3}(?:\.\d{1,3}){3}`), is: isIPv4, name: func(n int, _ string) string {
		for _, net := range []string{"192.0.2", "198.51.100", "203.0.113"} {
			if n <= 254 {
				return fmt.Sprintf("%s.%d", net, n)
			}
			n -= 254
		}
		return fmt.Sprintf("198.%d.%d.%d", 18+n>>16&1, n>>8&255, n&255)
	}}
	// Also for documentation (RFC 3849).
	kindIPv6 = &kind{forms: forms(`(?i)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}`), is: isIPv6, name: numbered("2001:db8::%x")}
	// Hardware addresses of Ethernet, EUI-64 and InfiniBand; pseudonyms are
	// locally administered, which no vendor sells. Colons or dashes stay.
	kindMAC = &kind{forms: forms(`(?i)[0-9a-f]{2}(?::[0-9a-f]{2}){5,19}`, `(?i)[0-9a-f]{2}(?:-[0-9a-f]{2}){5,19}`), is: isMAC,
		name: func(n int, was string) string {
			return strings.ReplaceAll(fmt.Sprintf("02:00:00:%02x:%02x:%02x", n>>16&255, n>>8&255, n&255), ":", was[2:3])
		}}
	// A network interface that systemd named after its MAC address.
	kindNIC  = &kind{forms: forms(`(?i)enx([0-9a-f]{12})`), name: numbered("02000000%04x")}
	kindUUID = &kind{forms: forms(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), name: numbered("00000000-0000-4000-8000-%012x")}
	// A machine-id, and UUIDs and NGUIDs without dashes.
	kindID  = &kind{forms: forms(`(?i)\b(?:0x)?([0-9a-f]{32})\b`), name: numbered("%032x")}
	kindWWN = &kind{forms: forms(
		`(?i)(?:naa\.|eui\.|wwn-0x|\b0x)([0-9a-f]{16})\b`,
		`(?i)LU WWN Device Id:\s+([0-9a-f](?: [0-9a-f]+)+)`, `(?i)IEEE EUI-64:\s+([0-9a-f]+(?: [0-9a-f]+)+)`,
		`(?i)\b(5[0-9a-f]{15})\b`,
	), is: notAllDigits, name: numbered("5000000000%06x")}
	// smartctl's JSON prints them as numbers.
	kindNumber = &kind{forms: forms(`"wwn"\s*:\s*\{[^{}]*"id"\s*:\s*(\d+)`, `"ext_id"\s*:\s*(\d+)`), name: numbered("%d")}
	kindByID   = &kind{forms: forms(`/dev/disk/by-(?:id|path|uuid|partuuid|label|partlabel)/([^\s"',;:)\]}]+)`), name: numbered("disk%d")}
	kindIQN    = &kind{forms: forms(`(?i)\biqn\.\d{4}-\d{2}\.[a-z0-9.:_-]+`), name: numbered("iqn.2000-01.org.example:%d")}
	kindKey    = &kind{forms: forms(`SHA256:[A-Za-z0-9+/]{43}=?`), name: numbered("SHA256:key%d")}
)

// withForms are recognised in any text.
var withForms = []*kind{
	kindIPv4, kindIPv6, kindMAC, kindNIC, kindUUID, kindID, kindWWN, kindNumber, kindByID, kindIQN, kindKey,
}

var plainEnding = lazyregexp.New(`^\.[a-z]{1,4}$`)

// isIPv4 excludes addresses that reveal nothing about a network: loopback,
// unspecified, netmasks and multicast.
func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4() && !a.IsLoopback() && a.As4()[0] > 0 && a.As4()[0] < 224
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && !a.IsLoopback() && !a.IsUnspecified() && !a.IsMulticast()
}

// isMAC excludes broadcast and all-zero addresses.
func isMAC(s string) bool {
	digits := strings.NewReplacer(":", "", "-", "").Replace(strings.ToLower(s))
	return strings.Trim(digits, "0") != "" && strings.Trim(digits, "f") != ""
}

func notAllDigits(s string) bool { return strings.Trim(s, "0123456789") != "" }

// phrases match texts that label a serial number, a user's name and so on.
var phrases = []struct {
	form *lazyregexp.Regexp
	is   *kind
}{
	{lazyregexp.New(`(?i)serial(?:[ _-]?(?:number|num|no|nr))?\\?"?[ \t]*[:=][ \t]*\\?"?([a-z0-9][a-z0-9._-]{3,})`), kindSerial},
	{lazyregexp.New(`/(?:home|Users)/([^\s/"'<>|:;,()\[\]{}\\]+)`), kindUser},
	{lazyregexp.New(`[A-Za-z]\\?:\\+Users\\+([^\\/"<>|:;,\r\n]{1,60})(?:\\|$)`), kindUser}, // of Windows, also as fio and JSON write it
	{lazyregexp.New(`\b(?:USER|LOGNAME|SUDO_USER)=([A-Za-z_][A-Za-z0-9._-]*)`), kindUser},
	{lazyregexp.New(`(?:^|//|[^A-Za-z0-9._%+/-])([A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})`), kindMail},
}

// account matches user@host as in ssh, but not a trial's probe/case@host.
var account = lazyregexp.New(`(?:^|//|[^A-Za-z0-9._/-])([A-Za-z_][A-Za-z0-9._-]*)@([A-Za-z0-9-]+)`)

// common are names that identify nobody, or that are placeholders.
var common = wordSet(`localhost localhost.localdomain root admin administrator user users test guest nobody debian ubuntu
	fedora arch alpine pi host hosts node server client none unknown default null true false
	stdin scrubbed redacted not specified unspecified n/a string number serial 0000 00000000 0123456789 123456789`)

// storageKinds are common names for storage tiers: they identify nobody, and
// without them a comparison of tiers is meaningless.
var storageKinds = wordSet(`sd usb ssd hdd nvme emmc mmc pvc block disk raid local nfs smb iscsi zfs btrfs lvm ceph rbd cephfs
	longhorn linstor drbd openebs mayastor rook topolvm garage minio rgw seaweedfs s3 aws object objects hostpath
	ephemeral emptydir rawblock bucket tmpfs`)

// directories are directory names common to very many machines.
var directories = wordSet(`mnt media srv var lib tmp data opt usr bin sbin etc run proc sys dev boot export exports local shm
	log spool scratch bench disks mapper kubelet pods volumes lib64 containers docker kubernetes.io csi vz images dump
	rpool tank zroot`)

// usualNIC matches interface names assigned by kernels, systemd and
// hypervisors.
var usualNIC = lazyregexp.New(`^(?:lo|(?:eth|wlan|wwan|ib|bond|team|br|vmbr|veth|virbr|docker|tun|tap|dummy|tailscale|wg|cni|flannel\.|enX|venet|usb)\d+` +
	`|(?:en|wl|ww|ib)(?:o\d+|s\d+|p\d+s\d+|P\d+p\d+s\d+|x[0-9a-f]{12})(?:[fdnuv]\d+|np\d+)*)(?:[.@:]\w*)*$`)

// vocabulary are words frequent in texts: a host of that name is replaced only
// as a whole word, not inside others.
var vocabulary = wordSet(`assay fio dd sysbench smart thermal iperf iperf3 ceph rados drbd zfs read write randread randwrite
	storage memory network directory drive disk data cpu link pool bucket latency bandwidth iops bytes time total
	mean error errors jobs job name size type mode ports port test measure prepare device devices kernel linux
	home system service master main cluster backup virtual machine proxmox index cache core cores file files step
	vm vms guest guests steps argv stdout stderr exit label labels value metric repeat trial transcript output started elapsed`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
