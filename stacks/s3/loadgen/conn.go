package loadgen

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// link is one client's connection to one endpoint: made when it is needed, made
// anew when it broke. One goroutine uses it; interrupt may be called from others.
type link struct {
	to      endpoint
	timeout time.Duration
	tally   *tally

	conn   net.Conn
	r      *bufio.Reader
	used   bool // an answer came over it before
	waits  int  // bytes that wake a read of the connection
	list   [][]byte
	stamps []byte
	flat   []byte // for connections that cannot gather

	mu          sync.Mutex
	interrupted bool
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

func newLink(to endpoint, timeout time.Duration, t *tally) *link {
	return &link{to: to, timeout: timeout, tally: t, list: make([][]byte, 0, 2*batch+1), stamps: make([]byte, batch*stamp)}
}

// interrupt ends what the link waits for, now and later.
func (l *link) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interrupted = true
	if l.conn != nil {
		_ = l.conn.SetDeadline(past)
	}
}

// extend returns the other side the whole time again.
func (l *link) extend() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.interrupted {
		return context.Canceled
	}
	return l.conn.SetDeadline(time.Now().Add(l.timeout))
}

// close ends the connection; the next request makes another.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		_ = l.conn.Close()
		l.conn = nil
	}
}

// open connects, where there is no connection.
func (l *link) open(ctx context.Context) error {
	if l.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", l.to.address)
	if err != nil {
		return err
	}
	if l.to.tls != nil {
		secure := tls.Client(c, l.to.tls)
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = c.Close()
			return &handshakeError{err}
		}
		c = secure
	}
	l.mu.Lock()
	l.conn = c
	l.mu.Unlock()
	l.used, l.waits = false, 1
	if l.r == nil {
		l.r = bufio.NewReaderSize(c, 64<<10)
	} else {
		l.r.Reset(c)
	}
	l.tally.connections.Add(1)
	return l.extend()
}

// handshakeError is a connection that is made but not secured.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// silentError is a connection that ended before a byte of the answer.
type silentError struct{ err error }

func (e *silentError) Error() string { return e.err.Error() }
func (e *silentError) Unwrap() error { return e.err }

func isTimeout(err error) bool {
	var late net.Error
	return errors.As(err, &late) && late.Timeout()
}

// reply is an answer whose body is still to be read.
type reply struct {
	*http.Response
	first time.Time // when its first byte was seen
}

// ask sends a request and gives the answer. A connection that had been used, and
// turns out to be closed before a byte of the answer, was closed by the server
// between two requests, as it may: the request is sent once more on a new one.
func (l *link) ask(ctx context.Context, method string, head []byte, d *data, s span, small []byte) (reply, error) {
	for {
		if err := l.open(ctx); err != nil {
			return reply{}, err
		}
		again := l.used
		err := l.send(head, d, s, small)
		r, readErr := l.answer(method, err)
		if readErr == nil {
			l.used = true
			return r, nil
		}
		l.close()
		var silent *silentError
		if !again || !errors.As(readErr, &silent) || isTimeout(readErr) || ctx.Err() != nil {
			return reply{}, readErr
		}
		l.tally.reconnects.Add(1)
	}
}

// send writes a request with a body made of s, or of small.
func (l *link) send(head []byte, d *data, s span, small []byte) error {
	if err := l.extend(); err != nil {
		return err
	}
	l.list = append(l.list[:0], head)
	list := l.list
	if len(small) > 0 {
		list = append(list, small)
	}
	for first := 0; ; first += batch {
		var n int64
		if s.size > 0 {
			list, n = d.pieces(list, l.stamps, s, first, batch)
		}
		if err := l.write(list); err != nil {
			return err
		}
		if n == 0 || int64(first+batch)*chunk >= s.size {
			return nil
		}
		list = l.list[:0]
		if err := l.extend(); err != nil {
			return err
		}
	}
}

// write gathers into one system call, or into whole records where the
// connection is encrypted.
func (l *link) write(list [][]byte) error {
	if _, plain := l.conn.(*net.TCPConn); plain {
		gathered := net.Buffers(list)
		_, err := gathered.WriteTo(l.conn)
		return err
	}
	if l.flat == nil {
		l.flat = make([]byte, 0, 2*chunk)
	}
	flat := l.flat[:0]
	for _, p := range list {
		if len(flat)+len(p) > cap(flat) {
			if _, err := l.conn.Write(flat); err != nil {
				return err
			}
			flat = flat[:0]
		}
		flat = append(flat, p...)
	}
	_, err := l.conn.Write(flat)
	return err
}

// answer reads the head of an answer. A server may refuse a body before it has
// read it, and close: what it said is looked for also where sending failed.
func (l *link) answer(method string, sendErr error) (reply, error) {
	if _, err := l.r.Peek(1); err != nil {
		if sendErr != nil {
			err = sendErr
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return reply{}, &silentError{err}
	}
	r := reply{first: time.Now()}
	for {
		response, err := http.ReadResponse(l.r, &http.Request{Method: method}) //nolint:bodyclose // done closes it
		if err != nil {
			return reply{}, err
		}
		if response.StatusCode >= 200 || response.StatusCode == http.StatusSwitchingProtocols {
			r.Response = response
			if sendErr != nil {
				response.Close = true
			}
			return r, nil
		}
	}
}

// done ends an answer: the connection is kept where its body was read to the
// end and the server does not mean to close.
func (l *link) done(r reply, whole bool) {
	_ = r.Body.Close()
	if !whole || r.Close {
		l.close()
		return
	}
	l.wait(1) // the next answer may be small
}
