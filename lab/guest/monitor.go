package guest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// SetCable plugs in or pulls the cable of port i (in Machine.Ports).
func (g *Guest) SetCable(ctx context.Context, i int, in bool) error {
	return g.tell(ctx, "set_link", map[string]any{"name": portName(i), "up": in})
}

// LimitDisk limits the operations of a disk per second, reads and writes together; 0
// lifts the limit.
func (g *Guest) LimitDisk(ctx context.Context, d Disk, perSecond int) error {
	return g.tell(ctx, "block_set_io_throttle", map[string]any{
		"device": d.name(), "iops": perSecond, "iops_rd": 0, "iops_wr": 0, "bps": 0, "bps_rd": 0, "bps_wr": 0,
	})
}

// Pull unplugs a USB disk, as by hand.
func (g *Guest) Pull(ctx context.Context, d Disk) error {
	return g.tell(ctx, "device_del", map[string]any{"id": d.device()})
}

// PlugIn plugs a USB disk back in. It fails if the disk is there.
func (g *Guest) PlugIn(ctx context.Context, d Disk) error {
	// If the disk was there from the start, its block device went with it.
	_ = g.tell(ctx, "blockdev-add", map[string]any{"driver": "raw", "node-name": d.name(), "file": map[string]any{"driver": "file", "filename": g.Image(d)}})
	return g.tell(ctx, "device_add", map[string]any{"driver": "usb-storage", "bus": "usb.0", "id": d.device(), "drive": d.name(), "serial": d.Serial})
}

// CorrectMemory makes the first processor report, by a machine check, that its
// memory controller corrected errors (Intel's manual, volume 3B, chapter 16).
func (g *Guest) CorrectMemory(ctx context.Context) error {
	// Bank 9: valid, enabled, with an address, read by memory channel 0.
	return g.tell(ctx, "human-monitor-command", map[string]any{"command-line": "mce 0 9 0x9c00004000010090 0x0 0x12345000 0x8c"})
}

// SetRunning stops or resumes the guest's processors.
func (g *Guest) SetRunning(ctx context.Context, run bool) error {
	if run {
		return g.tell(ctx, "cont", nil)
	}
	return g.tell(ctx, "stop", nil)
}

// tell runs a QEMU monitor command (QMP).
func (g *Guest) tell(ctx context.Context, command string, arguments map[string]any) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("monitor of %s: %s: %w", g.Dir, command, err)
		}
	}()
	const patience = 5 * time.Minute // QEMU may be busy
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", g.monitor)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	in := bufio.NewScanner(conn)
	if !in.Scan() {
		return errors.Join(in.Err(), errors.New("it says nothing"))
	}
	for _, c := range []map[string]any{{"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}} {
		if arguments == nil {
			delete(c, "arguments")
		}
		if err := json.NewEncoder(conn).Encode(c); err != nil {
			return err
		}
		if err := answered(in); err != nil {
			return err
		}
	}
	return nil
}

// answered waits for the answer to a command, past any events.
func answered(in *bufio.Scanner) error {
	for in.Scan() {
		var a struct {
			Return *json.RawMessage `json:"return"`
			Error  *struct {
				Desc string `json:"desc"`
			} `json:"error"`
		}
		if err := json.Unmarshal(in.Bytes(), &a); err != nil {
			return err
		}
		switch {
		case a.Error != nil:
			return errors.New(a.Error.Desc)
		case a.Return != nil:
			return nil
		}
	}
	return errors.Join(in.Err(), errors.New("it ended without an answer"))
}
