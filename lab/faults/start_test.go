package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// short is a budget that fits all repeats even on a busy machine: assay ends
// early once it has made them.
const short = 20 * time.Minute

// The first host is unusable from the start: the second is measured, and the
// report says why the first is not.
func TestHostThatCannotBeUsed(t *testing.T) {
	notQuick(t)
	for _, c := range []struct {
		name  string
		fault hosts.Fault
		says  []string
	}{
		{"is off", hosts.PowerOff, []string{"cannot be reached"}},
		{"has no sshd", hosts.NoSSH, []string{"cannot be reached", "connection refused"}},
		{"is cut off", hosts.Cut, []string{"cannot be reached", "no answer in time"}},
		{"does not know the key", hosts.WrongKey, []string{"login was refused", "Permission denied"}},
		{"asks for sudo's password", hosts.AskSudo, []string{"sudo", "a password is required"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, 2)
			b.breakHost("host1", c.fault)
			if c.fault == hosts.AskSudo {
				_ = b.logIn("host1")
				b.remember("host1")
			}
			o := b.measure(short, 3, quickDisk...).end()
			o.expectExit(partial)
			o.expectFigures("host2")
			o.expectSaid("host1", c.says...)
			if found := laptop.RowsOf(o.doc, "", "host1"); len(found) > 0 && laptop.Measured(found[0]) {
				t.Errorf("host1 has figures: %+v", found)
			}
			b.mend("host1", c.fault)
			b.expectNothingLeft()
		})
	}
}

// A changed host key is refused, with the command that fixes it, and never
// accepted.
func TestChangedHostKey(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	known := func() string {
		text, err := os.ReadFile(filepath.Join(b.lab.Dir, "known_hosts"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := known()
	b.breakHost("host1", hosts.HostKey)
	b.remember("host1")
	o := b.measure(short, 3, quickDisk...).end()
	o.expectExit(partial)
	o.expectFigures("host2")
	o.expectSaid("host1", "its host key does not match the known one", "it has changed")
	if remedy := "ssh-keygen -f '" + b.lab.Dir + "/known_hosts' -R '" + b.lab.Address("host1", hosts.Management) + "'"; !strings.Contains(o.Stdout+o.Said, remedy) {
		t.Errorf("%s is not told: assay said %s\nand reported\n%s", remedy, o.Said, strings.Join(o.statements(), "\n"))
	}
	if known() != before {
		t.Error("known_hosts was changed")
	}
	b.mend("host1", hosts.HostKey)
	b.expectNothingLeft()
	again := b.measure(short, 3, quickDisk...).end()
	again.expectMeasured()
	again.expectFigures("host1", "host2")
}

// The host is measured as usual, whatever the user's login shell.
func TestLoginShell(t *testing.T) {
	notQuick(t)
	for _, c := range []struct {
		name  string
		fault hosts.Fault
		arg   []string
	}{
		{"prints a banner", hosts.Banner, nil},
		{"is fish", hosts.Shell, []string{"/usr/bin/fish"}},
		{"is tcsh", hosts.Shell, []string{"/usr/bin/tcsh"}},
		{"is csh", hosts.Shell, []string{"/usr/bin/csh"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, program := range c.arg {
				if _, err := os.Stat(program); err != nil {
					t.Skip(err)
				}
			}
			b := newBed(t, 2)
			b.breakHost("host1", c.fault, c.arg...)
			if err := b.logIn("host1"); err != nil {
				t.Fatal(err)
			}
			b.remember("host1")
			o := b.measure(short, 3, quickDisk...).end()
			o.expectMeasured()
			o.expectFigures("host1", "host2")
			b.expectNothingLeft()
		})
	}
}

// A login shell that refuses logins is given as the reason, and the other hosts
// stand.
func TestLoginShellThatLetsNobodyIn(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	b.breakHost("host1", hosts.Shell, "/usr/sbin/nologin")
	o := b.measure(short, 3, quickDisk...).end()
	o.expectExit(partial)
	o.expectFigures("host2")
	o.expectSaid("host1", "its login shell is not usable", "This account is currently not available")
	b.expectNothingLeft()
}
