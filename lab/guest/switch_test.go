package guest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/internal/wait"
)

// TestSwitch checks that a frame to an unknown address goes to all other ports, one to
// a known address only to its port, and one to a group to all.
func TestSwitch(t *testing.T) {
	s, err := NewSwitch(filepath.Join(t.TempDir(), "switch"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, b, c := plug(t, s), plug(t, s), plug(t, s)
	send(t, a, "bbbbbb", "aaaaaa", "to nobody known")
	expect(t, b, "bbbbbb", "aaaaaa", "to nobody known")
	expect(t, c, "bbbbbb", "aaaaaa", "to nobody known")
	send(t, b, "aaaaaa", "bbbbbb", "back")
	expect(t, a, "aaaaaa", "bbbbbb", "back")
	send(t, a, "bbbbbb", "aaaaaa", "to one")
	expect(t, b, "bbbbbb", "aaaaaa", "to one")
	send(t, a, "\xff\xff\xff\xff\xff\xff", "aaaaaa", "to all")
	expect(t, b, "\xff\xff\xff\xff\xff\xff", "aaaaaa", "to all")
	expect(t, c, "\xff\xff\xff\xff\xff\xff", "aaaaaa", "to all") // and no earlier frame
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Read(make([]byte, 1)); err == nil {
		t.Error("a port is still plugged in")
	}
}

// A guest that sends malformed frames is unplugged, and the others are not.
func TestSwitchUnplugsWhoSendsNoFrames(t *testing.T) {
	for name, length := range map[string]uint32{"too short": headerBytes - 1, "too long": longestFrame + 1} {
		t.Run(name, func(t *testing.T) {
			s, err := NewSwitch(filepath.Join(t.TempDir(), "switch"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			a, b, c := plug(t, s), plug(t, s), plug(t, s)
			if _, err := a.Write(binary.BigEndian.AppendUint32(nil, length)); err != nil {
				t.Fatal(err)
			}
			if n, err := a.Read(make([]byte, 1)); err == nil {
				t.Errorf("it reads %d bytes", n)
			}
			send(t, b, "cccccc", "bbbbbb", "all the same")
			expect(t, c, "cccccc", "bbbbbb", "all the same")
		})
	}
}

// TestAPortOfPackets checks that a file as port has one frame per packet, and goes with the
// file.
func TestAPortOfPackets(t *testing.T) {
	s, err := NewSwitch(filepath.Join(t.TempDir(), "switch"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stream := plug(t, s)
	end, err := s.Plug()
	if err != nil {
		t.Fatal(err)
	}
	packets, err := net.FileConn(end)
	if err := errors.Join(err, end.Close()); err != nil {
		t.Fatal(err)
	}
	send(t, stream, "bbbbbb", "aaaaaa", "one")
	send(t, stream, "bbbbbb", "aaaaaa", "two")
	for _, data := range []string{"one", "two"} {
		frame := make([]byte, longestFrame)
		n, err := packets.Read(frame)
		if want := framed("bbbbbb", "aaaaaa", data)[4:]; err != nil || !bytes.Equal(frame[:n], want) {
			t.Errorf("%q, %v; want %q", frame[:n], err, want)
		}
	}
	if _, err := packets.Write(framed("aaaaaa", "bbbbbb", "back")[4:]); err != nil {
		t.Fatal(err)
	}
	expect(t, stream, "aaaaaa", "bbbbbb", "back")
	if err := packets.Close(); err != nil {
		t.Error(err)
	}
	if _, err := wait.Until(t.Context(), time.Millisecond, func() error {
		if n := s.plugged(); n != 1 {
			return fmt.Errorf("%d ports are plugged in", n)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// plug returns a connection that the switch has accepted.
func plug(t *testing.T, s *Switch) net.Conn {
	t.Helper()
	before := s.plugged()
	conn, err := net.Dial("unix", s.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := wait.Until(t.Context(), time.Millisecond, func() error {
		if s.plugged() == before {
			return errors.New("it was not taken")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return conn
}

func (s *Switch) plugged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ports)
}

func framed(to, from, data string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(to+from+"\x08\x00"+data))), to+from+"\x08\x00"+data...)
}

func send(t *testing.T, conn net.Conn, to, from, data string) {
	t.Helper()
	if _, err := conn.Write(framed(to, from, data)); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, conn net.Conn, to, from, data string) {
	t.Helper()
	got, err := readFrame(conn)
	if want := framed(to, from, data); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
