package loadgen

import (
	"io"
	"net"
	"syscall"
	"time"
)

// gulp is how many bytes of a large answer are waited for at once: without it the
// kernel wakes a client for every few packets, which costs a fifth of its
// processor time.
const gulp = 128 << 10

// moment is how long is looked for what may have come meanwhile: on a busy machine a
// client may not get to look at once.
const moment = time.Second

// wait has the next read of the socket wake when so many bytes are there, or the
// other side has closed. It is a wish: where it cannot be, each byte wakes.
func (l *link) wait(bytes int) {
	if bytes == l.waits {
		return
	}
	plain, ok := l.conn.(*net.TCPConn)
	if !ok {
		return // TLS reads by records
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

// read reads from an answer of which rest bytes are still to come, a gulp at
// least where there is as much. Where that does not come in time, what came does.
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

// glance has the next read give what has come, and wait no longer.
func (l *link) glance() bool {
	l.wait(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.interrupted && l.conn.SetDeadline(time.Now().Add(moment)) == nil
}
