package loadgen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
)

// worker runs one operation at a time.
type worker struct {
	client  *Client
	number  int
	links   []*link // to each endpoint
	rand    *rand.Rand
	head    []byte
	scratch []byte
	body    bytes.Buffer
	release func() bool // of the interruption
}

func newRand(seed uint64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(number))) //nolint:gosec // a load's choices must be reproducible
}

// job is an operation prepared off the clock.
type job struct {
	op       Op
	endpoint int
	request  request
	head     []byte
	body     span
	crc      uint32
	object   *object // that is read or deleted
	id       uint64  // that is written
}

// Reasons for a load to end early.
var (
	errNoObjects = errors.New("no objects left")
	errNoSpace   = errors.New("the load's space limit is reached")
)

// ready picks the object of an operation, prepares its data and signs the
// request.
func (w *worker) ready(op Op, endpoint int) (job, error) {
	c := w.client
	j := job{op: op, endpoint: endpoint, request: request{method: string(op)}}
	switch op {
	case Put:
		id, ok := c.objects.begin(c.load.Size, c.load.Space)
		if !ok {
			return j, errNoSpace
		}
		j.id = id
		j.request.key = c.key(id)
		if c.inParts() {
			return j, nil
		}
		j.body = span{id: id, size: c.load.Size}
		w.describe(&j.request, &j.crc, j.body)
	case Get, Head:
		if j.object = c.objects.read(w.rand); j.object == nil {
			return j, errNoObjects
		}
		j.request.key = c.key(j.object.id)
	case Delete:
		if j.object = c.objects.take(w.rand); j.object == nil {
			return j, errNoObjects
		}
		j.request.key = c.key(j.object.id)
	case List:
		if c.objects.count() == 0 {
			return j, errNoObjects
		}
		// Start anywhere in the first half of the keys: pages are full if there
		// are somewhat more than twice as many keys as a page holds, since they
		// are not spread evenly.
		after := c.keyOf(w.rand.Uint64() >> 1)
		j.request.method = http.MethodGet
		j.request.query = url.Values{"list-type": {"2"}, "prefix": {c.target.Prefix},
			"max-keys": {strconv.Itoa(c.load.PageSize)}, "start-after": {after}}
	}
	w.head = c.sign(w.head[:0], c.endpoints[endpoint], j.request)
	j.head = w.head
	return j, nil
}

// describe sets the length and the checksums of a request's body.
func (w *worker) describe(r *request, crc *uint32, s span) {
	r.length = s.size
	signed := !w.client.unsigned.Load()
	sum, sha := w.client.data.sum(s, 0, signed)
	r.sha, r.crc, *crc = unsignedPayload, crcText(sum), sum
	if signed {
		r.sha = sha
	}
}

// undo returns what an unused job took.
func (w *worker) undo(j job) {
	switch {
	case j.op == Put:
		w.client.objects.drop(w.client.load.Size)
	case j.object != nil && j.op == Delete:
		w.client.objects.add(j.object.id, j.object.crc)
	case j.object != nil:
		w.client.objects.release(j.object)
	}
}

// do runs a job. The only time it sets in the outcome is that of the first
// byte.
func (w *worker) do(ctx context.Context, j job) outcome {
	o := outcome{op: j.op, endpoint: j.endpoint}
	var err error
	switch {
	case j.op == Put && w.client.inParts():
		j.crc, err = w.putParts(ctx, j)
		o.bytes = w.client.load.Size
	default:
		err = w.simple(ctx, j, &o)
	}
	if err != nil {
		var f *Failure
		if !errors.As(err, &f) {
			f = w.broken(ctx, j.op, j.endpoint, err)
		}
		o.fail = f
	}
	w.settle(j, o.fail)
	return o
}

// settle updates the set of objects after a job.
func (w *worker) settle(j job, fail *Failure) {
	objects := &w.client.objects
	switch {
	case j.op == Put && fail == nil:
		objects.add(j.id, j.crc)
	case j.op == Put:
		// It may or may not be in the bucket: it is not read, and its space stays
		// taken.
	case j.op == Delete && fail == nil:
		objects.drop(w.client.load.Size)
	case j.op == Get || j.op == Head:
		objects.release(j.object)
	}
}

// simple runs a job of one request.
func (w *worker) simple(ctx context.Context, j job, o *outcome) error {
	l := w.links[j.endpoint]
	a, err := l.ask(ctx, j.request.method, j.head, w.client.data, j.body, nil)
	if err != nil {
		return err
	}
	o.first = a.first
	if a.StatusCode/100 != 2 {
		body, _ := w.readAll(l, a) // if it is cut short, the status says enough
		return w.refused(j.op, j.endpoint, a, body)
	}
	switch j.op {
	case Get:
		o.bytes, err = w.verify(ctx, l, a, j)
		return err
	case Head:
		l.done(a, true)
		if a.ContentLength != w.client.load.Size {
			return w.corrupt(j, "the response announces %d bytes, but %d were written", a.ContentLength, w.client.load.Size)
		}
		return nil
	case List:
		body, err := w.readAll(l, a)
		if err != nil {
			return w.cutShort(ctx, j.op, j.endpoint, err)
		}
		if !bytes.HasSuffix(bytes.TrimSpace(body), []byte("</ListBucketResult>")) {
			return &Failure{Class: NotS3, Op: j.op, Endpoint: l.to.name, Detail: "the response is not a list of keys"}
		}
		o.keys, o.bytes = int64(bytes.Count(body, []byte("<Key>"))), int64(len(body))
		return nil
	}
	o.bytes = j.body.size
	if _, err := w.readAll(l, a); err != nil {
		return w.cutShort(ctx, j.op, j.endpoint, err)
	}
	return nil
}

// cutShort returns the failure for a response that ended early.
func (w *worker) cutShort(ctx context.Context, op Op, at int, err error) *Failure {
	f := w.broken(ctx, op, at, err)
	if f.Class == Reset {
		f.Class = Truncated
	}
	return f
}

// verify reads an object and checks it against what was written.
func (w *worker) verify(ctx context.Context, l *link, a reply, j job) (int64, error) {
	var got int64
	var crc uint32
	for {
		n, err := l.read(a.Body, w.scratch, a.ContentLength-got)
		crc = crc32.Update(crc, crc32.IEEETable, w.scratch[:n])
		got += int64(n)
		if err == io.EOF { //nolint:errorlint // readers return it unwrapped
			break
		}
		if err == nil {
			err = l.extend()
		}
		if err != nil {
			l.done(a, false)
			return got, w.cutShort(ctx, j.op, j.endpoint, fmt.Errorf("after %d of %d bytes: %w", got, w.client.load.Size, err))
		}
	}
	l.done(a, true)
	if got != w.client.load.Size {
		return got, w.corrupt(j, "%d bytes received, but %d were written", got, w.client.load.Size)
	}
	if crc != j.object.crc {
		return got, w.corrupt(j, "its CRC-32 is %08x; it was %08x when written", crc, j.object.crc)
	}
	return got, nil
}

func (w *worker) corrupt(j job, format string, args ...any) error {
	return &Failure{Class: Corrupt, Op: j.op, Endpoint: w.links[j.endpoint].to.name,
		Detail: j.request.key + ": " + fmt.Sprintf(format, args...)}
}

// readAll reads a small response into a buffer that the next call reuses.
func (w *worker) readAll(l *link, a reply) ([]byte, error) {
	w.body.Reset()
	_, err := w.body.ReadFrom(io.LimitReader(a.Body, 64<<20))
	l.done(a, err == nil)
	return w.body.Bytes(), err
}
