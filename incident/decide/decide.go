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

// Read is one planned read that could decide. Nothing has been read yet.
type Read struct {
	Decider string        `json:"decider"`
	Host    string        `json:"host,omitempty"`
	Device  string        `json:"device,omitempty"`
	What    string        `json:"what"`    // "read 9 blocks of 4 KiB around sector 2971096 of /dev/sdk"
	Shows   string        `json:"shows"`   // what it would show
	Bytes   int64         `json:"bytes"`   // at most, of a device or of a link
	Longest time.Duration `json:"longest"` // in nanoseconds

	argv []string
	// around means that it runs before all other reads of the host, and again after
	// them.
	around bool
	judge  func(said []string) Shown
}

// Shown is what the results of a read show.
type Shown struct {
	Says string `json:"says"`
	// For are the layers it supports as the cause, and Against those it rules
	// out.
	For     []incident.Layer `json:"for,omitempty"`
	Against []incident.Layer `json:"against,omitempty"`
	// Absent is the reason for having no result: "not supported: …", "failed:
	// …".
	Absent string `json:"absent,omitempty"`
}

// Decider proposes reads that could decide.
type Decider struct {
	ID string
	// Reads returns the reads it would make for this verdict. It is pure.
	Reads func(incident.Log, blame.Verdict) []Read
}

// Deciders returns all deciders.
func Deciders() []Decider { return []Decider{driveCounters, sectors, layerBelow, path} }

// most is the maximum number of reads per host.
const most = 8

// Plan returns the reads that would clarify a verdict. It reads nothing.
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

// Host runs the reads of one host one after another: concurrent reads would measure
// each other. It returns the results in the order of the reads.
func Host(ctx context.Context, at assay.Place, reads []Read) ([]Measured, error) {
	answers, failed := make([][]string, len(reads)), make([]error, len(reads))
	ask := func(i int) {
		if failed[i] != nil || ctx.Err() != nil {
			return
		}
		// The script has its own time limit; the place's limit covers scripts that hang in the
		// kernel.
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

// Failed returns the results for reads that could not be made.
func Failed(reads []Read, why string) []Measured {
	all := make([]Measured, len(reads))
	for i, r := range reads {
		all[i] = Measured{Read: r, Shown: Shown{Absent: "failed: " + why}}
	}
	return all
}

// grace is how far a read may exceed its promised time before it is killed.
const grace = 10 * time.Second

// Measured is a read with its result.
type Measured struct {
	Read
	Shown
	Answer Answer `json:"answer"`
}

// Answer is the effect of a read on a verdict.
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

// shell returns the command for a script whose arguments are passed verbatim.
func shell(script string, args ...string) []string {
	return append([]string{"sh", "-c", script, "assay"}, args...)
}

// suspects returns the devices of a verdict, those in the evidence of its cause
// first.
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

// layers returns the layers that a verdict names.
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

// node reports whether a name from a text is a plausible block device in /dev: it
// cannot escape that directory.
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

// place returns a device for use in a sentence.
func place(host, device string) string {
	if host == "" {
		return "/dev/" + device
	}
	return "/dev/" + device + " on " + host
}
