package hosts

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/turns"
)

// Each fault is visible from outside, as assay would see it, and disappears
// once it is fixed.
func TestFaults(t *testing.T) {
	turns.NotQuick(t, "the faults of this lab")
	t.Parallel()
	l := up(t, Standard(3))
	target := "host1"
	for _, c := range []struct {
		fault   Fault
		arg     string
		command string
		says    string // part of the output while broken
		works   bool   // if the command does, while broken
		needs   string // a file on this machine
	}{
		{fault: NoSSH, command: "true", says: "Connection refused"},
		{fault: HostKey, command: "true", says: "REMOTE HOST IDENTIFICATION HAS CHANGED"},
		{fault: WrongKey, command: "true", says: "Permission denied (publickey"},
		{fault: AskSudo, command: "sudo -n true", says: "password is required"},
		{fault: FullDisk, command: "head -c 4096 /dev/zero >" + BenchDir + "/$$", says: "No space left"},
		{fault: ReadOnly, command: "echo more >" + BenchDir + "/f", says: "Read-only file system"},
		{fault: Shell, arg: "/bin/bash", command: "echo $0", says: "bash", works: true},
		{fault: Shell, arg: "/usr/bin/fish", command: "echo $FISH_VERSION", says: "3.", works: true, needs: "/usr/bin/fish"},
		{fault: Banner, command: "echo on", says: "Welcome", works: true},
		{fault: NoTool, arg: "fallocate", command: "fallocate --version", says: "not found"},
		{fault: OldTool, arg: "fallocate", command: "fallocate --version", says: "fallocate 0.1", works: true},
		{fault: PowerOff, command: "true", says: "port 22"},
		{fault: Detour, command: "ip route get " + l.Address("host2", Ring), says: "via " + l.Address("host3", Ring), works: true},
	} {
		t.Run(string(c.fault)+c.arg, func(t *testing.T) {
			if _, err := os.Stat(c.needs); c.needs != "" && err != nil {
				t.Skip(err)
			}
			ctx := testContext(t)
			var arg []string
			if c.arg != "" {
				arg = []string{c.arg}
			}
			if err := l.Break(ctx, target, c.fault, arg...); err != nil {
				t.Fatal(err)
			}
			out, err := ssh(t, l, target, c.command)
			if (err == nil) != c.works || !strings.Contains(out, c.says) {
				t.Errorf("broken: %v: %q; want %q", err, out, c.says)
			}
			if err := l.Mend(ctx, target, c.fault, arg...); err != nil {
				t.Fatal(err)
			}
			if out, _ := ssh(t, l, target, c.command); strings.Contains(out, c.says) {
				t.Errorf("mended: %q", out)
			}
			mustSSH(t, l, target, "sudo -n true && echo x >"+BenchDir+"/f")
			mustSSH(t, l, "host2", "true")
		})
	}
}

func TestCutAndHealed(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(3))
	ctx := testContext(t)
	if err := l.Break(ctx, "host1", Cut); err != nil {
		t.Fatal(err)
	}
	if out, err := ssh(t, l, "host1", "true"); err == nil || !strings.Contains(out, "timed out") {
		t.Errorf("cut: %v: %s", err, out)
	}
	for _, network := range []string{Storage, Ring} {
		if out, err := ssh(t, l, "host2", "ping -q -n -c1 -W1 "+l.Address("host1", network)); err == nil {
			t.Errorf("host1 answers on %s: %s", network, out)
		}
	}
	mustSSH(t, l, "host2", "ping -q -n -c1 -W5 "+l.Address("host3", Ring))
	if err := l.Mend(ctx, "host1", Cut); err != nil {
		t.Fatal(err)
	}
	mustSSH(t, l, "host1", "true")
}

func TestDroppedSessions(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(1))
	ctx := testContext(t)
	c := exec.CommandContext(ctx, "ssh", "-F", l.Config(), "host1", "sleep 4243")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	running := func() bool {
		out, err := l.Run(ctx, "host1", "ps", "-eo", "args")
		return err == nil && strings.Contains(out, "sleep 4243")
	}
	eventually(t, "the session runs", running)
	if err := l.Break(ctx, "host1", DropSessions); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		t.Error("the session ended well")
	}
	if !running() {
		t.Error("what the session started died with it: a lost connection would not be noticed")
	}
	mustSSH(t, l, "host1", "true")
}

func TestClockIsOff(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(2))
	if _, err := l.Run(testContext(t), "host1", "sh", "-c", "ls /usr/lib/*/faketime/libfaketime.so.1"); err != nil {
		t.Skip("no libfaketime")
	}
	off := func(command string) time.Duration {
		n, err := strconv.ParseInt(mustSSH(t, l, "host1", command), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return time.Until(time.Unix(n, 0)).Round(time.Minute)
	}
	if err := l.Break(testContext(t), "host1", Clock, "+3600"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"date +%s", "sudo -n date +%s"} {
		if got := off(command); got != time.Hour {
			t.Errorf("%s is %v off", command, got)
		}
	}
	if err := l.Mend(testContext(t), "host1", Clock, "+3600"); err != nil {
		t.Fatal(err)
	}
	if got := off("date +%s"); got != 0 {
		t.Errorf("mended, and still %v off", got)
	}
}

