package guest

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"syscall"
)

// Plug creates a switch port that is a file: each packet read from or written to it
// is a frame. Closing the file unplugs it.
func (s *Switch) Plug() (*os.File, error) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	near, far := os.NewFile(uintptr(ends[0]), "port"), os.NewFile(uintptr(ends[1]), "port")
	conn, err := net.FileConn(near)
	if err := errors.Join(err, near.Close()); err != nil {
		return nil, errors.Join(err, far.Close())
	}
	s.plug(&packets{Conn: conn})
	return far, nil
}

// packets turns a socket that preserves frame boundaries into a stream of frames, each
// preceded by its length.
type packets struct {
	net.Conn
	rest []byte
}

func (p *packets) Read(into []byte) (int, error) {
	if len(p.rest) == 0 {
		frame := make([]byte, 4+longestFrame)
		n, err := p.Conn.Read(frame[4:])
		if err != nil {
			return 0, err
		}
		binary.BigEndian.PutUint32(frame, uint32(n))
		p.rest = frame[:4+n]
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *packets) Write(frame []byte) (int, error) {
	n, err := p.Conn.Write(frame[4:])
	return n + 4, err
}
