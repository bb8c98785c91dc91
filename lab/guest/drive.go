package guest

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Delays are how long a drive waits before each kind of operation.
type Delays struct{ Read, Write, Flush time.Duration }

// Drive holds a disk's data inside this program (Disk.In): it delays its answers as
// configured, to the precision of this machine's timers. It has a write cache, which a
// flush empties. Guests reach it through a socket, as NBD.
type Drive struct {
	listener net.Listener
	data     *os.File
	bytes    int64

	mu     sync.Mutex
	delays Delays
	rate   float64                  // write rate in B/s, 0 for no limit
	busy   time.Time                // when its pending writes end
	took   map[uint16]time.Duration // total delay, by command
	times  map[uint16]int
	conns  map[net.Conn]bool
	all    sync.WaitGroup
}

// NewDrive makes a drive of all zeros. It creates socket, whose path has 100 bytes at
// most. The data is in an unnamed file in dir.
func NewDrive(socket, dir string, bytes int64) (*Drive, error) {
	data, err := os.CreateTemp(dir, "drive")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Remove(data.Name()), data.Truncate(bytes)); err != nil {
		return nil, errors.Join(err, data.Close())
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, errors.Join(err, data.Close())
	}
	d := &Drive{listener: l, data: data, bytes: bytes, conns: map[net.Conn]bool{}}
	d.Slow(Delays{})
	d.all.Go(d.accept)
	return d, nil
}

// Slow delays its answers by this much from now on.
func (d *Drive) Slow(by Delays) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delays, d.took, d.times = by, map[uint16]time.Duration{}, map[uint16]int{}
}

// Throttle limits its writes to this many bytes a second from now on, one write after another;
// 0 for no limit.
func (d *Drive) Throttle(rate float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rate, d.busy = rate, time.Time{}
}

// Waited returns the average delay before each operation since Slow was called: timers
// fire late on a busy machine. It is 0 if there was none.
func (d *Drive) Waited() Delays {
	d.mu.Lock()
	defer d.mu.Unlock()
	mean := func(command uint16) time.Duration {
		return d.took[command] / time.Duration(max(d.times[command], 1))
	}
	return Delays{mean(nbdRead), mean(nbdWrite), mean(nbdFlush)}
}

// Close removes the drive. It is idempotent.
func (d *Drive) Close() error {
	err := d.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	d.mu.Lock()
	for c := range d.conns {
		_ = c.Close()
	}
	d.mu.Unlock()
	d.all.Wait()
	return errors.Join(err, d.data.Close())
}

func (d *Drive) accept() {
	for {
		c, err := d.listener.Accept()
		if err != nil {
			return
		}
		d.mu.Lock()
		d.conns[c] = true
		d.mu.Unlock()
		d.all.Go(func() {
			// Whatever goes wrong, QEMU sees the connection close.
			_ = d.serve(c)
			_ = c.Close()
			d.mu.Lock()
			delete(d.conns, c)
			d.mu.Unlock()
		})
	}
}

// The network block device protocol, the part of it that QEMU speaks
// (github.com/NetworkBlockDevice/nbd, doc/proto.md).
const (
	nbdMagic, nbdOption    = 0x4e42444d41474943, 0x49484156454f5054
	nbdOptionReply         = 0x3e889045565a9
	nbdRequest, nbdReply   = 0x25609513, 0x67446698
	nbdFixed, nbdNoZeroes  = 1, 2
	nbdExportName          = 1
	nbdAbort, nbdInfo      = 2, 6
	nbdGo                  = 7
	nbdAck, nbdTell        = 1, 3
	nbdUnsupported         = 1<<31 + 1
	nbdHasFlags            = 1 | 1<<2 | 1<<3 // flush and FUA supported
	nbdFUA                 = 1
	nbdIOError, nbdInvalid = 5, 22
	nbdLongest             = 64 << 20 // B per request

	nbdRead, nbdWrite, nbdDisconnect, nbdFlush uint16 = 0, 1, 2, 3
)

var order = binary.BigEndian

