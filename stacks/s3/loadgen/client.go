package loadgen

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"
)

// Client puts one load on one target. Prepare, Run and Clean must not be called
// concurrently.
type Client struct {
	target    Target
	load      Load
	endpoints []endpoint
	data      *data
	objects   objects
	tally     tally
	unsigned  atomic.Bool // the signature omits the body
	tell      func(at int, done Second)
}

// New checks a target and a load. It makes no requests.
func New(t Target, l Load) (*Client, error) {
	if err := errors.Join(t.check(), l.check()); err != nil {
		return nil, err
	}
	if t.Region == "" {
		t.Region = "us-east-1"
	}
	if t.Timeout == 0 {
		t.Timeout = time.Minute
	}
	if l.PageSize == 0 {
		l.PageSize = 1000
	}
	if l.Drain == 0 {
		l.Drain = 10 * time.Second
	}
	endpoints, err := t.endpoints()
	if err != nil {
		return nil, err
	}
	c := &Client{target: t, load: l, endpoints: endpoints, data: newData(l.Seed)}
	c.unsigned.Store(t.Payload == Unsigned || t.Payload == Auto && allSecure(endpoints))
	return c, nil
}

func allSecure(endpoints []endpoint) bool {
	for _, e := range endpoints {
		if e.tls == nil {
			return false
		}
	}
	return true
}

// payload returns the current signing mode of bodies.
func (c *Client) payload() Payload {
	if c.unsigned.Load() {
		return Unsigned
	}
	return Signed
}

// newWorker returns a client of the store with a link to each endpoint.
func (c *Client) newWorker(ctx context.Context, number int) *worker {
	w := &worker{client: c, number: number, rand: newRand(c.load.Seed, number), scratch: make([]byte, 256<<10)}
	for _, e := range c.endpoints {
		w.links = append(w.links, newLink(e, c.target.Timeout, &c.tally))
	}
	w.release = context.AfterFunc(ctx, func() {
		for _, l := range w.links {
			l.interrupt()
		}
	})
	return w
}

// close closes a worker's connections.
func (w *worker) close() {
	w.release()
	for _, l := range w.links {
		l.close()
	}
}

// exchange sends a request with a body made of s or of small, and reads the
// whole response, which must be a success. It is for requests off the hot path.
func (w *worker) exchange(ctx context.Context, at int, op Op, r request, s span, small []byte) (http.Header, []byte, error) {
	l := w.links[at]
	w.head = w.client.sign(w.head[:0], l.to, r)
	a, err := l.ask(ctx, r.method, w.head, w.client.data, s, small)
	if err != nil {
		return nil, nil, w.broken(ctx, op, at, err)
	}
	body, err := w.readAll(l, a)
	if err != nil {
		return nil, nil, w.cutShort(ctx, op, at, err)
	}
	if a.StatusCode/100 != 2 {
		return nil, nil, w.refused(op, at, a, body)
	}
	return a.Header, body, nil
}

// refused returns the failure for an unsuccessful response.
func (w *worker) refused(op Op, at int, a reply, body []byte) *Failure {
	class, detail := fromAnswer(a.StatusCode, a.Header, body, time.Now())
	return &Failure{Class: class, Op: op, Endpoint: w.links[at].to.name, Detail: detail}
}

// broken returns the failure for a missing response.
func (w *worker) broken(ctx context.Context, op Op, at int, err error) *Failure {
	class := fromError(err)
	if ctx.Err() != nil {
		class, err = Interrupted, ctx.Err()
	}
	return &Failure{Class: class, Op: op, Endpoint: w.links[at].to.name, Detail: err.Error(), Err: err}
}
