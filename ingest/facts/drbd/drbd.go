package drbd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format recognises a resource line of drbdadm status, the first line of
// /proc/drbd, and the keys of drbdsetup's JSON.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "drbd", Commands: []string{"drbdadm", "drbdsetup"},
		Begins: func(line string) bool {
			line = strings.TrimRight(line, " \r")
			return strings.Contains(line, "role:") && resourceLine.MatchString(line) || procHead.MatchString(line) ||
				strings.Contains(line, " cs:") && procRow.MatchString(line)
		},
		Splits: func(_ []byte, next string) bool { return isJSON(next) || procHead.MatchString(next) },
		Accepts: func(keys []string) bool {
			return slices.Contains(keys, "devices") && slices.Contains(keys, "connections") && slices.Contains(keys, "role")
		},
	}
}

func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")
}

// Learn sets the replication facts and keeps the stack's others.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("drbd: %w", assay.ErrNoOutput)
	}
	said := step.Output.Stdout
	var all []resource
	var err error
	version := ""
	if isJSON(string(said)) {
		all, err = fromJSON(said)
	} else {
		all, version, err = fromText(string(said))
	}
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return assay.WithHint("drbdsetup status --json prints them all", "drbd: %w: no resource", assay.ErrNoOutput)
	}
	stack := assay.StackFacts{Kind: "drbd"}
	if f.Stack != nil && f.Stack.Kind == "drbd" {
		stack = *f.Stack
	}
	if version != "" {
		stack.Version = version
	}
	sum(&stack, all)
	f.Stack = &stack
	return nil
}

// document returns the first JSON document of a text; prose may follow it.
func document(text []byte) ([]byte, error) {
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&raw); err != nil {
		return nil, assay.WithHint("keep the whole output", "drbd: truncated JSON")
	}
	return text[:d.InputOffset()], nil
}
