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

// link is one client's connection to one endpoint, opened on demand and reopened
// after it breaks. One goroutine uses it; interrupt may be called from others.
type link struct {
	to      endpoint
	timeout time.Duration
	tally   *tally

	conn   net.Conn
	r      *bufio.Reader
	used   bool // it has carried a response
	waits  int  // bytes that wake a read
	list   [][]byte
	stamps []byte
	flat   []byte // for connections without writev

	mu          sync.Mutex
	interrupted bool
}

// past is an expired deadline.
var past = time.Unix(1, 0)

func newLink(to endpoint, timeout time.Duration, t *tally) *link {
	return &link{to: to, timeout: timeout, tally: t, list: make([][]byte, 0, 2*batch+1), stamps: make([]byte, batch*stamp)}
}

// interrupt aborts the link's current and later waits.
func (l *link) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interrupted = true
	if l.conn != nil {
		_ = l.conn.SetDeadline(past)
	}
}

// extend restarts the link's timeout.
func (l *link) extend() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.interrupted {
		return context.Canceled
	}
	return l.conn.SetDeadline(time.Now().Add(l.timeout))
}

// close closes the connection; the next request opens another.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		_ = l.conn.Close()
		l.conn = nil
	}
}

// open connects unless there is a connection already.
func (l *link) open(ctx context.Context) error {
	if l.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", l.to.address)
	if err != nil {
		// The socket has the context's deadline, and may notice it first. Callers
		// ask the context why it ended.
		if deadline, _ := ctx.Deadline(); isTimeout(err) && time.Until(deadline) < time.Second {
			<-ctx.Done()
		}
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

// handshakeError is a failed TLS handshake on an established connection.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// silentError is a connection that ended before the first byte of the response.
type silentError struct{ err error }

func (e *silentError) Error() string { return e.err.Error() }
func (e *silentError) Unwrap() error { return e.err }

func isTimeout(err error) bool {
	var late net.Error
	return errors.As(err, &late) && late.Timeout()
}

// reply is a response whose body is still unread.
type reply struct {
	*http.Response
	first time.Time // when its first byte was seen
}

// ask sends a request and returns the response. If a connection that was used
// before turns out to be closed before the first byte of the response, the
// server closed it between two requests, as it may: the request is sent again on
// a new one.
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

// send writes a request with a body made of s or of small.
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

// write sends list in one system call, or in whole records if the connection is
// encrypted.
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

// answer reads the head of a response. A server may reject a body before it has
// read it, and close, so answer looks for a response even if sending failed.
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

// done finishes a response: it keeps the connection if the body was read to the
// end and the server does not intend to close.
func (l *link) done(r reply, whole bool) {
	_ = r.Body.Close()
	if !whole || r.Close {
		l.close()
		return
	}
	l.wait(1) // the next response may be small
}
