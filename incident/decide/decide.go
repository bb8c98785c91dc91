package decide

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/blame"
)

// Read is one read that would decide. Nothing was read yet.
type Read struct {
	Decider string        `json:"decider"`
	Host    string        `json:"host,omitempty"`
	Device  string        `json:"device,omitempty"`
	What    string        `json:"what"`    // "read 9 blocks of 4 KiB around sector 2971096 of /dev/sdk"
	Shows   string        `json:"shows"`   // what it would show
	Bytes   int64         `json:"bytes"`   // at most, of a device or of a link
	Longest time.Duration `json:"longest"` // in nanoseconds

	argv []string
	// around says that it is done before all other reads of the host, and again after.
	around bool
	judge  func(said []string) Shown
}

// Shown is what the answers to a read show.
type Shown struct {
	Says string `json:"says"`
	// For are layers that it speaks for, and Against those that it rules out.
	For     []incident.Layer `json:"for,omitempty"`
	Against []incident.Layer `json:"against,omitempty"`
	// Absent says why there was nothing to see: "not supported: …", "failed: …".
	Absent string `json:"absent,omitempty"`
}

// Decider knows reads that would decide.
type Decider struct {
	ID string
	// Reads is pure: what it would read for this verdict.
	Reads func(incident.Log, blame.Verdict) []Read
}

// Deciders are all of them.
func Deciders() []Decider { return []Decider{driveCounters, sectors, layerBelow, path} }

// most is how many reads one host gets at most.
const most = 8

// Plan returns the reads that would tell more about a verdict. It reads nothing.
func Plan(log incident.Log, v blame.Verdict) []Read {
	var all []Read
	of := map[string]int{}
	for _, d := range Deciders() {
		for _, r := range d.Reads(log, v) {
			if of[r.Host]++; of[r.Host] <= most {
				r.Decider = d.ID
				all = append(all, r)
			}
		}
	}
	return all
}

// Host runs the reads of one host, one after another: two at once would measure each
// other. It returns what they show, in the order of the reads.
func Host(ctx context.Context, at assay.Place, reads []Read) ([]Measured, error) {
	answers, failed := make([][]string, len(reads)), make([]error, len(reads))
	ask := func(i int) {
		if failed[i] != nil || ctx.Err() != nil {
			return
		}
		// The script bounds itself; the place's own bound is for one that hangs in the kernel.
		out, err := at.Run(ctx, assay.Cmd{Argv: reads[i].argv, Timeout: reads[i].Longest + grace, Limit: 1 << 20})
		if err == nil && out.Exit != 0 {
			err = fmt.Errorf("sh ended with status %d", out.Exit)
		}
		answers[i], failed[i] = append(answers[i], string(out.Stdout)), err
	}
	for _, pass := range []func(Read) bool{
		func(r Read) bool { return r.around },
		func(r Read) bool { return !r.around },
		func(r Read) bool { return r.around },
	} {
		for i := range reads {
			if pass(reads[i]) {
				ask(i)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := make([]Measured, len(reads))
	for i, r := range reads {
		all[i].Read = r
		switch err := failed[i]; {
		case errors.Is(err, assay.ErrTimeout):
			all[i].Absent = fmt.Sprintf("failed: no answer in %s", r.Longest+grace)
		case err != nil:
			all[i].Absent = "failed: " + err.Error()
		default:
			all[i].Shown = r.judge(answers[i])
		}
	}
	return all, nil
}

// Failed is what there is to say of reads that could not be made.
func Failed(reads []Read, why string) []Measured {
	all := make([]Measured, len(reads))
	for i, r := range reads {
		all[i] = Measured{Read: r, Shown: Shown{Absent: "failed: " + why}}
	}
	return all
}

// grace is how much longer than promised a read may take before it is killed.
const grace = 10 * time.Second

// Measured is a read and what it showed.
type Measured struct {
	Read
	Shown
	Answer Answer `json:"answer"`
}

// Answer is what a read does to a verdict.
type Answer string

// The answers.
const (
	Confirmed    Answer = "confirmed"
	Contradicted Answer = "contradicted"
	Undecided    Answer = "still undecided"
	NotMeasured  Answer = "not measured"
)

//go:embed read.sh
var readScript string

// shell is a script with arguments, which reach it as they are.
func shell(script string, args ...string) []string {
	return append([]string{"sh", "-c", script, "assay"}, args...)
}

// suspects are the devices of a verdict, those of its evidence first named.
func suspects(v blame.Verdict) []incident.Event {
	causes := slices.Concat(deref(v.Cause), v.Rivals, v.Between)
	var all []incident.Event
	for _, c := range causes {
		for _, e := range c.Evidence {
			e.Device = incident.Whole(e.Device)
			same := func(o incident.Event) bool { return o.Host == e.Host && o.Device == e.Device }
			if node(e.Device) && e.Kind != incident.DriveIdentified && !slices.ContainsFunc(all, same) {
				all = append(all, e)
			}
		}
	}
	return all[:min(len(all), 3)]
}

// layers are those that a verdict names.
func layers(v blame.Verdict) []incident.Layer {
	var all []incident.Layer
	if v.Cause != nil {
		all = append(all, v.Cause.Layer)
	}
	for _, c := range slices.Concat(v.Rivals, v.Between) {
		all = append(all, c.Layer)
	}
	return all
}

// node reports whether a name that some text has can be of a block device in /dev: it
// cannot lead out of there.
func node(name string) bool {
	if len(name) < 3 || len(name) > 32 {
		return false
	}
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return slices.ContainsFunc([]string{"sd", "nvme", "vd", "xvd", "hd", "md", "dm-", "loop", "rbd", "drbd", "zd", "mmcblk", "nbd", "bcache"}, func(p string) bool {
		return len(name) > len(p) && name[:len(p)] == p
	})
}

// place is a device in a sentence.
func place(host, device string) string {
	if host == "" {
		return "/dev/" + device
	}
	return "/dev/" + device + " on " + host
}
