package store

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"assay"
)

// Owner is the process that holds a claim or a receipt. The kernel reuses process
// ids; together with start time and boot id they are unique on a machine.
type Owner struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // clock ticks between boot and start, /proc/PID/stat field 22
	Boot  string `json:"boot"`  // /proc/sys/kernel/random/boot_id
	Run   string `json:"run"`   // the run's id
	// Machine identifies the owner's machine among those that share the database. It
	// is "" in a file, which belongs to one machine: see Alive.
	Machine string `json:"machine,omitempty"`
}

// Self returns this process as the owner of what a run holds.
func Self(run string) (Owner, error) {
	o := Owner{PID: os.Getpid(), Run: run}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return o, fmt.Errorf("cannot tell this process from later ones: %w", err)
	}
	if _, o.Start, err = parseStat(stat); err != nil {
		return o, fmt.Errorf("/proc/self/stat: %w", err)
	}
	if o.Boot, err = bootID(); err != nil {
		return o, fmt.Errorf("cannot tell this boot from later ones: %w", err)
	}
	o.Machine = thisMachine()
	return o, nil
}

// Alive reports whether the owner's process still runs. It assumes so if the kernel
// does not tell, and for a process on another machine: only that machine may
// release what it holds, even after a reboot.
func Alive(o Owner) bool {
	if o.Elsewhere() {
		return true
	}
	boot, err := bootID()
	if err != nil {
		return true
	}
	if boot != o.Boot {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(o.PID) + "/stat")
	return running(o, stat, err)
}

// running judges a process of this boot by its /proc/PID/stat.
func running(o Owner, stat []byte, err error) bool {
	if err != nil { // hidepid hides other users' processes, but not that they exist
		return o.PID > 0 && !errors.Is(syscall.Kill(o.PID, 0), syscall.ESRCH)
	}
	state, start, err := parseStat(stat)
	if err != nil {
		return true
	}
	dead := state == "Z" || state == "X" // ended but not yet reaped
	return start == o.Start && !dead
}

// Elsewhere reports whether the owner's process is on another machine, and not visible
// from here. Machines cloned from one image may share a mark, so one of another name and
// another boot counts as another.
func (o Owner) Elsewhere() bool {
	here := thisMachine()
	if o.Machine == "" || o.Machine == here {
		return false
	}
	boot, err := bootID()
	return mark(o.Machine) != mark(here) || err != nil || boot != o.Boot
}

// process returns the process's name for display.
func (o Owner) process() string {
	if o.Elsewhere() {
		_, name, _ := strings.Cut(o.Machine, "/")
		return fmt.Sprintf("process %d on %s", o.PID, name)
	}
	return fmt.Sprintf("process %d", o.PID)
}

// look returns the hint on what to do about a live owner.
func (o Owner) look() string {
	if o.Elsewhere() {
		return fmt.Sprintf("wait until it ends, or check it there: ps -fp %d", o.PID)
	}
	return fmt.Sprintf("wait until it ends, or check it: ps -fp %d", o.PID)
}

// lookAtRun is look for the run itself: whether another machine is gone, or is this one
// before it was renamed, only a person can tell.
func (o Owner) lookAtRun() string {
	hint := o.look()
	if o.Elsewhere() {
		hint += fmt.Sprintf("; if that machine is gone for good or was renamed: UPDATE assay.run SET status = '%s' WHERE id = '%s'", assay.RunInterrupted, strings.ReplaceAll(o.Run, "'", "''"))
	}
	return hint
}

// in returns the owner as stored in the database.
func (o Owner) in(d dialect) Owner {
	if !d.shared() {
		o.Machine = ""
	}
	return o
}

// boot returns the value of the column owner_boot: the boot id and, in a
// database that machines share, an @ and the machine.
func (o Owner) boot() string {
	if o.Machine == "" {
		return o.Boot
	}
	return o.Boot + "@" + o.Machine
}

// bootOf scans the column owner_boot into an owner.
type bootOf struct{ *Owner }

// Scan splits what boot joined.
func (b bootOf) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		return fmt.Errorf("owner_boot is a %T: %w", column, ErrDamaged)
	}
	b.Boot, b.Machine, _ = strings.Cut(text, "@")
	return nil
}

// thisMachine is mark/name: the mark survives renaming the machine, the name is
// for people and tells clones apart. So once a renamed machine has rebooted, only a seal
// or a person can tell that it is the same. machine-id(5) asks to keep its own text confidential; without it,
// the mark is made from the name.
var thisMachine = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil || len(bytes.TrimSpace(id)) == 0 {
		id = []byte(name)
	}
	sum := hmac.New(sha256.New, bytes.TrimSpace(id))
	sum.Write([]byte("assay"))
	return fmt.Sprintf("%x/%s", sum.Sum(nil)[:8], name)
})

func mark(machine string) string {
	sign, _, _ := strings.Cut(machine, "/")
	return sign
}

func bootID() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b)), err
}

// parseStat parses /proc/PID/stat, see proc_pid_stat(5). The second field is
// the program's name in parentheses, which may itself contain spaces and
// parentheses.
func parseStat(stat []byte) (state, start string, err error) {
	const fieldAfterName, fieldStart = 3, 22
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return "", "", fmt.Errorf("no program name in %.40q", stat)
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) <= fieldStart-fieldAfterName {
		return "", "", fmt.Errorf("no start time in %.40q", stat)
	}
	return fields[0], fields[fieldStart-fieldAfterName], nil
}
