package loadgen

import (
	"io"
	"net"
	"syscall"
	"time"
)

// gulp is how many bytes of a large response a read waits for: without it the
// kernel wakes a client for every few packets, which costs a fifth of its CPU
// time.
const gulp = 128 << 10

// moment is how long glance waits for bytes that have arrived: on a busy machine a
// client may not get to run at once.
const moment = time.Second

// wait makes the next read of the socket wake once that many bytes are there, or
// the other side has closed. It is best effort: if it fails, each byte wakes.
func (l *link) wait(bytes int) {
	if bytes == l.waits {
		return
	}
	plain, ok := l.conn.(*net.TCPConn)
	if !ok {
		return // TLS reads whole records
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		if syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, bytes) == nil {
			l.waits = bytes
		}
	})
}

// read reads from a response with rest bytes to come: at least a gulp if that
// much is left. If a gulp does not arrive in time, it returns what did.
func (l *link) read(body io.Reader, p []byte, rest int64) (int, error) {
	if rest-int64(l.r.Buffered()) < gulp {
		l.wait(1)
	} else {
		l.wait(gulp)
	}
	n, err := body.Read(p)
	if n == 0 && l.waits > 1 && isTimeout(err) && l.glance() {
		return body.Read(p)
	}
	return n, err
}

// glance lets the next read return what has arrived, without further waiting.
func (l *link) glance() bool {
	l.wait(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.interrupted && l.conn.SetDeadline(time.Now().Add(moment)) == nil
}
