package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"assay"
	"assay/internal/lazyregexp"
	"assay/place/record"
)

// Place answers from a recording.
type Place struct {
	host    string
	mu      sync.Mutex
	answers map[string][]record.Entry
	// byArgv holds the same answers, keyed without stdin: a script that has
	// changed since still asks for the same things.
	byArgv map[string][]record.Entry
}

// scratchName matches the random part of scratch names, which differs from run
// to run; the same command in another scratch directory is the same command.
var scratchName = lazyregexp.New(`assay-[0-9a-z]{8,}`)

// hostName matches valid host names: they become part of ids and of lines of text.
var hostName = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$`)

func key(argv []string, stdin []byte) string {
	return scratchName.ReplaceAllString(strings.Join(argv, "\x00")+"\x01"+string(stdin), "assay-ID")
}

// New reads a recording; name is for messages.
func New(r io.Reader, name string) (*Place, error) {
	p := &Place{answers: map[string][]record.Entry{}, byArgv: map[string][]record.Entry{}}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e record.Entry
			if jerr := json.Unmarshal(line, &e); jerr != nil {
				return nil, fmt.Errorf("%s:%d: not a recording: %w", name, n, jerr)
			}
			if len(e.Argv) == 0 {
				return nil, fmt.Errorf("%s:%d: not a recording: no command", name, n)
			}
			if !hostName.MatchString(e.Host) {
				return nil, fmt.Errorf("%s:%d: not a recording: %.40q is not the name of a host", name, n, e.Host)
			}
			p.host = e.Host
			k := key(e.Argv, e.Stdin)
			p.answers[k] = append(p.answers[k], e)
			k = key(e.Argv, nil)
			p.byArgv[k] = append(p.byArgv[k], e)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	if p.host == "" {
		return nil, fmt.Errorf("%s: the recording is empty", name)
	}
	return p, nil
}

// Host returns the recorded host.
func (p *Place) Host() assay.Host { return assay.Host{Name: p.host} }

// Close does nothing.
func (p *Place) Close() error { return nil }

// Run returns the recorded answers to c in order, repeating the last one when
// they run out.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := next(p.answers, key(c.Argv, c.Stdin))
	if !ok {
		e, ok = next(p.byArgv, key(c.Argv, nil))
	}
	if !ok {
		return assay.Output{}, assay.WithHint(
			"record again with the same suite, options and directory",
			"the recording has no answer to %q", strings.Join(c.Argv, " "))
	}
	return e.Output, e.Err()
}

// next pops the first answer under k, but keeps the last one.
func next(answers map[string][]record.Entry, k string) (record.Entry, bool) {
	left := answers[k]
	if len(left) == 0 {
		return record.Entry{}, false
	}
	if len(left) > 1 {
		answers[k] = left[1:]
	}
	return left[0], true
}
