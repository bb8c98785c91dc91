package failover

import (
	"context"
	_ "embed" // the script
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "fo", 1)) }

//go:embed host.sh
var hostScript string

const (
	patience = 2 * time.Minute
	gigabit  = 1e9
)

// bed is two hosts that take turns holding an address, two observers, and a user at a laptop.
type bed struct {
	t       *testing.T
	lab     *hosts.Lab
	address string // that moves
	mac     string // host1's MAC for it
}

func newBed(t *testing.T) *bed {
	t.Helper()
	turns.NotQuick(t, "tests of failover, which stop things and wait")
	all := hosts.Standard(4)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: gigabit, Disk: hosts.Disk{Bytes: 64 << 20, Rate: 200 << 20, IOPS: 2000}, Sudo: true, Rise: 1}
	}
	b := &bed{t: t, lab: hoststest.Up(t, all)}
	b.address = strings.TrimSuffix(b.lab.Address("host1", hosts.Storage), ".1") + ".200"
	for i, host := range []string{"host1", "host2"} {
		other := b.lab.Address([]string{"host2", "host1"}[i], hosts.Storage)
		b.feed(host, hostScript, `cat >/run/host.sh && sh /run/host.sh "$@"`, "sh", b.address, b.lab.Address(host, hosts.Storage), other, strconv.Itoa(i))
	}
	b.mac = strings.TrimSpace(b.feed("host1", "", "cat /sys/class/net/vip0/address"))
	return b
}

// laptopWith returns a laptop whose cluster.yaml has these entries under
// failover:.
func (b *bed) laptopWith(entries string) *laptop.Laptop {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "failover.yaml")
	var text strings.Builder
	fmt.Fprintf(&text, "defaults: {user: lab, sudo: true, ssh: {config: %q}}\nhosts:\n", b.lab.Config())
	for _, host := range b.lab.Names() {
		fmt.Fprintf(&text, "  %s: %s\n", host, b.lab.Address(host, hosts.Management))
	}
	text.WriteString("failover:\n" + strings.NewReplacer("ADDRESS", b.address, "MAC", b.mac).Replace(entries))
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return laptop.New(b.t, file)
}

// standIn is an entry whose address moves to host2 after exactly three seconds. Redundancy is
// whole once the first observer sees it at host1.
const standIn = `  vip:
    host: host1
    stop: sh /run/move stop
    start: sh /run/move start
    running: sh /run/move running
    whole: ping -c 1 -W 1 ADDRESS; ip neighbour show ADDRESS | grep -q MAC
    address: ADDRESS
    observers: [host3, host4]
`

// moving is an entry for the same address, with a command that must answer.
func moving(command string) string {
	return fmt.Sprintf("  vip:\n    host: host1\n    stop: sh /run/move stop\n    start: sh /run/move start\n    running: sh /run/move running\n"+
		"    observers: [host3, host4]\n    command: %q\n", command)
}

func (b *bed) feed(host, stdin, script string, words ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := b.lab.Feed(ctx, host, stdin, append([]string{"sh", "-c", script}, words...)...)
	if err != nil {
		b.t.Fatalf("%s: %v", host, err)
	}
	return out
}

// has reports whether a host has the address on an interface that is up.
func (b *bed) has(host string) bool {
	return strings.TrimSpace(b.feed(host, "", `ip -o address show up to "$0"`, b.address)) != ""
}

// expectHome fails unless host1 alone has the address again and no trace of a guard is left.
func (b *bed) expectHome(t *testing.T) {
	t.Helper()
	if !laptop.Eventually(patience, func() bool { return b.has("host1") && !b.has("host2") }) {
		t.Errorf("host1 has the address: %t, host2: %t", b.has("host1"), b.has("host2"))
	}
	if left := strings.TrimSpace(b.feed("host1", "", "ls -d /run/assay-failover-* 2>/dev/null; :")); left != "" {
		t.Errorf("left on host1: %s", left)
	}
}

// truth returns how long no host had the address when it last moved, in s, as timed by the
// hosts.
func (b *bed) truth(t *testing.T) float64 {
	t.Helper()
	at := func(host, file string) float64 {
		text := strings.TrimSpace(b.feed(host, "", "cat /run/"+file))
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %q", host, text)
		}
		return f
	}
	return at("host2", "up") - at("host1", "down")
}
