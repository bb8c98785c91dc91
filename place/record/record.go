package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"assay"
)

// Entry is one command and its answer: one JSON line of a recording.
type Entry struct {
	Host   string       `json:"host"`
	Argv   []string     `json:"argv"`
	Stdin  []byte       `json:"stdin,omitempty"`
	Output assay.Output `json:"output"`
	Error  string       `json:"error,omitempty"` // as in Word
	Text   string       `json:"text,omitempty"`  // the error in full
}

// words are the errors that a recording distinguishes; others are "other".
var words = map[string]error{
	"no command": assay.ErrNoCommand,
	"timeout":    assay.ErrTimeout,
	"too long":   assay.ErrTooLong,
	"cancelled":  context.Canceled,
	"deadline":   context.DeadlineExceeded,
}

// Err returns the recorded error, or nil.
func (e Entry) Err() error {
	if e.Error == "" {
		return nil
	}
	if known, ok := words[e.Error]; ok {
		return fmt.Errorf("%w (recorded: %s)", known, e.Text)
	}
	return errors.New(e.Text)
}

// Place passes commands on and records them.
type Place struct {
	assay.Place
	mu  *sync.Mutex
	enc *json.Encoder
}

// New records place's commands and answers to w, in the order in which the
// commands end.
func New(place assay.Place, w io.Writer) *Place {
	return &Place{Place: place, mu: new(sync.Mutex), enc: json.NewEncoder(w)}
}

// Run passes c on and records the answer. An answer that cannot be recorded is
// an error: half a recording is worse than none.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := p.Place.Run(ctx, c)
	e := Entry{Host: p.Host().Name, Argv: c.Argv, Stdin: c.Stdin, Output: out}
	if err != nil {
		e.Error, e.Text = "other", err.Error()
		for word, known := range words {
			if errors.Is(err, known) {
				e.Error = word
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if werr := p.enc.Encode(e); werr != nil && err == nil {
		err = fmt.Errorf("record %s: %w", c.Argv[0], werr)
	}
	return out, err
}
