package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"assay"
	"assay/place/record"
)

// Place answers from a recording.
type Place struct {
	host    string
	mu      sync.Mutex
	answers map[string][]record.Entry
}

// scratchName matches the random part of scratch names, which differs from run
// to run; the same command in another scratch directory is the same command.
var scratchName = regexp.MustCompile(`assay-[0-9a-z]{8,}`)

func key(argv []string, stdin []byte) string {
	return scratchName.ReplaceAllString(strings.Join(argv, "\x00")+"\x01"+string(stdin), "assay-ID")
}

// New reads a recording; name is for messages.
func New(r io.Reader, name string) (*Place, error) {
	p := &Place{answers: map[string][]record.Entry{}}
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
			p.host = e.Host
			k := key(e.Argv, e.Stdin)
			p.answers[k] = append(p.answers[k], e)
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

// Host is the host that was recorded.
func (p *Place) Host() assay.Host { return assay.Host{Name: p.host} }

// Close does nothing.
func (p *Place) Close() error { return nil }

// Run gives the recorded answers to c in their order, the last one again when
// they are used up.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	k := key(c.Argv, c.Stdin)
	left := p.answers[k]
	if len(left) == 0 {
		return assay.Output{}, assay.WithHint(
			"record again with the same suite, options and directory",
			"the recording has no answer to %q", strings.Join(c.Argv, " "))
	}
	if len(left) > 1 {
		p.answers[k] = left[1:]
	}
	return left[0].Output, left[0].Err()
}
