package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/volume/volumetest"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// statusRow matches a row of the README's table of exit statuses.
var statusRow = regexp.MustCompile("(?m)^\\| *`?(\\d+)`? *\\| *(.*?) *\\|$")

func TestTheReadmeListsTheExitStatuses(t *testing.T) {
	var rows [][]string
	for _, m := range statusRow.FindAllStringSubmatch(readme(t), -1) {
		rows = append(rows, m[1:])
	}
	if len(rows) != len(statuses) {
		t.Fatalf("README.md has %d rows of exit statuses, assay has %d: %q", len(rows), len(statuses), rows)
	}
	for i, s := range statuses {
		if rows[i][0] != strconv.Itoa(s.code) || rows[i][1] != s.meaning {
			t.Errorf("README.md has %q, assay has %d %q", rows[i], s.code, s.meaning)
		}
	}
}

// notOurs are the README's commands that are neither assay's nor targets of the
// Makefile, and are not run by this test.
var notOurs = []string{"git clone URL assay && cd assay"}

// console matches a README block that shows a terminal session; the lines that
// begin with "$ " are typed.
var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```")

func readmeCommands(t *testing.T) (commands []string) {
	t.Helper()
	for _, block := range console.FindAllStringSubmatch(readme(t), -1) {
		for _, line := range strings.Split(block[1], "\n") {
			if command, typed := strings.CutPrefix(line, "$ "); typed {
				command, _, _ = strings.Cut(command, "  #")
				commands = append(commands, strings.TrimSpace(command))
			}
		}
	}
	if len(commands) == 0 {
		t.Fatal("README.md has no ```console block with a command")
	}
	return commands
}

