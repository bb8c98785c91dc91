package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/powershell"
)

// Windows stands in for a place in a Windows guest. No PowerShell runs: what assay's scripts
// request is done here in Go, on a directory that stands for drive D:. Nothing in it is a
// property of Windows except the messages exchanged.
type Windows struct {
	Drive string // the directory that is D:\
	// Facts is the output of the facts script.
	Facts json.RawMessage
	// Programs maps program names to their implementations, which get Windows arguments.
	Programs map[string]func(ctx context.Context, c assay.Cmd) (assay.Output, error)

	mu   sync.Mutex
	Ran  [][]string // what was run, except PowerShell
	Gone bool       // the guest is off
}

// Host returns its name and OS.
func (w *Windows) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }

// Close does nothing.
func (w *Windows) Close() error { return nil }

// Path translates a Windows path to one here; it returns "" if the path is not
// on D:.
func (w *Windows) Path(path string) string {
	rest, is := strings.CutPrefix(path, `D:\`)
	if !is {
		return ""
	}
	return filepath.Join(w.Drive, strings.ReplaceAll(rest, `\`, "/"))
}

// Run runs one of assay's scripts or one of the programs.
func (w *Windows) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	if w.Gone {
		return assay.Output{}, gone{}
	}
	if c.Argv[0] != powershell.Program {
		w.mu.Lock()
		w.Ran = append(w.Ran, c.Argv)
		w.mu.Unlock()
		if run := w.Programs[c.Argv[0]]; run != nil {
			return run(ctx, c)
		}
		return assay.Output{}, assay.ErrNoCommand
	}
	var given struct {
		Do, Path, Parent, Name, Source string
		File                           string
		Bytes                          int64
		Tools                          []string
	}
	if _, err := powershell.Given(c.Argv, &given); err != nil {
		return assay.Output{}, err
	}
	var said any = w.Facts
	switch {
	case given.Do == "fill":
		said = w.fill(given.File, given.Bytes)
	case given.Do != "":
		said = w.folder(given.Do, given.Path, given.Parent, given.Source)
	case given.File != "":
		said = w.file(given.File, given.Bytes)
	}
	text, err := powershell.Answer(said)
	return assay.Output{Stdout: text}, err
}

type gone struct{}

func (gone) Error() string        { return "the guest is off" }
func (gone) Is(target error) bool { return target == assay.ErrHostGone }

// Volume is the volume name of D:.
const Volume = `\\?\Volume{c028e662-0000-0000-0000-100000000000}\`

type answer map[string]any

func (w *Windows) folder(do, path, parent, source string) answer {
	here := w.Path(path)
	if about, err := os.Stat(w.Path(parent)); err != nil || !about.IsDir() {
		return answer{"Trouble": "missing", "Why": parent + " does not exist"}
	}
	_, err := os.Lstat(here)
	switch there := err == nil; {
	case do == "look":
		return answer{"Size": int64(100 << 30), "Free": int64(50 << 30), "Source": Volume}
	case do == "make" && there:
		return answer{"Trouble": "there", "Why": path + " is there already"}
	case do == "make":
		return answer{"Made": os.Mkdir(here, 0o700) == nil}
	case !there && source != "" && source != Volume:
		return answer{"Trouble": "hidden", "Why": parent + " is now on " + Volume + " and was on " + source}
	}
	return answer{"Gone": os.RemoveAll(here) == nil, "Killed": 0}
}

// file truncates a file to a length, if one is given that is less than its size, and returns
// its size.
func (w *Windows) file(path string, bytes int64) answer {
	here := w.Path(path)
	about, err := os.Stat(here)
	if err != nil {
		return answer{"Why": "Could not find file '" + path + "'."}
	}
	if bytes > 0 && about.Size() > bytes {
		if err := os.Truncate(here, bytes); err != nil {
			return answer{"Why": err.Error()}
		}
		about, _ = os.Stat(here)
	}
	return answer{"Length": about.Size()}
}

// fill writes a file of zeros: nothing here compresses.
func (w *Windows) fill(path string, bytes int64) answer {
	f, err := os.OpenFile(w.Path(path), os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(f.Truncate(bytes), f.Close())
	}
	if err != nil {
		return answer{"Why": err.Error()}
	}
	return answer{"Written": bytes}
}

// DiskSpd stands in for diskspd.exe: it prints a capture, with Windows line endings, if its
// target file exists and is as large as the arguments say. It moves no data.
func (w *Windows) DiskSpd(capture []byte) func(context.Context, assay.Cmd) (assay.Output, error) {
	return func(_ context.Context, c assay.Cmd) (assay.Output, error) {
		out := assay.Output{Started: time.Now()}
		file, want := c.Argv[len(c.Argv)-1], int64(0)
		for _, word := range c.Argv {
			if size, is := strings.CutPrefix(word, "-f"); is {
				want, _ = strconv.ParseInt(size, 10, 64)
			}
		}
		if about, err := os.Stat(w.Path(file)); err != nil || want == 0 || about.Size() < want {
			out.Exit, out.Stderr = 1, []byte("Error opening file: "+file+" [2]\r\nThere has been an error during threads execution\r\n")
			return out, nil
		}
		out.Stdout = bytes.ReplaceAll(capture, []byte("\n"), []byte("\r\n"))
		return out, nil
	}
}

// Fio runs this machine's fio in place of fio.exe, on the corresponding file, with an engine
// that exists here, and prints Windows line endings.
func (w *Windows) Fio(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	argv := []string{"fio"}
	for _, word := range c.Argv[1:] {
		switch file, is := strings.CutPrefix(word, "--filename="); {
		case is:
			word = "--filename=" + strings.ReplaceAll(w.Path(strings.ReplaceAll(file, `\:`, ":")), ":", `\:`)
		case word == "--ioengine=windowsaio":
			word = "--ioengine=posixaio"
		case word == "--direct=1":
			word = "--direct=0" // it may be on a tmpfs
		}
		argv = append(argv, word)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	out := assay.Output{Started: time.Now()}
	err := cmd.Run()
	out.Elapsed = time.Since(out.Started)
	out.Stdout, out.Stderr = bytes.ReplaceAll(stdout.Bytes(), []byte("\n"), []byte("\r\n")), stderr.Bytes()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		out.Exit, err = exit.ExitCode(), nil
	}
	return out, err
}
