package thermal

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
)

// watch is run on the host; its head describes arguments and output.
//
//go:embed watch.sh
var watch []byte

// The lengths of the phases around the load, where a suite does not set them.
const (
	defaultIdle   = 5 * time.Second
	defaultSettle = 30 * time.Second
	defaultLoad   = 30 * time.Second
	// slack is what the script may take longer than its phases: a tick of a
	// host with hundreds of CPUs takes a while.
	slack = 30 * time.Second
)

type probe struct {
	root     string // what holds sys and proc; another one in tests
	interval string // between two looks, for sleep
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

// Trials returns one trial a host that has temperature sensors or a CPU clock to
// watch. Settings, in seconds: idle (5), settle (30); and threads (0: one a CPU).
func (p probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != "" && c.On != assay.KindThermal {
		return nil, fmt.Errorf("case thermal/%s is on %q: thermal measures a %s", c.Name, c.On, assay.KindThermal)
	}
	if _, err := phasesOf(c.Set); err != nil {
		return nil, fmt.Errorf("case thermal/%s: %w", c.Name, err)
	}
	var trials []assay.Trial
	for _, s := range inv.Of(assay.KindThermal) {
		trials = append(trials, trialFor(inv, c, s))
	}
	return trials, nil
}

func trialFor(inv assay.Inventory, c assay.Case, s assay.Subject) assay.Trial {
	phases, _ := phasesOf(c.Set) // Trials has seen that it is valid
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
	for name, value := range c.Set {
		t.Settings[name] = value
	}
	t.Overhead = phases.idle + phases.settle
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

// allOn names every subject of the host: a load of all CPUs disturbs each.
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

// phases is what a case may set.
type phases struct {
	idle, settle time.Duration
	threads      int // 0: one a CPU
}

func phasesOf(set map[string]string) (phases, error) {
	ph := phases{idle: defaultIdle, settle: defaultSettle}
	for name, value := range set {
		var err error
		switch name {
		case "idle":
			ph.idle, err = length(value)
		case "settle":
			ph.settle, err = length(value)
		case "threads":
			ph.threads, err = strconv.Atoi(value)
			if err != nil || ph.threads < 0 || ph.threads > 4096 {
				err = fmt.Errorf("%q is not a number of threads", value)
			}
		case "sensors": // set by Trials
		default:
			return ph, assay.WithHint("settings are idle, settle and threads", "thermal has no setting %q", name)
		}
		if err != nil {
			return ph, fmt.Errorf("setting %s: %w", name, err)
		}
	}
	return ph, nil
}

// length reads a number of seconds, up to an hour.
func length(value string) (time.Duration, error) {
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s >= 0 && s <= 3600) {
		return 0, fmt.Errorf("%q is not a number of seconds from 0 to 3600", value)
	}
	return seconds(s), nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// encodeSensors puts sensors into one setting: a line each, kind, key and path
// between tabs. Sensors whose names cannot be written so are left out.
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

// sensorArgs turns that setting into the script's arguments.
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
