package faults

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/oneline/hostile"
)

// named has one word that a reader should see for each name chosen by a host's
// vendor, firmware or administrator.
var named = []string{"ZORBHOST", "DISTRO", "PROCESSOR", "MAKER", "PRODUCT", "ZQLINK"}

// An honest host may have names that drive a terminal or forge a line: of its system,
// processor, vendor or interface. It is measured as usual, and no output format contains
// a raw one.
func TestNamesThatDriveATerminal(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	b.nameBadly(evil)
	b.remember(evil)

	o := b.measure(short, 2, quickDisk...).end()
	o.expectMeasured()
	o.expectFigures(evil, sound)
	b.expectHarmless("run", o.Result)
	for _, format := range []string{"text", "json", "markdown", "html", "csv"} {
		for _, words := range [][]string{{"show", "latest"}, {"hosts", "-i", b.laptop.File}} {
			words = append(words, "--format", format)
			r := b.laptop.Do(words...)
			if format == "csv" { // CSV lines end in it
				r.Stdout = strings.ReplaceAll(r.Stdout, "\r\n", "\n")
			}
			b.expectHarmless(strings.Join(words, " "), r)
			if r.Exit != 0 && r.Exit != rejected && r.Exit != partial {
				t.Errorf("%s ended with %d and said %s", words, r.Exit, r.Said)
			}
		}
	}
	facts := b.laptop.Do("hosts", "-i", b.laptop.File, "--format", "json").Stdout
	for _, word := range named {
		if !strings.Contains(facts, word) {
			t.Errorf("the facts do not have the name with %s in it", word)
		}
	}
	b.expectHarmless("cleanup", b.laptop.Do("cleanup", "-i", b.laptop.File))

	// An anonymised export has none of them.
	file := filepath.Join(b.laptop.Dir, "anonymous.assay")
	b.expectHarmless("export", b.laptop.Do("export", "latest", "--anonymise", "-o", file))
	export := unpacked(t, file)
	if !strings.Contains(export, "xproduct") {
		t.Error("the anonymised export lacks the product's name")
	}
	for _, word := range []string{"ZORBHOST", "ZQLINK"} {
		if strings.Contains(export, strings.ToLower(word)) {
			t.Errorf("the anonymised export has %s", word)
		}
	}
	b.expectNothingLeft()
}

// nameBadly fills a host's names with text that must not reach a reader raw.
func (b *bed) nameBadly(host string) {
	b.t.Helper()
	text := strings.NewReplacer("\n", "\v", "\r", "\v").Replace(hostile.Text)
	script := `set -e
cd /run/lab
name() { printf '%s x%s\n' "$1" "$2"; }
printf 'x\033]0;t\aZORBHOST' >/proc/sys/kernel/hostname
rm -f /etc/os-release
printf 'PRETTY_NAME="%s xDISTRO"\n' "$1" >/etc/os-release
sed "s/^\(model name.*:\).*/\1 NAME/" /proc/cpuinfo | awk -v n="$(name "$1" PROCESSOR)" '{ i = index($0, "NAME"); if (/^model name/) $0 = substr($0, 1, i - 1) n; print }' >cpuinfo
mount --bind cpuinfo /proc/cpuinfo
mkdir -p dmi/id
name "$1" MAKER >dmi/id/sys_vendor
name "$1" PRODUCT >dmi/id/product_name
mkdir -p /sys/class/dmi && mount --bind dmi /sys/class/dmi
ip link add "$(printf '\033]0;t\aZQLINK')" type bridge
`
	if _, err := b.lab.Run(testContext(b.t), host, "sh", "-c", script, "sh", text); err != nil {
		b.t.Fatal(err)
	}
}

// unpacked returns an export's contents in lower case.
func unpacked(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("zstd", "-dc", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToLower(string(out))
}
