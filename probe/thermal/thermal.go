package thermal

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
	"time"

	"assay"
	"assay/internal/setting"
)

// watch runs on the host; its header describes arguments and output.
//
//go:embed watch.sh
var watch []byte

// The default lengths of the phases around the load.
const (
	defaultIdle   = 5 * time.Second
	defaultSettle = 30 * time.Second
	defaultLoad   = 30 * time.Second
	// slack is how much longer than its phases the script may take: a tick of a
	// host with hundreds of CPUs takes a while, and so does starting it on a busy host.
	slack = 2 * time.Minute
)

type probe struct {
	root     string // the parent of sys and proc; differs in tests
	interval string // between two ticks, for sleep
}

// New returns the probe.
func New() assay.Probe { return probe{root: "/", interval: "1"} }

func (probe) Spec() assay.Spec {
	return assay.Spec{
		Name: "thermal",
		Metrics: []string{
			"thermal.idle", "thermal.load", "thermal.rise", "thermal.settle",
			"thermal.clock.idle", "thermal.clock.load", "thermal.throttles",
		},
	}
}

// Trials returns one trial per host that has temperature sensors or a CPU clock
// to watch.
func (p probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != "" && c.On != assay.KindThermal {
		return nil, fmt.Errorf("case thermal/%s is on %q: thermal measures a %s", c.Name, c.On, assay.KindThermal)
	}
	ph, err := phasesOf(setting.Of(c.Name, c.Set))
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, s := range inv.Of(assay.KindThermal) {
		trials = append(trials, trialFor(inv, c, ph, s))
	}
	return trials, nil
}

func trialFor(inv assay.Inventory, c assay.Case, ph phases, s assay.Subject) assay.Trial {
	t := assay.Trial{
		ID:       "thermal/" + c.Name + "@" + s.ID,
		Probe:    "thermal",
		Case:     c.Name,
		Title:    c.Title,
		Subject:  s,
		Settings: map[string]string{},
		Claims:   allOn(inv, s),
		Risk:     assay.Reads,
	}
	maps.Copy(t.Settings, c.Set)
	t.Overhead = ph.idle + ph.settle
	switch longest := seconds(c.Longest); {
	case c.Seconds == 0: // nothing to stretch
		t.Overhead += defaultLoad
		t.Bound = t.Overhead + slack
	case longest > 0:
		t.Bound = t.Overhead + max(longest, seconds(c.Seconds)) + slack
	}

	facts, known := inv.Facts[s.Host]
	switch {
	case !known:
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: "no facts were collected about host " + s.Host}
	case len(facts.Sensors) == 0 && facts.CPU.Driver == "" && facts.CPU.Governor == "":
		t.Absent = nothingToWatch(facts)
	default:
		t.Settings["sensors"] = encodeSensors(facts.Sensors)
	}
	return t
}

// allOn returns every subject of the host: a load on all CPUs disturbs each of
// them.
func allOn(inv assay.Inventory, s assay.Subject) []string {
	claims := []string{s.ID}
	for _, other := range inv.Subjects {
		if other.Host == s.Host && other.ID != s.ID {
			claims = append(claims, other.ID)
		}
	}
	return claims
}

func nothingToWatch(facts assay.Facts) *assay.Absence {
	a := &assay.Absence{
		Word: assay.NotSupported,
		Why:  "this machine shows no temperature sensors: a virtual machine, or the driver is not loaded",
		Hint: "modprobe coretemp (Intel) or modprobe k10temp (AMD); sensors-detect finds others",
	}
	if virtual := facts.CPU.Virtual; virtual != nil && *virtual {
		a.Why = "this virtual machine shows no temperature sensors"
		a.Hint = "check on the hypervisor"
	}
	return a
}

// phases are the settings of a case.
type phases struct {
	idle, settle time.Duration
	threads      int // 0: one per CPU
}

func phasesOf(r *setting.Reader) (phases, error) {
	ph := phases{
		idle:    r.Seconds("idle", defaultIdle, time.Hour),
		settle:  r.Seconds("settle", defaultSettle, time.Hour),
		threads: r.Count("threads", 0, 0, 4096),
	}
	return ph, r.Err()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// encodeSensors encodes sensors as one setting: a line each, with kind, key and
// path separated by tabs. Sensors whose names do not allow that are left out.
func encodeSensors(sensors []assay.Sensor) string {
	var lines []string
	for _, s := range sensors {
		if s.Path == "" || strings.ContainsAny(s.Key+s.Path, "\t\n\r") {
			continue
		}
		lines = append(lines, kindOf(s.Kind)+"\t"+s.Key+"\t"+s.Path)
	}
	return strings.Join(lines, "\n")
}

// sensorArgs converts that setting to the script's arguments.
func sensorArgs(setting string) []string {
	var args []string
	for line := range strings.SplitSeq(setting, "\n") {
		if fields := strings.Split(line, "\t"); len(fields) == 3 {
			args = append(args, fields...)
		}
	}
	return args
}

func kindOf(kind string) string {
	switch kind {
	case "cpu", "drive":
		return kind
	}
	return "other"
}
