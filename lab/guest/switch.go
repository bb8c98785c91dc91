package guest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
)

const (
	longestFrame = 1 << 16 // B; a frame that says it is longer ends its port
	portQueue    = 4096    // frames that wait for a guest; more are dropped, as a switch does
	headerBytes  = 14      // of Ethernet
)

// Switch is an Ethernet switch that guests are plugged into (Port). It is in this
// program, needs no rights and carries nothing out of it. Guests reach it by a socket.
type Switch struct {
	listener net.Listener

	mu    sync.Mutex
	ports map[*port]bool
	at    map[address]*port // where an address was heard last
	all   sync.WaitGroup
}

type address [6]byte

// port is where a guest is plugged in. Frames are as QEMU writes them into a stream:
// their length as four bytes, the highest first, and then the frame.
type port struct {
	conn net.Conn
	out  chan []byte
}

// NewSwitch begins to switch. socket is made; its path has 100 bytes at most.
func NewSwitch(socket string) (*Switch, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	s := &Switch{listener: l, ports: map[*port]bool{}, at: map[address]*port{}}
	s.all.Go(s.accept)
	return s, nil
}

// Socket is the path that guests reach it by.
func (s *Switch) Socket() string { return s.listener.Addr().String() }

// Close unplugs all guests. It is idempotent.
func (s *Switch) Close() error {
	err := s.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	s.mu.Lock()
	for p := range s.ports {
		_ = p.conn.Close()
	}
	s.mu.Unlock()
	s.all.Wait()
	return err
}

func (s *Switch) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.plug(conn)
	}
}

// plug switches what comes from a guest, until one side closes the connection.
func (s *Switch) plug(conn net.Conn) {
	p := &port{conn: conn, out: make(chan []byte, portQueue)}
	s.mu.Lock()
	s.ports[p] = true
	s.mu.Unlock()
	s.all.Go(p.send)
	s.all.Go(func() { s.receive(p) })
}

// receive switches what a guest sends, until it is unplugged.
func (s *Switch) receive(p *port) {
	in := bufio.NewReader(p.conn)
	for {
		frame, err := readFrame(in)
		if err != nil {
			break
		}
		s.forward(p, frame)
	}
	s.mu.Lock()
	delete(s.ports, p)
	for a, at := range s.at {
		if at == p {
			delete(s.at, a)
		}
	}
	close(p.out)
	s.mu.Unlock()
	_ = p.conn.Close()
}

// readFrame reads the next frame, its length included.
func readFrame(in io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n < headerBytes || n > longestFrame {
		return nil, errors.New("no Ethernet frame has such a length")
	}
	frame := make([]byte, len(length)+int(n))
	copy(frame, length[:])
	_, err := io.ReadFull(in, frame[len(length):])
	return frame, err
}

// forward gives a frame to the port of its destination, or to all others where that is
// not known or is a group.
func (s *Switch) forward(from *port, frame []byte) {
	to, source := address(frame[4:10]), address(frame[10:16])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[source] = from
	if p, known := s.at[to]; known {
		if p != from {
			p.give(frame)
		}
		return
	}
	for p := range s.ports {
		if p != from {
			p.give(frame)
		}
	}
}

func (p *port) give(frame []byte) {
	select {
	case p.out <- frame:
	default: // its queue is full
	}
}

func (p *port) send() {
	for frame := range p.out {
		if _, err := p.conn.Write(frame); err != nil {
			_ = p.conn.Close() // which ends receive, and that the queue
			for range p.out {
				continue
			}
			return
		}
	}
}
