package remote

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
)

// farEnd is the far end of a session, as a test plays it. Whoever hangs up ends the
// session.
type farEnd struct {
	Session
	done chan struct{}
	over sync.Once
	// took is called with each text that is sent, and returns whether it arrives.
	took func(text string) error
}

func newFarEnd(key string, took func(f *farEnd, text string) error) *farEnd {
	f := &farEnd{done: make(chan struct{})}
	f.took = func(text string) error { return took(f, text) }
	end := func() { f.over.Do(func() { close(f.done) }) }
	f.Session = Session{
		Host: "vm1", Stdin: f, Out: NewStream(key, assay.OutputLimit), Err: NewStream(key, assay.OutputLimit),
		Done: f.done, End: end, Reason: func() string { return "" },
	}
	return f
}

func (f *farEnd) Write(p []byte) (int, error) {
	if err := f.took(string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *farEnd) Close() error {
	f.End()
	return nil
}

// says prints a line of far.sh on both streams.
func (f *farEnd) says(line string) {
	_, _ = io.WriteString(f.Out, line+"\n")
	_, _ = io.WriteString(f.Err, line+"\n")
}

var errAgent = errors.New("host vm1: VM 101: the agent timed out")

// Beats go on after some that did not get through, or the far side would take us for
// gone; and so does the word that enough was heard.
func TestBeatsAreTriedAgain(t *testing.T) {
	const key = "0123456789abcdef"
	beats, enough := 0, 0
	f := newFarEnd(key, func(f *farEnd, text string) error {
		switch text {
		case "\n":
			if beats++; beats <= 2 {
				return errAgent
			}
			if beats == 3 {
				_, _ = io.WriteString(f.Out, "heard\n")
			}
		case key + " enough\n":
			if enough++; enough == 1 {
				return errAgent
			}
			f.says(key + " end status=0 fired= cpu=")
		default:
			f.says(key + " begin")
		}
		return nil
	})
	o := Order{Cmd: assay.Cmd{Argv: []string{"fio"}, OnStdout: func([]byte) bool { return true }}, Key: key, Beat: time.Millisecond}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	out, err := f.Carry(ctx, o)
	if err != nil || string(out.Stdout) != "heard\n" || !out.Asked {
		t.Errorf("%q, asked %v, %v", out.Stdout, out.Asked, err)
	}
}

// A command that the far side never got whole is lost, with the reason, however long it
// may take: nobody there will answer.
func TestUnsentIsLost(t *testing.T) {
	const key = "0123456789abcdef"
	script := "echo hello"
	for name, fails := range map[string]func(text string) bool{
		"order": func(text string) bool { return strings.HasPrefix(text, key+"\n") },
		"stdin": func(text string) bool { return text == script },
		"go":    func(text string) bool { return text == key+" go\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFarEnd(key, func(f *farEnd, text string) error {
				if fails(text) {
					return errAgent
				}
				if text == script {
					f.says(key + " fed")
				}
				return nil
			})
			o := Order{Cmd: assay.Cmd{Argv: []string{"sh"}, Stdin: []byte(script)}, Key: key, Beat: BeatTime}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			_, err := f.Carry(ctx, o)
			if !errors.Is(err, ErrLost) || !errors.Is(err, assay.ErrHostGone) {
				t.Fatal(err)
			}
			if want := "host vm1: the connection was lost before sh began: VM 101: the agent timed out"; err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// A transport may fail to write because the far side has ended: what it said counts.
func TestEndOutweighsAFailedWrite(t *testing.T) {
	const key = "0123456789abcdef"
	f := newFarEnd(key, func(f *farEnd, text string) error {
		f.says(key + " begin")
		f.says(key + " end status=7 fired= cpu=")
		return io.ErrClosedPipe
	})
	out, err := f.Carry(t.Context(), Order{Cmd: assay.Cmd{Argv: []string{"true"}}, Key: key, Beat: BeatTime})
	if err != nil || out.Exit != 7 {
		t.Errorf("exit %d, %v", out.Exit, err)
	}
}
