package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Plug is the program that gives a guest a disk: a loop device over a file, and the link
// that udev would make for it. It exits, and the disk goes with it, on request, when the
// file is gone, or when its machine ends.
//
//	assay-lab-plug in FILE SERIAL BYTES
//	assay-lab-plug hold FILE SERIAL
//	assay-lab-plug out FILE
const Plug = "assay-lab-plug"

// inGuest gives the guest a disk of that serial and size, or removes it if they are
// omitted.
func inGuest(file string, serialAndBytes ...any) error {
	words := []string{"out", file}
	if len(serialAndBytes) > 0 {
		words = []string{"in", file, fmt.Sprint(serialAndBytes[0]), fmt.Sprint(serialAndBytes[1])}
	}
	if here() {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		out, err := (&exec.Cmd{Path: self, Args: append([]string{Plug}, words...), Env: os.Environ()}).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	return byAgent(append([]string{"/usr/local/bin/" + Plug}, words...))
}

// byAgent runs a program in the guest, to its end, through the agent.
func byAgent(argv []string) error {
	answer, err := ask(arguments{"execute": "guest-exec", "arguments": arguments{"path": argv[0], "arg": argv[1:], "capture-output": false}})
	var started struct{ PID int }
	if err == nil {
		err = json.Unmarshal(answer["return"], &started)
	}
	for err == nil {
		var state struct {
			Exited   bool
			ExitCode int
		}
		if answer, err = ask(arguments{"execute": "guest-exec-status", "arguments": arguments{"pid": started.PID}}); err != nil {
			break
		}
		if err = json.Unmarshal(answer["return"], &state); err == nil && state.Exited {
			if state.ExitCode != 0 {
				return fmt.Errorf("%q exited %d in the guest", argv, state.ExitCode)
			}
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func plug(words []string) error {
	file := words[1]
	switch words[0] {
	case "in":
		return plugIn(file, words[2], words[3])
	case "hold":
		return hold(file, words[2])
	default:
		return plugOut(file)
	}
}

func plugIn(file, serial, bytes string) error {
	size, err := strconv.ParseInt(bytes, 10, 64)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := &exec.Cmd{Path: self, Args: []string{Plug, "hold", file, serial}, SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
	ready, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	if _, err := ready.Read(make([]byte, 1)); err != nil {
		_ = c.Wait()
		return fmt.Errorf("no loop device over %s: %w", file, err)
	}
	return os.WriteFile(file+".pid", []byte(strconv.Itoa(c.Process.Pid)), 0o600)
}

func plugOut(file string) error {
	text, err := os.ReadFile(file + ".pid")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return err
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	for syscall.Kill(pid, 0) == nil && !zombie(pid) {
		time.Sleep(10 * time.Millisecond)
	}
	_ = os.Remove(file + ".pid")
	if !here() {
		_ = os.Remove(file)
	}
	return nil
}

func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}

// hold keeps the device open while it runs. Nothing else does: the kernel removes the
// device at its last close.
func hold(file, serial string) error {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	name, loop, err := loopOver(file)
	if err != nil {
		return err
	}
	defer loop.Close()
	link := "/dev/disk/by-id/virtio-" + serial
	made := []string{link}
	defer func() {
		for _, m := range made {
			_ = os.Remove(m)
		}
	}()
	// A host of the lab sees only the devices that are put there.
	for _, class := range []string{"/sys/class/block/", "/sys/block/"} {
		target := map[string]string{"/sys/class/block/": "../../devices/virtual/block/", "/sys/block/": "../devices/virtual/block/"}[class] + name
		if err := os.Symlink(target, class+name); err == nil {
			made = append(made, class+name)
		}
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil { //nolint:gosec // as in any /dev
		return err
	}
	_ = os.Remove(link)
	if err := os.Symlink("/dev/"+name, link); err != nil {
		return err
	}
	fmt.Println("ready")
	_ = os.Stdout.Close()
	for {
		select {
		case <-told:
			return nil
		case <-time.After(time.Second):
			if _, err := os.Stat(file); err != nil {
				return nil
			}
		}
	}
}

// loopOver makes a loop device over a file. The device goes with its last close.
func loopOver(file string) (name string, loop *os.File, err error) {
	backing, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return "", nil, err
	}
	defer backing.Close()
	control, err := node("/dev/loop-control", unix.S_IFCHR, 10, 237)
	if err != nil {
		return "", nil, err
	}
	defer control.Close()
	for range 100 {
		n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return "", nil, err
		}
		name = "loop" + strconv.Itoa(n)
		if loop, err = node("/dev/"+name, unix.S_IFBLK, 7, uint32(n)); err != nil {
			return "", nil, err
		}
		config := unix.LoopConfig{Fd: uint32(backing.Fd()), Info: unix.LoopInfo64{Flags: unix.LO_FLAGS_AUTOCLEAR}}
		if err = unix.IoctlLoopConfigure(int(loop.Fd()), &config); err == nil {
			return name, loop, nil
		}
		loop.Close()
		if !errors.Is(err, unix.EBUSY) {
			return "", nil, err
		}
	}
	return "", nil, errors.New("every loop device is taken before it can be used")
}

// node opens a device, and makes its node if there is none.
func node(path string, mode, major, minor uint32) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	if err := unix.Mknod(path, mode|0o600, int(unix.Mkdev(major, minor))); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}