// serve negotiates with QEMU and answers its requests until it disconnects.
func (d *Drive) serve(c net.Conn) error {
	in := bufio.NewReader(c)
	if err := d.negotiate(in, c); err != nil {
		return err
	}
	var sending sync.Mutex
	var open sync.WaitGroup
	defer open.Wait()
	for {
		var head struct {
			Magic       uint32
			Flags, What uint16
			Cookie      uint64
			From        uint64
			Length      uint32
		}
		if err := binary.Read(in, order, &head); err != nil || head.Magic != nbdRequest || head.What == nbdDisconnect || head.Length > nbdLongest {
			return cmp.Or(err, io.EOF)
		}
		block := make([]byte, 0)
		if head.What == nbdRead || head.What == nbdWrite {
			block = make([]byte, head.Length)
		}
		if head.What == nbdWrite {
			if _, err := io.ReadFull(in, block); err != nil {
				return err
			}
		}
		open.Go(func() {
			status := d.do(head.What, head.Flags, int64(head.From), block)
			answer := order.AppendUint64(order.AppendUint32(order.AppendUint32(nil, nbdReply), status), head.Cookie)
			if head.What == nbdRead && status == 0 {
				answer = append(answer, block...)
			}
			sending.Lock()
			defer sending.Unlock()
			_, _ = c.Write(answer)
		})
	}
}

// negotiate returns when QEMU has chosen the only export.
func (d *Drive) negotiate(in io.Reader, c net.Conn) error {
	hello := order.AppendUint16(order.AppendUint64(order.AppendUint64(nil, nbdMagic), nbdOption), nbdFixed|nbdNoZeroes)
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var flags uint32
	if err := binary.Read(in, order, &flags); err != nil {
		return err
	}
	export := order.AppendUint16(order.AppendUint64(nil, uint64(d.bytes)), nbdHasFlags)
	for {
		var head struct {
			Magic        uint64
			What, Length uint32
		}
		if err := binary.Read(in, order, &head); err != nil || head.Magic != nbdOption || head.Length > longestFrame {
			return cmp.Or(err, io.EOF)
		}
		if _, err := io.CopyN(io.Discard, in, int64(head.Length)); err != nil {
			return err
		}
		reply := func(kind uint32, data []byte) error {
			text := order.AppendUint32(order.AppendUint32(order.AppendUint64(nil, nbdOptionReply), head.What), kind)
			_, err := c.Write(append(order.AppendUint32(text, uint32(len(data))), data...))
			return err
		}
		var err error
		switch head.What {
		case nbdExportName:
			if flags&nbdNoZeroes == 0 {
				export = append(export, make([]byte, 124)...)
			}
			_, err = c.Write(export)
			return err
		case nbdInfo, nbdGo:
			err = errors.Join(reply(nbdTell, append([]byte{0, 0}, export...)), reply(nbdAck, nil))
			if head.What == nbdGo || err != nil {
				return err
			}
		case nbdAbort:
			return errors.Join(reply(nbdAck, nil), io.EOF)
		default:
			if err = reply(nbdUnsupported, nil); err != nil {
				return err
			}
		}
	}
}

// do waits, carries out the request, and returns an NBD error number.
func (d *Drive) do(what, flags uint16, from int64, block []byte) uint32 {
	if from < 0 || from > d.bytes-int64(len(block)) {
		return nbdInvalid
	}
	var err error
	switch what {
	case nbdRead:
		d.wait(nbdRead)
		_, err = d.data.ReadAt(block, from)
	case nbdWrite:
		d.wait(nbdWrite)
		d.stream(len(block))
		_, err = d.data.WriteAt(block, from)
		if flags&nbdFUA != 0 {
			d.wait(nbdFlush)
		}
	case nbdFlush:
		d.wait(nbdFlush)
	default:
		return nbdInvalid
	}
	if err != nil {
		return nbdIOError
	}
	return 0
}

func (d *Drive) wait(what uint16) {
	d.mu.Lock()
	delay := map[uint16]time.Duration{nbdRead: d.delays.Read, nbdWrite: d.delays.Write, nbdFlush: d.delays.Flush}[what]
	d.mu.Unlock()
	if delay <= 0 {
		return
	}
	began := time.Now()
	time.Sleep(delay)
	took := time.Since(began)
	d.mu.Lock()
	d.took[what] += took
	d.times[what]++
	d.mu.Unlock()
}

// stream waits until this many bytes are written at the drive's rate, after all earlier ones.
func (d *Drive) stream(bytes int) {
	d.mu.Lock()
	if d.rate <= 0 {
		d.mu.Unlock()
		return
	}
	if now := time.Now(); d.busy.Before(now) {
		d.busy = now
	}
	d.busy = d.busy.Add(time.Duration(float64(bytes) / d.rate * float64(time.Second)))
	until := d.busy
	d.mu.Unlock()
	time.Sleep(time.Until(until))
}

// Socket returns the path of the drive's socket.
func (d *Drive) Socket() string { return d.listener.Addr().String() }