// TestTheReadmeIsTrue types every command of the README's console blocks, in
// their order, into one shell with a home of its own. Runs are real, but short.
func TestTheReadmeIsTrue(t *testing.T) {
	t.Parallel()
	for _, command := range readmeCommands(t) {
		word, rest, _ := strings.Cut(command, " ")
		switch word {
		case "assay":
			continue // below
		case "make":
			for _, target := range strings.Fields(rest) {
				if !strings.Contains(target, "=") && !hasTarget(t, target) {
					t.Errorf("%s: the Makefile has no such target", command)
				}
			}
		default:
			if !slices.Contains(notOurs, command) {
				t.Errorf("%s: neither assay's, nor make's, nor on this test's list", command)
			}
		}
	}
	path, err := ownMachine(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	dir := filepath.Join(home, "measured")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"doc", "reference"} { // what the README calls by their names here
		target, err := filepath.Abs(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	lab := hosts.Missing() == nil
	if lab {
		small := hosts.Standard(4)[:3]
		for i := range small {
			small[i].Link = slow
		}
		up := hoststest.Up(t, small)
		for _, file := range []string{up.Cluster(), up.Config()} { // the first names the second, beside it
			if err := os.Symlink(file, filepath.Join(home, filepath.Base(file))); err != nil {
				t.Fatal(err)
			}
		}
		writePodCluster(t, up.Cluster(), filepath.Join(home, "pod.yaml"))
	}
	for _, command := range readmeCommands(t) {
		if onTiers.MatchString(command) {
			continue // lab/tierfaults, lab/cephfaults, lab/vms, lab/zfsfaults, lab/drbdfaults, lab/migration and lab/failover type it; windows.yaml is read by run/session
		}
		if onDevice.MatchString(command) {
			continue // TestTheReadmeOnADevice types it
		}
		if onCluster.MatchString(command) && !lab {
			t.Logf("not typed, since there can be no lab here (%v): %s", hosts.Missing(), command)
			continue
		}
		if strings.Contains(command, "--install kubernetes") {
			command = strings.Replace(command, "cluster.yaml", "pod.yaml", 1)
		}
		if strings.HasPrefix(command, "assay ") || command == "assay" {
			typeCommand(t, path, home, dir, command)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", names(left), err)
	}
}

// writePodCluster writes a lab's cluster.yaml without its ssh configuration, which no pod has.
func writePodCluster(t *testing.T, lab, pod string) {
	t.Helper()
	text, err := os.ReadFile(lab)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(text), "  ssh:\n    config: ssh_config\n")
	if !found {
		t.Fatalf("%s names no ssh configuration", lab)
	}
	if err := os.WriteFile(pod, []byte(before+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTheReadmeOnADevice types the commands that overwrite a drive, on a loop device.
func TestTheReadmeOnADevice(t *testing.T) {
	t.Parallel()
	volumetest.NeedLoop(t)
	path, err := ownMachine(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	image := filepath.Join(home, "disk.img")
	if err := os.WriteFile(image, make([]byte, 72<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Skipf("no loop device: %v", err)
	}
	device := strings.TrimSpace(string(out))
	defer func() { _ = exec.Command("losetup", "--detach", device).Run() }()
	typed := 0
	for _, command := range readmeCommands(t) {
		if !onDevice.MatchString(command) {
			continue
		}
		typed++
		command = onDevice.ReplaceAllString(command, " --overwrite "+device+",backing="+image+",confirm="+image)
		if measures.MatchString(command) {
			command += " --only syncwrite-4k-seq,randread-4k-depth-1 --repeats 2 --length 1s --time-budget 5m" // it needs seconds
		}
		code, stdout, stderr := typeLine(t, path, home, home, command)
		if !slices.Contains([]int{exitFine, exitRejected, exitPartial}, code) || stdout == "" {
			t.Errorf("%s: exit status %d\n%s%s", command, code, stderr, stdout)
		}
	}
	if typed < 2 {
		t.Errorf("%d commands of the README overwrite a drive", typed)
	}
}

// typeCommand gives a command to a shell, in the directory that is measured.
func typeCommand(t *testing.T, path, home, dir, command string) {
	t.Helper()
	short := shorten(command)
	code, stdout, stderr := typeLine(t, path, home, dir, short)
	if longer := strings.Replace(short, briefBudget, "--time-budget 90s", 1); longer != short && code == exitFailed && tooBrief.MatchString(stderr) {
		code, stdout, stderr = typeLine(t, path, home, dir, longer) // a busy machine
	}
	if !slices.Contains([]int{exitFine, exitRejected, exitPartial, exitRegression}, code) {
		t.Errorf("%s: exit status %d\n%s%s", command, code, stderr, stdout)
	}
	if stdout == "" && !strings.Contains(command, " -o ") {
		t.Errorf("%s: printed nothing\n%s", command, stderr)
	}
}

// typeLine runs one line of a shell there.
func typeLine(t *testing.T, path, home, dir, line string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	// Reports go beside the directory, so that what is left in it is assay's.
	sh := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", line)
	sh.Dir = home
	sh.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "ASSAY_") || strings.HasPrefix(e, "XDG_")
	}), "HOME="+home, "DIR="+dir, "PATH="+path)
	var out, errs bytes.Buffer
	sh.Stdout, sh.Stderr = &out, &errs
	_ = sh.Run() // its status says it
	return sh.ProcessState.ExitCode(), out.String(), errs.String()
}

// briefBudget is of runs that take all of their budget.
const briefBudget = "--time-budget 8s"

// tooBrief matches what a run says that needs more time.
var tooBrief = regexp.MustCompile("the time budget of|of scratch space were written, too little to measure")

var (
	// onCluster are commands to several hosts.
	onCluster = regexp.MustCompile(` -i cluster\.yaml\b`)
	onTiers   = regexp.MustCompile(` -i (tiers|ceph|rbd|vms|windows|clones|migrate|failover|zfs|drbd)\.yaml\b`)
	// onDevice are commands that overwrite a drive.
	onDevice = regexp.MustCompile(` --overwrite /dev/disk/by-id/\S+,serial=\S+`)
	measures = regexp.MustCompile(`^assay run\b`)
	looks    = regexp.MustCompile(`^assay (plan|doctor)\b`)
)

// waiting is a case that mostly waits for the disk: it leaves the processors to other tests.
const waiting = "syncwrite-4k"

// spare are the cases that a short run of the baseline suite goes without.
const spare = "randwrite-4k,seqread-1m,seqwrite-1m,syncwrite-4k,cpu-all," +
	"memory-read-all,memory-write-1,memory-write-all,cache-read-all,cache-write-all"

// shorten makes a run short; of two budgets the last one counts.
func shorten(command string) string {
	head, tail, piped := strings.Cut(command, " | ")
	switch {
	case strings.Contains(head, " --resume "):
		// The run to resume is interrupted first.
		head = `assay run --suite quick --only write --repeats 2 --length 1s --size 64M --dir "$DIR" & ` +
			`until compgen -G "$DIR/.assay-*/source" || ! kill -0 $!; do sleep .05; done >/dev/null; kill $!; wait $!; ` + head
	case strings.Contains(head, " --like "):
		// It is as short as what it is like.
	case onCluster.MatchString(head):
		switch {
		case measures.MatchString(head):
			head += " --time-budget 2m --repeats 1 --length 1s --only cpu-1,path-mtu"
		case strings.Contains(head, " --rounds "):
			head += " --host host1,host2" // of six links, two
		}
	case measures.MatchString(head):
		head += ` --length 1s --size 64M --dir "$DIR"`
		if strings.Contains(head, "--precision") {
			head += " " + briefBudget
		} else {
			head += " --time-budget 5m --repeats 1" // and no more are added
		}
		switch {
		case strings.Contains(head, "--suite layers"):
			head += " --only write-4k," + waiting
		case strings.Contains(head, "--suite sync"):
			head += " --only wal-etcd,wal-postgres"
		case command == "assay run":
			head += " --skip " + spare
		case strings.Contains(head, "--suite quick") && piped:
			head += " --only write" // the command without a pipe has made the others
		case strings.Contains(head, "--only fio "):
			head += " --skip randread-4k,randwrite-4k,seqread-1m,seqwrite-1m"
		case !strings.Contains(head, "--suite quick") && !strings.Contains(head, "--only"):
			head += " --only " + waiting // the command above has made the others
		}
	case looks.MatchString(head):
		head += ` --dir "$DIR"`
	}
	if piped {
		return head + " | " + tail
	}
	return head
}

func hasTarget(t *testing.T, target string) bool {
	t.Helper()
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).Match(text)
}
