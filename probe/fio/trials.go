package fio

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay"
)

// Trials returns one trial for every directory, every device (only read), every drive
// under a directory (only read), every directory, block and image that is a tier, every
// block (overwritten), or all of those. Unknown or senseless settings are errors that
// name the case and the key.
func (*Probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	return tool{name, notOnSystem}.trials(inv, c)
}

// TrialsOf is Trials for the probe of another tool that measures fio's cases: with the same
// subjects, file sizes and numbers of jobs. refuses returns what that tool cannot measure of a
// case with such settings, or nil.
func TrialsOf(probe string, refuses func(set map[string]string, f assay.Facts, on assay.Subject) *assay.Absence, inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	of := tool{probe, func(s settings, f assay.Facts, on assay.Subject) *assay.Absence { return refuses(s.resolved(), f, on) }}
	return of.trials(inv, c)
}

// tool is what a case is measured with.
type tool struct {
	name    string
	refuses func(settings, assay.Facts, assay.Subject) *assay.Absence
}

func (of tool) trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	label := c.Name
	if label == "" {
		return nil, fmt.Errorf("a case of probe %s has no name", of.name)
	}
	if c.On == "" {
		c.On = assay.KindDirectory
	}
	if !slices.Contains([]assay.SubjectKind{assay.KindDirectory, assay.KindDevice, assay.KindBlock, assay.KindDrive, assay.KindImage, assay.KindTier, assay.KindStorage}, c.On) {
		return nil, assay.WithHint("on: directory", "case %s: on: %s measures directories, devices, blocks, drives, images and tiers, not %q", label, of.name, c.On)
	}
	if !(c.Seconds >= 0 && c.Seconds < 1e6) {
		return nil, fmt.Errorf("case %s: seconds: %g is not a valid duration", label, c.Seconds)
	}
	if c.Set[jobText] != "" {
		return of.userTrials(inv, c)
	}
	s, err := readSettings(label, c.Set)
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	if c.On == assay.KindDevice || c.On == assay.KindDrive {
		if !s.reads() {
			return nil, assay.WithHint("rw: read or randread", "case %s: rw: %s would destroy the data on the device", label, s.rw)
		}
		for _, subject := range readable(inv, c.On) {
			trials = append(trials, of.trialOf(inv, c, s, subject))
		}
		return trials, nil
	}
	for _, subject := range inv.Of(c.On) {
		trials = append(trials, of.trialOn(inv, c, s, subject))
	}
	return trials, nil
}

// readable returns the devices of the inventory, or the drives below the storage
// that is measured.
func readable(inv assay.Inventory, kind assay.SubjectKind) []assay.Subject {
	all := inv.Of(kind)
	if kind == assay.KindDevice {
		return all
	}
	return slices.DeleteFunc(all, func(drive assay.Subject) bool {
		return !slices.ContainsFunc(inv.Of(assay.KindStorage), func(s assay.Subject) bool { return slices.Contains(s.On, drive.ID) })
	})
}

// devicePath returns the path of a device or drive.
func devicePath(s assay.Subject) string {
	if s.Kind == assay.KindDrive {
		return "/dev/" + s.Name
	}
	return s.Name
}

func (of tool) trialOn(inv assay.Inventory, c assay.Case, s settings, subject assay.Subject) assay.Trial {
	facts, known := inv.Facts[subject.Host]
	s.engine = chooseEngine(s.engine, facts)
	s.jobs = chooseJobs(s.jobs, facts)

	t := assay.Trial{
		ID:      of.name + "/" + c.Name + "@" + subject.ID,
		Probe:   of.name,
		Case:    c.Name,
		Title:   c.Title,
		Subject: subject,
		Claims:  subject.Claims(),
		Risk:    assay.Writes,
		Volume:  cmp.Or(subject.Volume, "dir"),
		Length:  time.Duration(c.Seconds * float64(time.Second)),
	}
	if subject.Kind == assay.KindBlock || subject.Kind == assay.KindImage {
		s.size, t.Absent = chooseRegion(s, facts.DeviceAt(cmp.Or(subject.Source, subject.Name)))
	} else if t.Absent = unusable(facts, known, subject); t.Absent == nil {
		s.size, t.Absent = chooseSize(s, facts, *facts.Dir(subject.Name))
		if t.Absent != nil && subject.Tier != "" {
			t.Absent.Hint = "give tier " + subject.Tier + " a larger volume, or free space there"
		}
	}
	if t.Absent == nil {
		t.Absent = of.refuses(s, facts, subject)
	}
	t.Scratch = s.size
	t.Settings = s.resolved()
	if t.Absent != nil {
		t.Scratch = 0
	}
	return t
}

// trialOf returns a trial that reads a device. It needs no scratch space, so
// nothing is laid out.
func (of tool) trialOf(inv assay.Inventory, c assay.Case, s settings, subject assay.Subject) assay.Trial {
	facts := inv.Facts[subject.Host]
	s.engine = chooseEngine(s.engine, facts)
	s.jobs = chooseJobs(s.jobs, facts)
	t := assay.Trial{
		ID: of.name + "/" + c.Name + "@" + subject.ID, Probe: of.name, Case: c.Name, Title: c.Title,
		Subject: subject, Claims: subject.Claims(), Risk: assay.Reads, Length: time.Duration(c.Seconds * float64(time.Second)),
	}
	t.Absent = of.refuses(s, facts, subject)
	switch b := facts.DeviceAt(devicePath(subject)); {
	case t.Absent != nil:
	case subject.Kind == assay.KindDrive && !facts.Root:
		t.Absent = &assay.Absence{Word: assay.Failed, Why: "only root can read " + devicePath(subject) + " itself", Hint: "run as root"}
	case b != nil && b.Bytes >= leastBytes:
		s.size = b.Bytes / mib * mib
	case b != nil:
		t.Absent = &assay.Absence{Word: assay.NotSupported, Why: fmt.Sprintf("%s is too small to measure: %d B", subject.Name, b.Bytes)}
	default:
		t.Absent = &assay.Absence{
			Word: assay.Unknown, Why: fmt.Sprintf("%s has no device %s", subject.Host, subject.Name),
			Hint: "use the name that lsblk -p shows",
		}
	}
	t.Settings = s.resolved()
	return t
}

// unusable returns why nothing can be measured in a directory, or nil.
func unusable(f assay.Facts, known bool, s assay.Subject) *assay.Absence {
	dir := f.Dir(s.Name)
	switch {
	case !known || dir == nil:
		return &assay.Absence{
			Word: assay.Unknown,
			Why:  fmt.Sprintf("no facts were collected about %s on %s", s.Name, s.Host),
			Hint: "collect the facts of " + s.Host + " again",
		}
	case !dir.Exists:
		return &assay.Absence{
			Word: assay.Failed,
			Why:  fmt.Sprintf("%s does not exist on %s", s.Name, s.Host),
			Hint: "create it, or use another directory",
		}
	case !dir.Writable:
		return &assay.Absence{
			Word: assay.Failed,
			Why:  fmt.Sprintf("%s on %s is not writable by this user", s.Name, s.Host),
			Hint: "run as a user who can write there, or use another directory",
		}
	}
	return nil
}
