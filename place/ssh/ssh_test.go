package ssh_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay"
	"assay/place/placetest"
	"assay/place/ssh"
)

const allowed = "root ALL=(ALL) ALL\n" + guest + " ALL=(ALL) NOPASSWD: ALL\n"

// Each kind of machine that a user may have runs the whole suite, and nothing
// is left on it afterwards.
func TestConformance(t *testing.T) {
	type kind struct {
		machine func(t *testing.T) machine
		options ssh.Options
	}
	for name, k := range map[string]kind{
		"sh": {machine: func(*testing.T) machine { return machine{} }},
		"bash with a banner": {machine: func(t *testing.T) machine {
			return machine{
				shell: program(t, "bash"), sh: "bash",
				files: map[string]string{".bashrc": "printf 'Welcome to pve1! '; echo oops >&2; uname -a\n"},
			}
		}},
		"fish": {machine: func(t *testing.T) machine {
			return machine{shell: program(t, "fish"), files: map[string]string{".config/fish/config.fish": "echo hello from fish\n"}}
		}},
		"csh": {machine: func(t *testing.T) machine {
			return machine{shell: program(t, "tcsh"), files: map[string]string{".cshrc": "echo hello from csh\n"}}
		}},
		"busybox alone":          {machine: func(t *testing.T) machine { return busybox(t) }},
		"busybox without setsid": {machine: func(t *testing.T) machine { return busybox(t, "setsid") }},
		"an ordinary user":       {machine: func(*testing.T) machine { return machine{user: guest} }},
		"sudo": {
			machine: func(t *testing.T) machine {
				program(t, "sudo")
				return machine{user: guest, sudoers: allowed}
			},
			options: ssh.Options{Sudo: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, k.machine(t))
			placetest.Test(t, func(*testing.T) assay.Place { return roomy{s.place(k.options)} })
			s.expectEmpty()
		})
	}
}

// roomy opens the directories that tests name to other users: t.TempDir keeps
// them out.
type roomy struct{ assay.Place }

func (r roomy) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	for _, w := range c.Argv {
		if info, err := os.Stat(w); err == nil && info.IsDir() && filepath.IsAbs(w) {
			_ = os.Chmod(w, 0o777)
			_ = os.Chmod(filepath.Dir(w), 0o755)
		}
	}
	return r.Place.Run(ctx, c)
}

// busybox returns a machine with nothing but busybox, less some of its
// programs.
func busybox(t *testing.T, without ...string) machine {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755))
	out, err := exec.Command(program(t, "busybox"), "--install", "-s", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("busybox --install: %v: %s", err, out)
	}
	for _, name := range without {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	return machine{shell: filepath.Join(dir, "ash"), sh: "busybox", sshd: []string{"SetEnv PATH=" + dir}}
}
