package kube

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"assay/lab/internal/command"
)

// packages lists what Image is made of. Those that are not installed are left
// out.
var packages = []string{
	"base-files", "bash", "coreutils", "dash", "debianutils", "diffutils", "findutils", "fio", "grep", "gzip", "hostname",
	"iperf3", "iproute2", "iputils-ping", "libc-bin", "mawk", "mount", "procps", "sed", "smartmontools", "sysbench", "tar",
	"util-linux",
}

// packagesSum returns a sum that changes when a package does, or how layers are
// made from them.
func packagesSum(ctx context.Context) (string, error) {
	// dpkg-query fails if one package is not installed, but lists the others.
	out, err := command.Output(ctx, "", append([]string{"dpkg-query", "--show", "--showformat=${Package} ${Version} ${Status}\n"},
		packages...)...)
	if !strings.Contains(out, "fio ") {
		return "", fmt.Errorf("the packages of the container image: %w", err)
	}
	const format = 1 // of the layers
	sum := sha256.Sum256([]byte(fmt.Sprint(format, runtime.GOARCH, out)))
	return hex.EncodeToString(sum[:8]), nil
}

// tree collects the files of a layer, each once, after their directories.
type tree struct {
	files map[string]bool
	all   []entry
}

func (t *tree) add(e entry) {
	if t.files == nil {
		t.files = map[string]bool{}
	}
	if t.files[e.name] {
		return
	}
	if above := filepath.Dir(e.name); above != "." {
		t.add(entry{name: above, mode: 0o755})
	}
	t.files[e.name] = true
	t.all = append(t.all, e)
}

// take adds a file of this machine under its own name. It follows directories that
// are symbolic links, as /bin is.
func (t *tree) take(path string) error {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(filepath.Join(dir, filepath.Base(path)), "/")
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch {
	case info.Mode().IsRegular():
		t.add(entry{name: name, from: path})
	case info.Mode()&fs.ModeSymlink != 0:
		link, err := os.Readlink(path)
		if err != nil {
			return err
		}
		t.add(entry{name: name, link: link})
	}
	return nil
}

// base returns the files that every root file system has.
func base() *tree {
	t := &tree{}
	for _, dir := range []string{"usr/bin", "usr/sbin", "usr/lib", "etc", "proc", "sys", "dev", "run", "root", "home", "var/lib", "mnt", "srv"} {
		t.add(entry{name: dir, mode: 0o755})
	}
	for _, dir := range []string{"tmp", "var/tmp"} {
		t.add(entry{name: dir, mode: 0o1777})
	}
	for _, name := range []string{"bin", "sbin", "lib", "lib64"} {
		t.add(entry{name: name, link: "usr/" + name})
	}
	t.add(entry{name: "etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n")})
	t.add(entry{name: "etc/group", mode: 0o644, content: []byte("root:x:0:\nnogroup:x:65534:\n")})
	t.add(entry{name: "etc/nsswitch.conf", mode: 0o644, content: []byte("passwd: files\ngroup: files\nhosts: files dns\n")})
	return t
}

// wanted reports whether a file of a package is needed to run its programs.
func wanted(path string) bool {
	for _, dir := range []string{"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/lib/", "/usr/lib/"} {
		if strings.HasPrefix(path, dir) {
			return true
		}
	}
	return slices.Contains([]string{"/etc/os-release", "/etc/debian_version"}, path)
}

// debianFiles returns the programs of the packages and the libraries that they
// need.
func debianFiles(ctx context.Context) ([]entry, error) {
	// As above: dpkg fails if one is not installed, but lists the others.
	out, err := command.Output(ctx, "", append([]string{"dpkg", "--listfiles"}, packages...)...)
	if !strings.Contains(out, "/fio\n") {
		return nil, err
	}
	t := base()
	t.add(entry{name: "usr/bin/awk", link: "mawk"})
	var programs []string
	for path := range strings.Lines(out) {
		path = strings.TrimSpace(path)
		if !wanted(path) {
			continue
		}
		if err := t.take(path); os.IsNotExist(err) {
			continue // somebody removed it
		} else if err != nil {
			return nil, err
		}
		if isELF(path) {
			programs = append(programs, path)
		}
	}
	err = t.link(ctx, programs)
	return t.all, err
}

// link adds the libraries that programs need.
func (t *tree) link(ctx context.Context, programs []string) error {
	libraries, err := librariesOf(ctx, programs)
	if err != nil {
		return err
	}
	for _, path := range libraries {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return err
		}
		t.add(entry{name: strings.TrimPrefix(filepath.Join(dir, filepath.Base(path)), "/"), from: path})
	}
	return nil
}

func isELF(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	return f.Close() == nil && (f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN)
}

// librariesOf returns the libraries that programs are linked with, and the loader.
func librariesOf(ctx context.Context, programs []string) ([]string, error) {
	// ldd fails if one program is static.
	out, err := command.Output(ctx, "", append([]string{"ldd"}, programs...)...)
	found := map[string]bool{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		switch {
		case len(f) >= 3 && f[1] == "=>" && strings.HasPrefix(f[2], "/"):
			found[f[2]] = true
		case len(f) == 2 && strings.HasPrefix(f[0], "/") && strings.HasPrefix(f[1], "("):
			found[f[0]] = true
		}
	}
	if len(found) == 0 {
		return nil, err
	}
	var all []string
	for path := range found {
		all = append(all, path)
	}
	slices.Sort(all)
	return all, nil
}

// pauseFiles returns a program that waits, and its libraries.
func pauseFiles(ctx context.Context) ([]entry, error) {
	t := base()
	t.add(entry{name: "pause", from: "/bin/sleep"})
	err := t.link(ctx, []string{"/bin/sleep"})
	return t.all, err
}

// foreignFiles returns a program for an architecture other than this machine's.
func foreignFiles(context.Context) ([]entry, error) {
	machine := elf.EM_AARCH64
	if runtime.GOARCH == "arm64" {
		machine = elf.EM_X86_64
	}
	var b bytes.Buffer
	b.WriteString(elf.ELFMAG)
	b.Write([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT), 0, 0, 0, 0, 0, 0, 0, 0, 0})
	b.Write([]byte{byte(elf.ET_EXEC), 0, byte(machine), byte(machine >> 8), byte(elf.EV_CURRENT), 0, 0, 0})
	b.Write(make([]byte, 4096))
	t := base()
	t.add(entry{name: "program", mode: 0o755, content: b.Bytes()})
	return t.all, nil
}

// hasLine reports whether text contains that line.
func hasLine(text, line string) bool {
	return slices.Contains(strings.Split(strings.TrimSpace(text), "\n"), line)
}
