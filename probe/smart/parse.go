package smart

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/jsondoc"
)

// Parse reads smartctl's output, as JSON of any version since 7.0 or as text.
// Values that the drive did not report yield no measurement. If several steps
// were run, the last one that reached the drive counts.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var failures []error
	for i := len(tr.Steps) - 1; i >= 0; i-- {
		ms, err := parseAnswer(tr.Steps[i])
		if err == nil {
			return ms, nil
		}
		if errors.Is(err, errAsleep) {
			return nil, assay.WithHint(wakeHint(deviceOf(tr, i)), "%w", err)
		}
		failures = append(failures, err)
	}
	switch len(failures) {
	case 0:
		return nil, fmt.Errorf("smartctl was not run: %w", assay.ErrNoOutput)
	case 1:
		return nil, failures[0]
	}
	// The first step's message names the cause; the last one's is about the
	// workaround that failed too.
	first, last := failures[len(failures)-1], failures[0]
	return nil, assay.WithHint(
		"smartctl --scan-open lists the matching device types; try another with smartctl -d TYPE -x",
		"%w; with -d sat: %w", first, last)
}

// deviceOf returns the drive that was queried, or "" if unknown.
func deviceOf(tr assay.Transcript, step int) string {
	if device := tr.Settings["device"]; device != "" {
		return device
	}
	return deviceIn(tr.Steps[step].Argv)
}

// deviceIn returns the last word of a command that is a device, or "" if none
// is.
func deviceIn(argv []string) string {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	for i := len(argv) - 1; i >= 0; i-- {
		if strings.HasPrefix(argv[i], "/dev/") {
			return argv[i]
		}
	}
	return ""
}

// parseAnswer parses the output of one smartctl.
func parseAnswer(step assay.Step) ([]assay.Measurement, error) {
	out := step.Output
	if len(bytes.TrimSpace(out.Stdout)) == 0 {
		return nil, fmt.Errorf("smartctl (exit status %d)%s: %w", out.Exit, said(out.Stderr), assay.ErrNoOutput)
	}
	if mode := lowPowerMode(out.Stdout); mode != "" {
		return nil, fmt.Errorf("the drive is asleep (%s): %w", mode, errAsleep)
	}
	text, first, isJSON := fromDocument(out.Stdout)
	if !isJSON {
		if bytes.Contains(out.Stdout, []byte("UNRECOGNIZED OPTION: json")) {
			return nil, assay.WithHint("install smartmontools 7.0 or newer", "smartctl does not know --json")
		}
		return parseText(string(out.Stdout), step.Argv)
	}
	doc, err := jsondoc.Parse(text, first)
	if err != nil {
		return nil, fmt.Errorf("smartctl printed no JSON document: %w", err)
	}
	tree := fromJSON(doc, 0)
	if drives := tree.list(); len(drives) > 0 {
		return measureAll(drives, out.Exit)
	}
	return measure(tree, out.Exit, step.Argv...)
}

// measureAll reads the documents of several drives that somebody put into one
// array. Label job distinguishes them.
func measureAll(drives []node, exit int) ([]assay.Measurement, error) {
	var all []assay.Measurement
	var failures []error
	for i, drive := range drives {
		ms, err := measure(drive, exit)
		if err != nil {
			failures = append(failures, fmt.Errorf("line %d: %w", drive.line, err))
			continue
		}
		for _, m := range ms {
			if len(drives) > 1 {
				m.Labels["job"] = "drive " + strconv.Itoa(i+1)
			}
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil, failures[0]
	}
	return all, nil
}

// measure returns the figures of one drive.
func measure(doc node, exit int, argv ...string) ([]assay.Measurement, error) {
	if isSmartLog(doc) {
		var err error
		if doc, err = fromSmartLog(doc, deviceIn(argv)); err != nil {
			return nil, err
		}
	}
	status, err := exitStatus(doc, exit)
	if err != nil {
		return nil, err
	}
	r := &reading{doc: doc, labels: commonLabels(doc), status: status}
	if err := r.read(); err != nil {
		return nil, err
	}
	if len(r.found) == 0 {
		return nil, whyNothing(doc, status)
	}
	return r.found, nil
}

// fromDocument finds the JSON document in an output, and the line on which it
// begins: some builds of smartctl print warnings to standard output first. In a
// text output, a heading comes before any brace.
func fromDocument(out []byte) (doc []byte, first int, ok bool) {
	for i, line := range bytes.SplitAfter(out, []byte("\n")) {
		switch {
		case begins(string(line)):
			return nil, 0, false
		case bytes.HasPrefix(line, []byte("{")), i == 0 && opensJSON(bytes.TrimSpace(out)):
			return out, i + 1, true
		}
		out = out[len(line):]
	}
	return nil, 0, false
}

// said formats a command's standard error for a message.
func said(stderr []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// opensJSON distinguishes an array or object from "[sudo] password for …".
func opensJSON(text []byte) bool {
	inside, isList := bytes.CutPrefix(text, []byte("["))
	if !isList {
		return bytes.HasPrefix(text, []byte("{"))
	}
	inside = bytes.TrimSpace(inside)
	return len(inside) > 0 && bytes.IndexByte([]byte("{[]"), inside[0]) >= 0
}
