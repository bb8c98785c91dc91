package faults

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/oneline/hostile"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// A malicious host is host2, where assay is an unprivileged user; host1 beside it is sound.
const (
	evil  = "host2"
	sound = "host1"
)

// Bounds for a malicious host: assay uses no more memory, prints no more, and ends
// by then.
const (
	mostMemory  = 200 << 20
	mostPrinted = 1 << 20
	mostTime    = 8 * time.Minute
)

// lies are printed by a malicious far side: text that drives terminals, and lines
// that look like assay's own.
const lies = hostile.Text + "\nassay: FORGED\nhint: FORGED\nremoved everything\n"

// prelude starts each login shell below. lie prints the lies on stdout, and flood
// repeats them until nobody reads.
const prelude = `#!/bin/sh
lie() { cat /etc/lab_lies; }
flood() { yes "$(lie)"; }
`

// forge is a login shell that speaks assay's protocol itself: it reads the whole
// request, reports on both streams that the command began, runs $1, and reports how it
// ended.
const forge = `
echo assay-ready
read -r key
while read -r line; do
	case $line in
	"bytes="*) bytes=${line#*=} ;;
	"$key") break ;;
	esac
done
if [ "$bytes" -gt 0 ]; then
	echo "$key fed"
	while read -r line; do
		[ "$line" != "$key go" ] || break
	done
fi
both() { echo "$1"; echo "$1" >&2; }
`

// hostileShells are malicious login shells.
var hostileShells = []struct {
	name, shell string
	says        []string // of host2, in the report
	quick       bool
}{
	{name: "exits at once", shell: `exit 0`, says: []string{"its login shell is not usable"}},
	{name: "fails as ssh does", shell: `lie >&2; exit 255`, says: []string{"cannot be reached"}},
	{name: "forges a changed host key", says: []string{"cannot be reached"}, shell: `
		echo "Offending ED25519 key in /home/victim/.ssh/known_hosts:1" >&2
		echo "Host key for bastion has changed" >&2
		echo "Host key verification failed." >&2; exit 255`},
	{name: "prints lies and exits", shell: `lie; lie >&2; exit 3`, says: []string{"its login shell is not usable"}},
	{name: "never answers", shell: `exec sleep 1000`, says: []string{"it did not start sh within 30s"}},
	{name: "never answers after its hello", shell: `echo assay-ready; exec sleep 1000`, says: nil},
	{name: "echoes all", shell: `echo assay-ready; tee /dev/stderr`, says: nil},
	{name: "floods before", shell: `flood >&2 & flood`, says: []string{"printed more than 1 MiB before any command"}},
	{name: "floods after its hello", shell: `echo assay-ready; flood >&2 & flood`, says: []string{"printed too much output: more than 1 MiB before sh began"}},
	{name: "floods as the command", quick: true, shell: forge + `both "$key begin"; flood >&2 & flood`, says: []string{"printed too much output"}},
	{name: "floods a single line", shell: forge + `both "$key begin"; cat /dev/zero >&2 & exec cat /dev/zero`, says: []string{"printed too much output"}},
	{name: "floods after the end", says: nil,
		shell: forge + `both "$key begin"; both "$key end status=0 fired= cpu="; flood >&2 & flood`},
	{name: "ends one stream and floods it", says: nil,
		shell: forge + `both "$key begin"; echo "$key end status=0 fired= cpu="; flood`},
	{name: "says that all went well", quick: true, says: nil,
		shell: forge + `both "$key begin"; both "$key end status=0 fired= cpu="; exit`},
	{name: "answers with lies", says: nil,
		shell: forge + `both "$key begin"; lie; lie >&2; both "$key end status=0 fired= cpu=9999999h"; exit`},
	{name: "ends with nonsense", says: nil,
		shell: forge + `both "$key begin"; both "$key end status=-99999999999999999999 fired=$(lie | tr '\n' ' ') cpu=NaN"; exit`},
	{name: "begins many times", says: nil,
		shell: forge + `both "$key begin"; both "$key fed"; both "$key begin"; both "$key end status=0 fired=lost cpu="; both "$key end status=1"; exit`},
	{name: "has a sh that says yes", says: nil,
		shell: `mkdir -p /tmp/.evil; printf '#!/bin/true\n' >/tmp/.evil/sh; chmod 755 /tmp/.evil/sh; PATH=/tmp/.evil:$PATH; exec /bin/sh "$@"`},
}

