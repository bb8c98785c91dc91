package guest

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// nbdClient is QEMU's side of a drive.
type nbdClient struct {
	*testing.T
	net.Conn
}

func (c nbdClient) send(all ...any) {
	c.Helper()
	var text bytes.Buffer
	for _, one := range all {
		if err := binary.Write(&text, order, one); err != nil {
			c.Fatal(err)
		}
	}
	if _, err := c.Write(text.Bytes()); err != nil {
		c.Fatal(err)
	}
}

func (c nbdClient) expect(all ...any) {
	c.Helper()
	var text bytes.Buffer
	for _, one := range all {
		if err := binary.Write(&text, order, one); err != nil {
			c.Fatal(err)
		}
	}
	got := make([]byte, text.Len())
	if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, text.Bytes()) {
		c.Fatalf("%x (%v), want %x", got, err, text.Bytes())
	}
}

// ask sends a request and expects this status and these bytes read.
func (c nbdClient) ask(what uint16, from uint64, length uint32, data []byte, status uint32, read []byte) {
	c.Helper()
	c.send(uint32(nbdRequest), uint16(0), what, uint64(7), from, length, data)
	c.expect(uint32(nbdReply), status, uint64(7), read)
}

func TestADriveAnswersAsLateAsItIsTold(t *testing.T) {
	dir := t.TempDir()
	d, err := NewDrive(filepath.Join(dir, "drive"), dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", d.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := nbdClient{t, conn}
	c.expect(uint64(nbdMagic), uint64(nbdOption), uint16(nbdFixed|nbdNoZeroes))
	c.send(uint32(nbdFixed | nbdNoZeroes))
	c.send(uint64(nbdOption), uint32(8), uint32(0)) // structured replies
	c.expect(uint64(nbdOptionReply), uint32(8), uint32(nbdUnsupported), uint32(0))
	c.send(uint64(nbdOption), uint32(nbdGo), uint32(6), uint32(0), uint16(0))
	c.expect(uint64(nbdOptionReply), uint32(nbdGo), uint32(nbdTell), uint32(12), uint16(0), uint64(1<<20), uint16(nbdHasFlags))
	c.expect(uint64(nbdOptionReply), uint32(nbdGo), uint32(nbdAck), uint32(0))

	block := bytes.Repeat([]byte{42}, 4096)
	c.ask(nbdWrite, 8192, 4096, block, 0, nil)
	c.ask(nbdRead, 8192, 4096, nil, 0, block)
	c.ask(nbdRead, 1<<20, 4096, nil, nbdInvalid, nil)
	c.ask(nbdWrite, 1<<63, 4096, block, nbdInvalid, nil)
	c.ask(4, 0, 4096, nil, nbdInvalid, nil) // trim
	c.ask(nbdFlush, 0, 0, nil, 0, nil)
	if w := d.Waited(); w != (Delays{}) {
		t.Errorf("waited %v unasked", w)
	}
	d.Slow(Delays{Flush: 20 * time.Millisecond})
	began := time.Now()
	c.ask(nbdFlush, 0, 0, nil, 0, nil)
	if took, w := time.Since(began), d.Waited(); took < 20*time.Millisecond || w.Flush < 20*time.Millisecond || w.Flush > took || w.Read != 0 {
		t.Errorf("a flush took %v; it waited %+v", took, w)
	}
	d.Slow(Delays{})
	d.Throttle(40 * 4096)
	began = time.Now()
	for range 3 {
		c.ask(nbdWrite, 8192, 4096, block, 0, nil)
	}
	if took := time.Since(began); took < 75*time.Millisecond {
		t.Errorf("12 KiB at 160 KiB/s took %v", took)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the drive is gone, and %v", err)
	}
}
