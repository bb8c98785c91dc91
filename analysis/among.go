package analysis

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/reference"
)

// Among is a figure placed among published ones, or several figures of one case
// with the same placement.
type Among struct {
	Trial     assay.Trial // the first
	Title     string
	Figure    Figure  // the first
	Low, High float64 // lowest and highest median
	N         int
	// Hosts are the hosts that measured the figures, each once; none for a link, or
	// if one host has several figures.
	Hosts []string
	Place reference.Placement
}

// placed is one figure with its placement, before figures with the same placement
// are grouped.
type placed struct {
	trial *assay.Trial
	f     *Figure
	title string
	at    reference.Placement
}

// among places a run's headline figures: IOPS of small blocks, bandwidth of large
// ones, throughput of one direction of a link. It skips figures that were rejected
// or are implausibly fast.
func (b *builder) among(sections []Section) []Among {
	var all []placed
	var published reference.Placer
	rows := rowsByTrial(sections)
	for i := range b.run.Results {
		r := &b.run.Results[i]
		if _, _, both := bothWays(*r); both || len(r.Trial.Others) > 0 {
			continue
		}
		row := rows[r.Trial.ID]
		if row == nil || row.Absent != nil {
			continue
		}
		heads := r.Headlines()
		for k := range row.Figures {
			f := &row.Figures[k]
			if !slices.Contains(heads, f.Metric) || f.Rejected || b.tooFast(*f) {
				continue
			}
			labels := labelsOf(*r, f.Metric)
			s := b.settings(*r, labels)
			if !isPublished(f.Metric, s) || labels["route"] == "local" {
				continue
			}
			if at, ok := published.Place(f.Metric, f.Value, s, b.thing(r.Trial.Subject)); ok && !b.inMemory(r.Trial.Subject) {
				all = append(all, placed{trial: &r.Trial, f: f, title: row.Title, at: at})
			}
		}
	}
	return linesOf(all)
}

// rowsByTrial maps each trial to its first row.
func rowsByTrial(sections []Section) map[string]*Row {
	all := map[string]*Row{}
	for _, s := range sections {
		for i := range s.Rows {
			if r := &s.Rows[i]; all[r.Trial] == nil {
				all[r.Trial] = r
			}
		}
	}
	return all
}

func rowOf(sections []Section, trial string) *Row {
	for _, s := range sections {
		for i := range s.Rows {
			if s.Rows[i].Trial == trial {
				return &s.Rows[i]
			}
		}
	}
	return nil
}

// isPublished reports whether figures like this headline are published: for
// storage, those of small or large blocks, but not of sizes in between.
func isPublished(metric string, s reference.Settings) bool {
	const small, large = 16 << 10, 128 << 10 // B
	switch family, _, _ := strings.Cut(metric, "."); family {
	case "storage":
		return s.Block > 0 && s.Block <= small || s.Block >= large
	case "pool":
		return true
	}
	return metric == "net.tcp.throughput"
}

// tooFast reports whether a footnote doubts that the figure was durable.
func (b *builder) tooFast(f Figure) bool {
	return b.cites(f, func(n Footnote) bool { return n.Rule == "flush-too-fast" })
}

// labelsOf returns the labels of a metric's first counted measurement.
func labelsOf(r assay.Result, metric string) map[string]string {
	for _, rep := range r.Counted() {
		if m := rep.Measurement(metric); m != nil {
			return m.Labels
		}
	}
	return nil
}

// settings returns the settings from the labels, completed from the subject and
// the facts.
func (b *builder) settings(r assay.Result, labels map[string]string) reference.Settings {
	s := reference.SettingsOf(labels)
	switch r.Trial.Subject.Kind {
	case assay.KindDirectory:
		s.On = "file"
	case assay.KindDevice:
		s.On = "device"
	case assay.KindBlock:
		if isRaw(r.Trial.Subject) {
			s.On = "device"
		}
	case assay.KindLink:
		for _, nic := range b.run.Inventory.Facts[labels["from"]].NICs {
			if nic.Name == labels["interface"] {
				s.MTU = nic.MTU
			}
		}
	}
	return s
}

// thing describes what a figure was measured on: the only drive under a
// directory or device, or a volume of several hosts.
func (b *builder) thing(s assay.Subject) reference.Thing {
	facts := b.run.Inventory.Facts[s.Host]
	drive, source := facts.DeviceAt(s.Name), s.Name
	if isRaw(s) {
		drive = facts.DeviceAt(s.Source)
	}
	if d := facts.Dir(s.Name); d != nil {
		drive, source = nil, d.Source
		if len(d.Drives) == 1 {
			drive = facts.Device(d.Drives[0])
		}
	}
	t := reference.Thing{Replicated: b.stackOf(s) != nil || overNetwork(source)}
	if drive != nil {
		t.Model, t.Bytes = drive.Model, drive.Bytes
	}
	return t
}

// overNetwork reports whether a device belongs to a driver of replicated
// storage.
func overNetwork(source string) bool {
	for _, prefix := range []string{"/dev/rbd", "/dev/drbd", "/dev/longhorn/"} {
		if strings.HasPrefix(source, prefix) {
			return true
		}
	}
	return false
}

// inMemory reports whether a directory has no drive under it at all.
func (b *builder) inMemory(s assay.Subject) bool {
	return slices.Contains([]string{"tmpfs", "ramfs", "devtmpfs"}, b.fileSystem(s))
}

// linesOf merges the figures of one case with the same placement into one line:
// ten hosts with the same drive do not need ten lines.
func linesOf(all []placed) []Among {
	var lines []Among
	var keys []string
	groups := map[string][]placed{}
	for _, p := range all {
		key := strings.Join([]string{p.trial.Probe, p.trial.Case, string(p.trial.Subject.Kind), p.f.Metric, placeName(p.at)}, "\x00")
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	for _, key := range keys {
		lines = append(lines, lineOf(groups[key]))
	}
	return lines
}

// placeName returns a key that tells placements apart by their wording.
func placeName(p reference.Placement) string {
	own := ""
	if p.Own != nil {
		own = p.Own.What
	}
	if p.Like == nil {
		own += fmt.Sprint("|", p.Below != nil, p.Above != nil)
	}
	for _, c := range p.Nearest() {
		own += fmt.Sprint("|", c.Name, c.Rated)
	}
	if p.Far != nil {
		own += "|" + p.Far.What
	}
	return own + "|" + p.Difference()
}

func lineOf(group []placed) Among {
	first := group[0]
	line := Among{Trial: *first.trial, Title: first.title, Figure: *first.f, Low: first.f.Value, High: first.f.Value, N: len(group), Hosts: hostsOf(group), Place: first.at}
	if len(group) > 1 {
		line.Title = withoutPlace(*first.trial, first.title)
	}
	for _, p := range group {
		line.Low, line.High = min(line.Low, p.f.Value), max(line.High, p.f.Value)
	}
	return line
}

// withoutPlace strips the host, or the ends of the link, from a title.
func withoutPlace(t assay.Trial, title string) string {
	if t.Subject.Kind == assay.KindLink {
		title, _ = linkTitle(t)
		return title
	}
	return strings.TrimPrefix(title, t.Subject.Host+": ")
}

// hostsOf returns the hosts of a group; none for links, or if one host has
// several figures.
func hostsOf(group []placed) []string {
	var hosts []string
	for _, p := range group {
		if p.trial.Subject.Kind == assay.KindLink || slices.Contains(hosts, p.trial.Subject.Host) {
			return nil
		}
		hosts = append(hosts, p.trial.Subject.Host)
	}
	return hosts
}