// Whatever a far side prints is data, and bounded. The host beside it is measured and
// cleaned up after a killed run; what that run left on the malicious host stays in the
// journal.
func TestHostileFarSide(t *testing.T) {
	for _, c := range hostileShells {
		t.Run(c.name, func(t *testing.T) {
			if !c.quick {
				notQuick(t)
			}
			t.Parallel()
			b := newBed(t, 2)
			b.killInTheMiddle()
			b.subvert(c.shell)

			h := b.laptop.Begin("hosts", "-i", b.laptop.File).Wait(mostTime)
			b.expectHarmless("hosts", h)
			if h.Exit != partial || !strings.Contains(h.Stdout+h.Said, evil) || !strings.Contains(h.Stdout, sound) {
				t.Errorf("hosts ended with %d and printed %s\nand said %s", h.Exit, laptop.Brief(h.Stdout), laptop.Brief(h.Said))
			}
			b.expectCleanedButFor(evil)

			m := b.measure(short, 2, quickDisk...)
			m.budget = mostTime // a mute host costs a minute and a half before anything is measured
			r := m.Wait(mostTime)
			b.expectHarmless("run", r)
			o := m.end()
			o.expectExit(partial)
			o.expectFigures(sound)
			if c.says != nil {
				o.expectSaid(evil, c.says...)
			}
			if found := hostile.Found(readFile(t, m.text)); found != "" {
				t.Errorf("the report as text: %s", found)
			}
			b.redeem()
			if c := b.laptop.CleanUp(); len(c.Released) != 1 || c.Released[0].Error != "" {
				t.Errorf("cleanup once the host is sound again: %+v", c)
			}
			b.expectNothingLeft()
		})
	}
}

// killInTheMiddle kills a run so that it leaves scratch space on all hosts.
func (b *bed) killInTheMiddle() {
	b.t.Helper()
	m := b.measure(short, repeats, slowDisk...)
	for _, h := range b.lab.Names() {
		b.awaitRunning(m, h, "fio", "--rw=randread") // its scratch space is lent
	}
	m.Signal(syscall.SIGKILL)
	m.Wait(3 * time.Minute)
	for _, h := range b.lab.Names() {
		b.expectCommandsEnd(h)
	}
}

// subvert sets that login shell for the malicious host's user.
func (b *bed) subvert(shell string) {
	b.t.Helper()
	for file, text := range map[string]string{"/etc/lab_lies": lies, "/usr/local/bin/lab-evil": prelude + shell + "\n"} {
		if _, err := b.lab.Run(testContext(b.t), evil, "sh", "-c", `printf %s "$2" >"$1"; chmod 755 "$1"`, "sh", file, text); err != nil {
			b.t.Fatal(err)
		}
	}
	b.breakHost(evil, hosts.Shell, "/usr/local/bin/lab-evil")
}

// redeem restores the own shell of the malicious host's user.
func (b *bed) redeem() {
	b.t.Helper()
	b.mend(evil, hosts.Shell, "/usr/local/bin/lab-evil")
	if _, err := b.lab.Run(testContext(b.t), evil, "sh", "-c", "rm -rf /etc/lab_lies /tmp/.evil; pkill -KILL -u lab || :"); err != nil {
		b.t.Fatal(err)
	}
}

// scratch returns the scratch directories on a host.
func (b *bed) scratch(host string) []string {
	b.t.Helper()
	found, err := filepath.Glob(filepath.Join(string(enter(b.t, b.lab, host).first), "root", hosts.BenchDir, ".assay-*"))
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

// expectHarmless fails if assay printed something raw, exceeded its bounds, or left
// something on the laptop.
func (b *bed) expectHarmless(verb string, r laptop.Result) {
	b.t.Helper()
	b.t.Logf("%s: %s, %d MiB, printed %d and %d bytes", verb, r.Took, r.Peak>>20, len(r.Stdout), len(r.Said))
	for what, text := range map[string]string{"stdout": r.Stdout, "stderr": r.Said} {
		if found := hostile.Found(text); found != "" {
			b.t.Errorf("%s, %s: %s", verb, what, found)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "assay: FORGED") || strings.HasPrefix(line, "hint: FORGED") || line == "removed everything\n" {
				b.t.Errorf("%s, %s has the forged line %q", verb, what, line)
			}
		}
	}
	if printed := len(r.Stdout) + len(r.Said); printed > mostPrinted {
		b.t.Errorf("%s printed %d bytes", verb, printed)
	}
	if r.Peak > mostMemory {
		b.t.Errorf("%s held %d MiB", verb, r.Peak>>20)
	}
	b.laptop.ExpectNothingRuns()
}

// expectCleanedButFor cleans up and expects all gone except what is on one host,
// which is still there and still in the journal.
func (b *bed) expectCleanedButFor(host string) {
	b.t.Helper()
	for range 2 {
		r := b.laptop.Begin("cleanup", "-i", b.laptop.File).Wait(mostTime)
		b.expectHarmless("cleanup", r)
		for line := range strings.Lines(r.Stdout) {
			if strings.HasPrefix(line, "removed ") && strings.Contains(line, b.of(host)) {
				b.t.Errorf("cleanup believes %s: %s", host, line)
			}
		}
		if r.Exit != failed || !strings.Contains(r.Stdout, "not removed: ") || !strings.Contains(r.Said+r.Stdout, host) {
			b.t.Errorf("cleanup ended with %d, printed %s\nand said %s", r.Exit, laptop.Brief(r.Stdout), laptop.Brief(r.Said))
		}
	}
	for _, h := range b.lab.Names() {
		if left := len(b.scratch(h)); (left > 0) != (h == host) {
			b.t.Errorf("%d scratch directories on %s", left, h)
		}
	}
}

// of returns the name of the scratch directory on a host.
func (b *bed) of(host string) string {
	b.t.Helper()
	all := b.scratch(host)
	if len(all) != 1 {
		b.t.Fatalf("%q on %s, want one scratch directory", all, host)
	}
	return filepath.Base(all[0])
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
