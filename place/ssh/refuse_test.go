package ssh_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/place/ssh"
)

// Each way to get no shell: which error, which words, which hint.
func TestRefusals(t *testing.T) {
	noTools := func(t *testing.T) machine {
		return machine{shell: program(t, "fish"), sshd: []string{"SetEnv PATH=/nonexistent"}}
	}
	for name, c := range map[string]struct {
		machine func(t *testing.T) machine
		options ssh.Options
		spoil   func(s *server, o *ssh.Options)
		want    error
		words   string
		hint    string
	}{
		"unknown host": {
			options: ssh.Options{Address: "no-such-host.invalid", User: "me", Port: 2222},
			want:    ssh.ErrUnreachable, words: "no such host name", hint: "use its address",
		},
		"refused port": {
			spoil: func(s *server, o *ssh.Options) { o.Port = freePort(s.t) },
			want:  ssh.ErrUnreachable, words: "connection refused", hint: "start sshd",
		},
		"a port that never answers": {
			spoil: func(s *server, o *ssh.Options) { o.Port = blackHole(s.t) },
			want:  ssh.ErrUnreachable, words: "no answer in time", hint: "the host is up",
		},
		"wrong key": {
			options: ssh.Options{User: "root"},
			spoil:   func(s *server, _ *ssh.Options) { s.write("user.pub", s.read("host.pub")) },
			want:    ssh.ErrDenied, words: "Permission denied (publickey", hint: "'ssh root@target true'",
		},
		"host key that is not known": {
			spoil: func(s *server, _ *ssh.Options) { s.write("known_hosts", "") },
			want:  ssh.ErrHostKey, words: "not in known_hosts", hint: "by hand",
		},
		"sudo that asks for a password": {
			machine: func(t *testing.T) machine {
				program(t, "sudo")
				return machine{user: guest, sudoers: guest + " ALL=(ALL) ALL\n"}
			},
			options: ssh.Options{Sudo: true},
			want:    ssh.ErrSudo, words: "a password is required", hint: "NOPASSWD",
		},
		"no sudo": {
			machine: func(t *testing.T) machine { m := busybox(t); m.user = guest; return m },
			options: ssh.Options{Sudo: true},
			want:    ssh.ErrSudo, words: "sudo is not installed", hint: "install sudo",
		},
		"a shell that lets nobody in": {
			machine: func(*testing.T) machine { return machine{shell: "/usr/sbin/nologin"} },
			want:    ssh.ErrShell, words: "This account is currently not available", hint: "sh -c",
		},
		"no sh": {machine: noTools, want: ssh.ErrShell, words: "Unknown command: sh", hint: "sh -c"},
		"a shell that prints without end": {
			machine: func(t *testing.T) machine {
				return machine{shell: program(t, "bash"), files: map[string]string{".bashrc": "yes welcome\n"}}
			},
			want: ssh.ErrShell, words: "more than 1 MiB", hint: "interactive",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m machine
			if c.machine != nil {
				m = c.machine(t)
			}
			s := serve(t, m)
			if c.spoil != nil {
				c.spoil(s, &c.options)
			}
			p := s.place(c.options)
			mark := filepath.Join(s.dir, "ran")
			began := time.Now()
			_, err := p.Run(context.Background(), sh(`echo >"$1"`, mark))
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if !strings.HasPrefix(err.Error(), "host pve1: ") || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%q lacks the host or %q", err, c.words)
			}
			if !strings.Contains(assay.Hint(err), c.hint) {
				t.Errorf("hint %q lacks %q", assay.Hint(err), c.hint)
			}
			if took := time.Since(began); took > 2*time.Minute {
				t.Errorf("it took %v to say so", took)
			}
			if _, err := os.Stat(mark); err == nil {
				t.Error("and the command ran")
			}
			_ = p.Close()
			s.expectEmpty()
		})
	}
}

// A changed host key is refused with the command that fixes it, and known_hosts
// stays unchanged.
func TestChangedHostKeyIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	s.key("other")
	s.trust("other")
	before := s.read("known_hosts")
	_, err := s.place(ssh.Options{}).Run(context.Background(), sh(":"))
	if !errors.Is(err, ssh.ErrHostKey) || !strings.Contains(err.Error(), "has changed") {
		t.Fatalf("got %v, want ErrHostKey", err)
	}
	if want := fmt.Sprintf("ssh-keygen -f '%s/known_hosts' -R '[127.0.0.1]:%d'", s.dir, s.port); !strings.Contains(assay.Hint(err), want) {
		t.Errorf("hint %q lacks %q", assay.Hint(err), want)
	}
	if s.read("known_hosts") != before {
		t.Error("known_hosts was changed")
	}
}