func TestPorts(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(2))
	if _, err := exec.LookPath("iperf3"); err != nil {
		t.Skip("no iperf3")
	}
	ctx := testContext(t)
	client := func(ms string) string {
		return "iperf3 --connect-timeout " + ms + " -t 1 -c " + l.Address("host2", Storage)
	}
	if err := l.Break(ctx, "host2", StaleServer, "5201"); err != nil {
		t.Fatal(err)
	}
	if out, err := ssh(t, l, "host2", "iperf3 -s -1"); err == nil || !strings.Contains(out, "in use") {
		t.Errorf("a second server: %v: %s", err, out)
	}
	if err := l.Break(ctx, "host2", Firewall, "5201"); err != nil {
		t.Fatal(err)
	}
	if out, err := ssh(t, l, "host1", client("1000")); err == nil || !strings.Contains(out, "timed out") {
		t.Errorf("through the firewall: %v: %s", err, out)
	}
	mustSSH(t, l, "host2", "true")
	if err := l.Mend(ctx, "host2", Firewall, "5201"); err != nil {
		t.Fatal(err)
	}
	mustSSH(t, l, "host1", client("60000"))
	if err := l.Mend(ctx, "host2", StaleServer, "5201"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server is gone", func() bool {
		out, _ := ssh(t, l, "host1", client("1000"))
		return strings.Contains(out, "refused")
	})
}

func TestADiskOutlivesItsHost(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(2))
	ctx := testContext(t)
	mustSSH(t, l, "host1", "echo kept >"+BenchDir+"/f; sync; echo lost >/etc/motd || :")
	boot := mustSSH(t, l, "host1", "cat /proc/sys/kernel/random/boot_id")
	if err := l.Break(ctx, "host1", PowerOff); err != nil {
		t.Fatal(err)
	}
	if l.Alive()["host1"] || !l.Alive()["host2"] {
		t.Errorf("after power-off of host1: %v", l.Alive())
	}
	if _, err := Up(ctx, l.Dir, Standard(2)); err != nil {
		t.Fatal(err)
	}
	if got := mustSSH(t, l, "host1", "cat "+BenchDir+"/f"); got != "kept" {
		t.Errorf("the disk holds %q", got)
	}
	if mustSSH(t, l, "host1", "cat /proc/sys/kernel/random/boot_id") == boot {
		t.Error("the same boot")
	}
	mustSSH(t, l, "host2", "ping -q -n -c1 -W5 "+l.Address("host1", Ring))
}

func TestFaultsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		arg   []string
		want  string
	}{
		{"no-shh", nil, `no fault is called "no-shh"`},
		{Clock, nil, "takes 1 argument"},
		{Cut, []string{"x"}, "takes 0 argument"},
	} {
		if _, err := find(c.fault, c.arg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v", c.fault, c.arg, err)
		}
	}
	l := up(t, Standard(1))
	for _, c := range []struct {
		fault Fault
		arg   string
	}{
		{Shell, "/bin/sh|; touch /tmp/pwned"}, {Firewall, "1; touch /tmp/pwned"}, {Clock, "$(touch /tmp/pwned)"}, {NoTool, "; touch /tmp/pwned"},
	} {
		if err := l.Break(testContext(t), "host1", c.fault, c.arg); err == nil {
			t.Errorf("%s took %q", c.fault, c.arg)
		}
	}
	mustSSH(t, l, "host1", "[ ! -e /tmp/pwned ]")
}

// A host that does not come back counts as off, and leaves the others alone.
func TestAHostThatDoesNotBoot(t *testing.T) {
	l := up(t, Standard(2))
	ctx := testContext(t)
	if err := l.Break(ctx, "host1", PowerOff); err != nil {
		t.Fatal(err)
	}
	image := l.file("host1", "img")
	if err := os.Rename(image, image+".away"); err != nil {
		t.Fatal(err)
	}
	if err := l.Mend(ctx, "host1", PowerOff); err == nil || !strings.Contains(err.Error(), "host1 did not come up") {
		t.Errorf("without its disk: %v", err)
	}
	if l.Alive()["host1"] || !l.Alive()["host2"] {
		t.Errorf("alive: %v", l.Alive())
	}
	if err := os.Rename(image+".away", image); err != nil {
		t.Fatal(err)
	}
	if err := l.Mend(ctx, "host1", PowerOff); err != nil {
		t.Fatal(err)
	}
	mustSSH(t, l, "host1", "ping -q -n -c1 -W5 "+l.Address("host2", Ring))
}
