package ssh_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay"
	"assay/place/ssh"
)

const helperConfig = "ASSAY_TEST_SSH_CONFIG"

// TestHelper is not a test: it is the assay that another test kills.
func TestHelper(t *testing.T) {
	config := os.Getenv(helperConfig)
	if config == "" {
		t.Skip("only run by TestKilledAssayLeavesNothing")
	}
	p := ssh.New(assay.Host{Name: "pve1"}, ssh.Options{Address: "target", ConfigFile: config})
	_, err := p.Run(context.Background(), sh(tree))
	t.Fatalf("it was to be killed: %v", err)
}

// SIGKILL leaves assay no time for anything; the kernel ends its ssh, and the
// far side notices that nobody is there.
func TestKilledAssayLeavesNothing(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	helper := exec.Command(os.Args[0], "-test.run", "^TestHelper$")
	tmp := filepath.Join(s.dir, "tmp")
	must(t, os.Mkdir(tmp, 0o700))
	helper.Env = append(os.Environ(), helperConfig+"="+filepath.Join(s.dir, "ssh_config"), "TMPDIR="+tmp)
	must(t, helper.Start())
	began := eventually(func() bool { return s.runs("sleep 602") })
	must(t, helper.Process.Kill())
	_ = helper.Wait()
	if !began {
		t.Fatal("the command never began")
	}
	s.expectEmpty()
	if sockets, _ := filepath.Glob(tmp + "/*/*"); len(sockets) > 0 {
		t.Errorf("sockets left here: %v", sockets)
	}
}

// The user's configuration says how to connect; a jump host is one of the ways.
func TestJumpHost(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	s.write("ssh_config", s.read("ssh_config")+fmt.Sprintf(`HostKeyAlias [127.0.0.1]:%[1]d
Host behind
HostName localhost
Port %[1]d
User root
ProxyJump target
IdentityFile %[2]s/user
IdentitiesOnly yes
UserKnownHostsFile %[2]s/known_hosts
StrictHostKeyChecking yes
HostKeyAlias [127.0.0.1]:%[1]d
`, s.port, s.dir))
	p := s.place(ssh.Options{Address: "behind"})
	out, err := p.Run(context.Background(), sh(`printf %s "$SSH_CONNECTION"`))
	if err != nil || len(out.Stdout) == 0 {
		t.Errorf("got %q, %v", out.Stdout, err)
	}
	_ = p.Close()
	s.expectEmpty()
}

func TestNoSSH(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p := ssh.New(assay.Host{Name: "pve1"}, ssh.Options{})
	defer p.Close()
	_, err := p.Run(context.Background(), sh(":"))
	if err == nil || assay.Hint(err) == "" {
		t.Errorf("got %v (hint: %s)", err, assay.Hint(err))
	}
}
