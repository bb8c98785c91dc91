package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"sync"
	"time"

	"assay"
	"assay/stacks/s3/loadgen"
)

// mostJob is the maximum size of a job, in bytes.
const mostJob = 4 << 20

// Serve does the job on stdin and prints the reply on stdout; it returns false
// if the job was not done. Cancelling ctx ends a load, and the reply has what
// was measured until then.
func Serve(ctx context.Context, stdin io.Reader, stdout io.Writer, version string) bool {
	began := time.Now()
	out := &printer{to: stdout}
	reply := Reply{Schema: Schema}
	job, err := readJob(stdin)
	if err == nil {
		reply, err = Do(orphaned(ctx), job, began, out.tick)
	}
	if job.Do == Hello {
		reply.Version = version
	}
	reply.Schema, reply.Do = Schema, job.Do
	if err != nil {
		reply.Failed = problem(err)
	}
	secrets := job.Store.secrets()
	if kept, err := readStore(job.Dir); err == nil {
		secrets = append(secrets, kept.secrets()...)
	}
	reply.hide(secrets)
	return out.print(reply) == nil && reply.Failed == nil
}

func readJob(stdin io.Reader) (Job, error) {
	var job Job
	text, err := io.ReadAll(io.LimitReader(stdin, mostJob+1))
	switch {
	case err != nil:
		return job, fmt.Errorf("read the job: %w", err)
	case len(text) > mostJob:
		return job, errors.New("the job is too long")
	}
	if err := json.Unmarshal(text, &job); err != nil {
		return job, errors.New("no job on stdin") // it may contain secrets
	}
	return job, job.check()
}

// Do does a job. tell, if not nil, is called every second with a load's
// progress; began is when the program was started.
func Do(ctx context.Context, job Job, began time.Time, tell func(Tick)) (Reply, error) {
	if err := job.check(); err != nil {
		return Reply{}, err
	}
	if job.Bound > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, job.Bound, assay.ErrTimeout)
		defer cancel()
	}
	switch job.Do {
	case Hello:
		return hello()
	case Make:
		return Reply{}, makeBucket(ctx, job)
	case LayOut:
		return layOut(ctx, job)
	case Run:
		return run(ctx, job, began, tell)
	case Remove:
		removed, err := removeBucket(ctx, job)
		if err != nil {
			err = stopped(ctx, err)
		}
		return Reply{Removed: removed}, err
	}
	return Reply{}, fmt.Errorf("unknown job %q", job.Do)
}

// hello identifies this program, so that whoever pushed it can check that it is
// whole.
func hello() (Reply, error) {
	path, err := os.Executable()
	if err != nil {
		return Reply{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Reply{}, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return Reply{}, err
	}
	return Reply{Arch: runtime.GOARCH, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// orphaned ends ctx when whoever started this program is gone, for places that
// cannot end what they started.
func orphaned(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		defer cancel()
		for tick := time.NewTicker(time.Second); os.Getppid() == parent; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return ctx
}

// printer prints lines of JSON.
type printer struct {
	mu sync.Mutex
	to io.Writer
}

func (p *printer) tick(t Tick) { _ = p.print(t) } // the reply says it all again

func (p *printer) print(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err = p.to.Write(append(text, '\n'))
	return err
}

// problem converts an error for a reply.
func problem(err error) *Problem {
	p := &Problem{Text: err.Error(), Hint: assay.Hint(err)}
	var f *loadgen.Failure
	if errors.As(err, &f) {
		p.Class = f.Class
		if p.Hint == "" {
			p.Hint = f.Class.Hint()
		}
	}
	return p
}

// lines returns the lines of a text with their numbers, from 0.
func lines(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(text) {
			if !yield(n, bytes.TrimSpace(line)) {
				return
			}
			n++
		}
	}
}
