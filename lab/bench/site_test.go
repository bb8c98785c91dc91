package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/inventory/cluster"
	"assay/lab/hosts"
)

func TestSheetIsAClusterThatAssayReads(t *testing.T) {
	address := func(host, network string) string {
		return map[string]string{hosts.Management: "10.9.0.", hosts.Storage: "10.9.1."}[network] + strings.TrimPrefix(host, "host")
	}
	c := sheet{hosts: []string{"host1", "host2"}, networks: []string{hosts.Management, hosts.Storage}, oneByOne: true}
	got, err := cluster.Read("cluster.yaml", []byte(c.text("/a b/ssh_config", address)))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Hosts) != 2 || got.Hosts[1].Address != "10.9.0.2" || got.Hosts[1].SSH.Config != "/a b/ssh_config" || got.Hosts[0].Sudo {
		t.Errorf("hosts: %+v", got.Hosts)
	}
	if len(got.Networks) != 2 || got.Networks[1].Hosts[0].Address.String() != "10.9.1.1" {
		t.Errorf("networks: %+v", got.Networks)
	}
	if len(got.Resources) != 1 || !slices.Equal(got.Resources[0].Networks, c.networks) {
		t.Errorf("resources: %+v", got.Resources)
	}
}

func TestHostsOfABenchAreAlike(t *testing.T) {
	all := alike(3)
	for i := range all {
		all[i].Name = ""
		if a, b := all[i], all[0]; a.Link != b.Link || a.Disk != b.Disk || a.Sudo != b.Sudo || a.Rise != b.Rise || len(a.Labels) > 0 {
			t.Errorf("%+v is not %+v", a, b)
		}
	}
}

// TestWhatIsInterruptedLeavesNothing presses Ctrl-C while hosts are queried.
func TestWhatIsInterruptedLeavesNothing(t *testing.T) {
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	var lab *hosts.Lab
	err := withHosts(ctx, wish{}, dir, 2, func(string) {}, func(s site) error {
		lab = s.lab
		return command{
			argv: []string{"ssh", "-F", s.lab.Config(), "host1", "sleep", "600"},
			watch: func(context.Context, int) {
				stop(stopped)
			},
		}.wait(ctx)
	})
	if !errors.Is(err, stopped) {
		t.Errorf("ended with %v", err)
	}
	if lab == nil {
		t.Fatal("there was no lab")
	}
	if _, err := os.Stat(lab.Dir); err == nil {
		t.Errorf("%s is still there", lab.Dir)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func (c command) wait(ctx context.Context) error {
	_, err := c.run(ctx)
	return err
}

// TestConnectionsOfAnsibleAreEnded leaves a connection open, as ansible does.
func TestConnectionsOfAnsibleAreEnded(t *testing.T) {
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	err := withHosts(ctx, wish{}, t.TempDir(), 1, func(string) {}, func(s site) error {
		a := &ansible{site: s, sockets: filepath.Join(s.short, "cm")}
		if err := os.MkdirAll(filepath.Join(a.sockets, "1"), 0o700); err != nil {
			return err
		}
		socket := filepath.Join(a.sockets, "1", "x")
		if err := (command{argv: []string{
			"ssh", "-F", s.lab.Config(), "-o", "ControlMaster=auto", "-o", "ControlPersist=60s", "-o", "ControlPath=" + socket, "-f", "-N", "host1",
		}}).wait(ctx); err != nil {
			return err
		}
		if _, err := os.Lstat(socket); err != nil {
			t.Errorf("no connection was left open: %v", err)
		}
		if err := a.hangUp(ctx); err != nil {
			return err
		}
		if _, err := os.Lstat(socket); err == nil {
			t.Error("the connection is still open")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnsibleIsAsItComes(t *testing.T) {
	a := &ansible{site: site{lab: &hosts.Lab{Dir: "/lab's"}}, home: "/h", sockets: "/s"}
	env := a.environ([]string{"PATH=/bin", "ANSIBLE_PIPELINING=1", "ANSIBLE_HOST_KEY_CHECKING=False", "LC_ALL=C"}, "7", false)
	for _, want := range []string{
		"PATH=/bin", "LC_ALL=C.UTF-8", "ANSIBLE_PIPELINING=False", "ANSIBLE_HOST_KEY_CHECKING=True", "ANSIBLE_FORKS=16",
		"ANSIBLE_SSH_CONTROL_PATH_DIR=/s/7",
		`ANSIBLE_SSH_ARGS=-C -o ControlMaster=auto -o ControlPersist=60s -F '/lab'\''s/ssh_config'`,
	} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s in %q", want, env)
		}
	}
	seen := map[string]bool{}
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		if seen[name] {
			t.Errorf("%s is set twice", name)
		}
		seen[name] = true
	}
}
