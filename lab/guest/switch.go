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
	longestFrame = 1 << 16 // B; a longer frame closes its port
	portQueue    = 4096    // frames queued for a guest; more are dropped, as by a switch
	headerBytes  = 14      // of Ethernet
)

// Switch is an Ethernet switch for guests (Port). It runs in this program, needs no
// privileges and forwards nothing outside. Guests reach it through a socket.
type Switch struct {
	listener net.Listener

	mu    sync.Mutex
	ports map[*port]bool
	at    map[address]*port // the last port of an address
	all   sync.WaitGroup
}

type address [6]byte

// port is where a guest is plugged in. Frames are in QEMU's stream format: their
// length as four bytes, big-endian, and then the frame.
type port struct {
	conn net.Conn
	out  chan []byte
}

// NewSwitch starts a switch. It creates socket, whose path has 100 bytes at
// most.
func NewSwitch(socket string) (*Switch, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	s := &Switch{listener: l, ports: map[*port]bool{}, at: map[address]*port{}}
	s.all.Go(s.accept)
	return s, nil
}

// Socket returns the path that guests reach it by.
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

// plug switches frames from a guest until one side closes the connection.
func (s *Switch) plug(conn net.Conn) {
	p := &port{conn: conn, out: make(chan []byte, portQueue)}
	s.mu.Lock()
	s.ports[p] = true
	s.mu.Unlock()
	s.all.Go(p.send)
	s.all.Go(func() { s.receive(p) })
}

// receive switches frames that a guest sends until it is unplugged.
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

// readFrame reads the next frame, including its length.
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

// forward passes a frame to the port of its destination, or to all others if that is
// unknown or a group address.
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
			_ = p.conn.Close() // ends receive, which closes the queue
			for range p.out {
				continue
			}
			return
		}
	}
}
