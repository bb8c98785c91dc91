package failover

import (
	_ "embed" // the script
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

//go:embed pacemaker.sh
var pacemakerScript string

// startPacemaker makes Corosync and Pacemaker move the address instead of
// keepalived.
func (b *bed) startPacemaker(t *testing.T) {
	t.Helper()
	for program, of := range map[string]string{"corosync": "corosync", "pacemakerd": "pacemaker", "crm_attribute": "pacemaker-cli-utils", "ocf-tester": "resource-agents"} {
		if exec.Command("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; command -v "+program).Run() != nil {
			t.Skip("needs " + program + ": apt-get install " + of)
		}
	}
	both := []string{"host1", "host2"}
	for _, host := range both {
		b.feed(host, "", "ip link del vip0 2>/dev/null; /usr/local/bin/systemctl stop keepalived")
	}
	for i, host := range []string{"host2", "host1"} {
		own, other := b.lab.Address(host, hosts.Storage), b.lab.Address(both[i], hosts.Storage)
		b.feed(host, pacemakerScript, `cat >/run/pacemaker.sh && sh /run/pacemaker.sh "$@"`, "sh", strconv.Itoa(2-i), b.address, own, other)
	}
	b.expectHome(t)
}

// Pacemaker moves a virtual IP when stopped on a host, and when that host is cut off.
func (b *bed) pacemaker(t *testing.T) {
	b.startPacemaker(t)
	stopped := b.laptopWith("  vip: {host: host1, confirm: host1, service: pacemaker, address: ADDRESS, observers: [host3, host4]}\n")
	r := once(stopped).Wait(5 * time.Minute)
	f := figures(t, r)
	t.Logf("stopped: %.2f s without an answer, %.0f requests lost, %.2f s when it came back", f["failover.time"].Value, f["failover.lost"].Value, f["failover.back"].Value)
	if moved := b.address + " moved from host1 to host2"; !strings.Contains(r.Stdout, moved) {
		t.Errorf("nothing says that %s: %s", moved, laptop.Brief(r.Stdout))
	}
	b.expectHome(t)
	stopped.ExpectEmpty()

	cut := b.laptopWith("  vip: {host: host1, confirm: host1, link: eth1, address: ADDRESS, observers: [host3, host4]}\n")
	f = figures(t, once(cut).Wait(5*time.Minute))
	t.Logf("cut off: %.2f s without an answer, %.0f requests lost, %.2f s when it came back", f["failover.time"].Value, f["failover.lost"].Value, f["failover.back"].Value)
	// The token timeout plus the survivors' consensus, minus the time that the token may be
	// held (corosync.conf(5): token, consensus, token hold).
	if least := 1. + 1.2 - .3; f["failover.time"].Value < least {
		t.Errorf("%.2f s, and at least %.1f s are needed to notice", f["failover.time"].Value, least)
	}
	b.expectHome(t)
	cut.ExpectEmpty()
}