// A host's name is for people. As an address it is refused before any program
// sees it, since a configuration may build commands from it.
func TestNamesThatAreCommands(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	pwned := filepath.Join(s.dir, "pwned")
	s.write("ssh_config", strings.Replace(s.read("ssh_config"), "\n", "\nProxyCommand none\n", 1)+"Host *\nProxyCommand sh -c 'echo %h; exit 1'\nMatch exec \"true %h\"\n")
	evil := []string{"a;touch " + pwned, "$(touch " + pwned + ")", "-oProxyCommand=touch " + pwned, "a`touch " + pwned + "`", "a\ntouch " + pwned, ""}
	for _, name := range evil {
		o := ssh.Options{ConfigFile: filepath.Join(s.dir, "ssh_config")}
		p := ssh.New(assay.Host{Name: name}, o)
		if _, err := p.Run(context.Background(), sh(":")); !errors.Is(err, ssh.ErrUnreachable) {
			t.Errorf("as an address, %q: %v", name, err)
		}
		_ = p.Close()
		o.Address, o.User = "target", name
		p = ssh.New(assay.Host{Name: "pve1"}, o)
		if _, err := p.Run(context.Background(), sh(":")); name != "" && err == nil {
			t.Errorf("as a user, %q went through", name)
		}
		_ = p.Close()
		o.User = ""
		p = ssh.New(assay.Host{Name: name}, o)
		if out, err := p.Run(context.Background(), sh(`printf %s "$1"`, name)); err != nil || string(out.Stdout) != name {
			t.Errorf("as a name alone, %q: %q, %v", name, out.Stdout, err)
		}
		_ = p.Close()
	}
	if _, err := os.Stat(pwned); err == nil {
		t.Error("a name was run")
	}
}

func TestBadOrders(t *testing.T) {
	p := ssh.New(assay.Host{Name: "pve1"}, ssh.Options{Address: "no-such-host.invalid"})
	for _, c := range []assay.Cmd{
		{},
		{Argv: []string{"a\x00b"}},
		{Argv: []string{"true"}, Env: []string{"no-name=secret"}},
		{Argv: []string{"true"}, Env: []string{"A$(reboot)=secret"}},
		{Argv: []string{"true"}, Env: []string{"UID=secret"}},
	} {
		_, err := p.Run(context.Background(), c)
		if err == nil || errors.Is(err, ssh.ErrUnreachable) {
			t.Errorf("%q: %v, want it refused before ssh is asked", c.Argv, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q tells a value", err)
		}
	}
}

// A host that was logged in to can print ssh's message about a changed key. Its
// remedy would remove another host's key, and is not shown.
func TestForgedHostKeyTrouble(t *testing.T) {
	const forged = "Offending ED25519 key in /home/victim/.ssh/known_hosts:1\nHost key for bastion has changed\nHost key verification failed.\n"
	check := func(t *testing.T, s *server) {
		_, err := s.place(ssh.Options{}).Run(t.Context(), sh(":"))
		if err == nil || errors.Is(err, ssh.ErrHostKey) || !strings.HasPrefix(err.Error(), "host pve1: ") {
			t.Errorf("got %v", err)
		}
		if said := fmt.Sprint(err) + assay.Hint(err); strings.Contains(said, "bastion") || strings.Contains(said, "ssh-keygen") {
			t.Errorf("%v (hint: %s) is what the host wants", err, assay.Hint(err))
		}
	}
	t.Run("by the login shell", func(t *testing.T) {
		t.Parallel()
		m := machine{shell: program(t, "bash"), files: map[string]string{".bashrc": "printf '" + strings.ReplaceAll(forged, "\n", `\n`) + "' >&2; exit 255\n"}}
		check(t, serve(t, m))
	})
	t.Run("by the banner", func(t *testing.T) {
		t.Parallel()
		banner := filepath.Join(t.TempDir(), "banner")
		must(t, os.WriteFile(banner, []byte(forged), 0o644))
		s := serve(t, machine{sshd: []string{"Banner " + banner}})
		s.write("user.pub", s.read("host.pub"))
		check(t, s)
	})
}
