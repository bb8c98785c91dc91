package store

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"assay"
)

// text is bytes in JSON: a string if they are UTF-8, which is readable and
// packs well, else {"base64": "…"}. Both decode to the same bytes.
type text []byte

type rawText struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON is lossless.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.Valid(t) {
		return toJSON(string(t))
	}
	return json.Marshal(rawText{t})
}

// UnmarshalJSON reads both forms.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var raw rawText
		err := json.Unmarshal(b, &raw)
		*t = raw.Base64
		return err
	}
	var s string
	err := json.Unmarshal(b, &s)
	*t = text(s)
	return err
}

// storedTranscript is an assay.Transcript as it is stored.
type storedTranscript struct {
	Probe    string            `json:"probe"`
	Settings map[string]string `json:"settings,omitempty"`
	Steps    []storedStep      `json:"steps"`
}

type storedStep struct {
	Name   string       `json:"name"`
	Host   string       `json:"host,omitempty"`
	Argv   []text       `json:"argv"`
	Stdin  text         `json:"stdin,omitempty"`
	Output storedOutput `json:"output"`
}

type storedOutput struct {
	Stdout  text          `json:"stdout,omitempty"`
	Stderr  text          `json:"stderr,omitempty"`
	Exit    int           `json:"exit"`
	Asked   bool          `json:"asked,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"`
	CPU     time.Duration `json:"cpu"`
}

func packTranscript(tr assay.Transcript) ([]byte, error) {
	raw, err := TranscriptJSON(tr)
	if err != nil {
		return nil, err
	}
	return pack(raw)
}

// TranscriptJSON returns a transcript as stored: JSON in which a command's input
// and output are strings if they are UTF-8, else {"base64": "…"}, so that no
// byte is lost.
func TranscriptJSON(tr assay.Transcript) ([]byte, error) {
	st := storedTranscript{Probe: tr.Probe, Settings: tr.Settings}
	for _, step := range tr.Steps {
		o := step.Output
		argv := make([]text, len(step.Argv))
		for i, word := range step.Argv {
			argv[i] = text(word)
		}
		st.Steps = append(st.Steps, storedStep{step.Name, step.Host, argv, step.Stdin,
			storedOutput{o.Stdout, o.Stderr, o.Exit, o.Asked, o.Started, o.Elapsed, o.CPU}})
	}
	return toJSON(st)
}

// transcript takes no room: callers keep only one at a time.
func (r *room) transcript(blob []byte) (assay.Transcript, error) {
	raw, err := r.unpack(blob)
	if err != nil {
		return assay.Transcript{}, err
	}
	return ReadTranscript(raw)
}

// ReadTranscript reads the output of TranscriptJSON. Its errors match
// ErrDamaged.
func ReadTranscript(raw []byte) (assay.Transcript, error) {
	var st storedTranscript
	if err := fromJSON(raw, &st); err != nil {
		return assay.Transcript{}, err
	}
	tr := assay.Transcript{Probe: st.Probe, Settings: st.Settings}
	for _, step := range st.Steps {
		o := step.Output
		argv := make([]string, len(step.Argv))
		for i, word := range step.Argv {
			argv[i] = string(word)
		}
		tr.Steps = append(tr.Steps, assay.Step{Name: step.Name, Host: step.Host, Argv: argv, Stdin: step.Stdin,
			Output: assay.Output{Stdout: o.Stdout, Stderr: o.Stderr, Exit: o.Exit, Asked: o.Asked,
				Started: o.Started, Elapsed: o.Elapsed, CPU: o.CPU}})
	}
	return tr, nil
}
