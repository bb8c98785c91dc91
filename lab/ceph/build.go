package ceph

import (
	"bytes"
	"context"
	_ "embed" // the scripts
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/wait"
	clients "assay/stacks/ceph"
)

const (
	// Pool is the pool that exists, with three copies.
	Pool = "vms"
	// User is the user with only the rights that a run of assay needs.
	User = clients.Application
	// ImageUser is the user that may create images in the pool, and nothing
	// more.
	ImageUser = "images"
	// poolPGs is small, to suit so few OSDs.
	poolPGs = 32
)

// KeyringOf returns the path of a user's keyring on each host. Only root can
// read admin's; the hosts' user can read the others.
func KeyringOf(user string) string { return "/etc/ceph/ceph.client." + user + ".keyring" }

//go:embed node.sh
var nodeScript string

// build makes a lab from nothing.
func (l *Lab) build(ctx context.Context) error {
	if err := homeOf(l.Dir).Write(l.state); err != nil {
		return err
	}
	var err error
	if l.Hosts, err = hosts.Up(ctx, filepath.Join(l.Dir, hostsDir), l.state.Options.hosts()); err != nil {
		return err
	}
	files := l.files()
	for _, step := range []string{"monitor", "osd"} {
		if err := each(l.nodes(), func(host string) error { return l.node(ctx, host, files, step) }); err != nil {
			return err
		}
		if step == "monitor" {
			if err := l.quorum(ctx); err != nil {
				return err
			}
		}
	}
	if l.state.Options.Client > 0 {
		if _, err := l.Hosts.Feed(ctx, Client, configuration(l.Config()), "sh", "-eu"); err != nil {
			return err
		}
	}
	if err := l.osdsUp(ctx); err != nil {
		return err
	}
	for _, words := range [][]string{
		{"mon", "enable-msgr2"},
		{"osd", "pool", "create", Pool, fmt.Sprint(poolPGs), fmt.Sprint(poolPGs)},
		{"osd", "pool", "application", "enable", Pool, "rbd"},
	} {
		if _, err := l.Ceph(ctx, words...); err != nil {
			return err
		}
	}
	if err := l.healthy(ctx); err != nil {
		return err
	}
	if err := l.NewUser(ctx, User, clients.Capabilities()...); err != nil {
		return err
	}
	if err := l.NewUser(ctx, ImageUser, clients.ImageCapabilities(Pool)...); err != nil {
		return err
	}
	if err := l.writeCluster(); err != nil {
		return err
	}
	l.state.Ready = true
	return homeOf(l.Dir).Write(l.state)
}

// nodes returns the hosts that Ceph runs on.
func (l *Lab) nodes() []string { return l.Hosts.Names()[:l.state.Options.Hosts] }

// each calls do for all hosts in parallel.
func each(names []string, do func(host string) error) error {
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, host := range names {
		all.Go(func() { errs[i] = do(host) })
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return nil
}

// node runs one step on a host. The files, with the keys in them, come before the
// script, so that no key is in an argument.
func (l *Lab) node(ctx context.Context, host, files, step string) error {
	names := l.nodes()
	number := 0
	for i, name := range names {
		if name == host {
			number = i
		}
	}
	var monitors []string
	for _, name := range names {
		monitors = append(monitors, "--add", name, l.Hosts.Address(name, hosts.Management))
	}
	argv := append([]string{"sh", "-eus", "--", step, host, fmt.Sprint(number), l.state.FSID, l.Hosts.Address(host, hosts.Management)}, monitors...)
	_, err := l.Hosts.Feed(ctx, host, files+nodeScript, argv...)
	return err
}

// configuration returns a shell command that writes the ceph.conf for daemons and
// clients.
func configuration(text string) string {
	return "mkdir -p -m 755 /etc/ceph\n" + document("/etc/ceph/ceph.conf", text) + "chmod 644 /etc/ceph/ceph.conf\n"
}

// Config returns the lab's ceph.conf.
func (l *Lab) Config() string {
	names := l.nodes()
	var addresses []string
	for _, name := range names {
		addresses = append(addresses, l.Hosts.Address(name, hosts.Management))
	}
	network := func(name string) string {
		address := l.Hosts.Address(names[0], name)
		return address[:strings.LastIndexByte(address, '.')] + ".0/24"
	}
	return fmt.Sprintf(`[global]
fsid = %s
mon_initial_members = %s
mon_host = %s
public_network = %s
cluster_network = %s
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
osd_pool_default_size = 3
osd_pool_default_min_size = 2
osd_pool_default_pg_autoscale_mode = off
osd_memory_target = 939524096
bluestore_block_create = true
bluestore_block_size = %d
osd_class_update_on_start = false
mon_data_avail_warn = 1
mon_data_avail_crit = 1
[client]
admin_socket =
log_file = /dev/null
`, l.state.FSID, strings.Join(names, ","), strings.Join(addresses, ","), network(hosts.Management), network(hosts.Storage), l.state.Options.room())
}

// files returns the beginning of a script: configuration and keys as
// here-documents.
func (l *Lab) files() string {
	names := l.nodes()
	keys := map[string]string{}
	entry := func(name string, caps ...string) string {
		if keys[name] == "" {
			keys[name] = newKey()
		}
		text := fmt.Sprintf("[%s]\n\tkey = %s\n", name, keys[name])
		for i := 0; i+1 < len(caps); i += 2 {
			text += fmt.Sprintf("\tcaps %s = %q\n", caps[i], caps[i+1])
		}
		return text
	}
	all := entry("mon.", "mon", "allow *") +
		entry("client.admin", "mon", "allow *", "mgr", "allow *", "osd", "allow *") +
		entry("mgr.a", "mon", "allow profile mgr", "osd", "allow *")
	for i := range names {
		all += entry(fmt.Sprintf("osd.%d", i), "mgr", "allow profile osd", "mon", "allow profile osd", "osd", "allow *")
	}
	text := document("/etc/ceph/all.keyring", all) +
		document(KeyringOf("admin"), entry("client.admin")) + document("/etc/ceph/mgr.keyring", entry("mgr.a"))
	for i, name := range names {
		text += document("/etc/ceph/"+name+".keyring", entry(fmt.Sprintf("osd.%d", i)))
	}
	return configuration(l.Config()) + "umask 077\n" + text
}

// document returns a shell command that writes a file.
func document(path, text string) string { return "cat >" + path + " <<'EOF'\n" + text + "EOF\n" }

// Ceph runs a ceph command as client.admin on the first host, and returns its output.
func (l *Lab) Ceph(ctx context.Context, words ...string) (string, error) {
	return l.Hosts.Run(ctx, l.Hosts.Names()[0], append([]string{"ceph", "--connect-timeout", "20"}, words...)...)
}

// quorum waits until the monitors have found each other.
func (l *Lab) quorum(ctx context.Context) error {
	return l.until(ctx, "quorum", func() error {
		var s struct {
			Quorum []int `json:"quorum"`
		}
		if err := l.ask(ctx, &s, "quorum_status"); err != nil {
			return err
		}
		if all := l.state.Options.Hosts; len(s.Quorum) != all {
			return fmt.Errorf("%d of %d monitors are in the quorum", len(s.Quorum), all)
		}
		return nil
	})
}

// osdsUp waits until every OSD is up and in.
func (l *Lab) osdsUp(ctx context.Context) error {
	return l.until(ctx, "OSDs", func() error {
		var s struct {
			Up int `json:"num_up_osds"`
			In int `json:"num_in_osds"`
		}
		if err := l.ask(ctx, &s, "osd", "stat"); err != nil {
			return err
		}
		if all := l.state.Options.Hosts; s.Up != all || s.In != all {
			return fmt.Errorf("%d OSDs are up and %d in, of %d", s.Up, s.In, all)
		}
		return nil
	})
}

// healthy waits for HEALTH_OK, and until every placement group is active and clean:
// for a while, health checks do not cover those of a new pool.
func (l *Lab) healthy(ctx context.Context) error {
	return l.until(ctx, "health", func() error {
		var s struct {
			Status string                     `json:"status"`
			Checks map[string]json.RawMessage `json:"checks"`
		}
		if err := l.ask(ctx, &s, "health"); err != nil {
			return err
		}
		if s.Status != "HEALTH_OK" {
			return fmt.Errorf("%s: %s", s.Status, s.Checks)
		}
		var p struct {
			Summary struct {
				All    int `json:"num_pgs"`
				States []struct {
					Name string `json:"name"`
					PGs  int    `json:"num"`
				} `json:"num_pg_by_state"`
			} `json:"pg_summary"`
		}
		if err := l.ask(ctx, &p, "pg", "stat"); err != nil {
			return err
		}
		if states := p.Summary.States; len(states) != 1 || states[0].Name != "active+clean" || states[0].PGs != p.Summary.All {
			return fmt.Errorf("placement groups: %v", states)
		}
		return nil
	})
}

func (l *Lab) ask(ctx context.Context, answer any, words ...string) error {
	text, err := l.Ceph(ctx, append(words, "--format", "json")...)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), answer)
}

func (l *Lab) until(ctx context.Context, what string, done func() error) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if last, err := wait.Until(ctx, 200*time.Millisecond, done); err != nil {
		return fmt.Errorf("%s: %w (%w)", what, last, err)
	}
	return nil
}

// NewUser creates a user with these capabilities, in the form that ceph auth
// takes: pairs of daemon and capability. Its keyring is on every host.
func (l *Lab) NewUser(ctx context.Context, name string, caps ...string) error {
	text, err := l.Ceph(ctx, append([]string{"auth", "get-or-create", "client." + name}, caps...)...)
	if err != nil {
		return err
	}
	return each(l.Hosts.Names(), func(host string) error {
		_, err := l.Hosts.Feed(ctx, host, document(KeyringOf(name), text+"\n")+
			"chown "+hosts.User+": "+KeyringOf(name)+"\n", "sh", "-eu")
		return err
	})
}

// Services returns the addresses at which daemons serve clients, as host:port.
func (l *Lab) Services(ctx context.Context) ([]string, error) {
	type served struct {
		Addresses []struct {
			At string `json:"addr"`
		} `json:"addrvec"`
	}
	var monitors struct {
		All []struct {
			Public served `json:"public_addrs"`
		} `json:"mons"`
	}
	var osds struct {
		All []struct {
			Public served `json:"public_addrs"`
		} `json:"osds"`
	}
	var manager struct {
		Active served `json:"active_addrs"`
	}
	if err := errors.Join(l.ask(ctx, &monitors, "mon", "dump"), l.ask(ctx, &osds, "osd", "dump"), l.ask(ctx, &manager, "mgr", "dump")); err != nil {
		return nil, err
	}
	all := manager.Active.Addresses
	for _, m := range monitors.All {
		all = append(all, m.Public.Addresses...)
	}
	for _, o := range osds.All {
		all = append(all, o.Public.Addresses...)
	}
	out := make([]string, len(all))
	for i, a := range all {
		out[i] = a.At
	}
	return out, nil
}

// StopOSD kills the OSD of a host.
func (l *Lab) StopOSD(ctx context.Context, host string) error { return l.kill(ctx, host, "osd") }

// StopMonitor kills the monitor of a host.
func (l *Lab) StopMonitor(ctx context.Context, host string) error { return l.kill(ctx, host, "mon") }

func (l *Lab) kill(ctx context.Context, host, daemon string) error {
	_, err := l.Hosts.Run(ctx, host, "sh", "-euc", `kill -9 "$(cat "/run/ceph/$1.pid")"`, "-", daemon)
	return err
}

// Revive starts what was stopped, and returns when the cluster is healthy
// again.
func (l *Lab) Revive(ctx context.Context) error {
	if err := each(l.nodes(), func(host string) error { return l.node(ctx, host, "", "again") }); err != nil {
		return err
	}
	for _, whole := range []func(context.Context) error{l.quorum, l.osdsUp, l.healthy} {
		if err := whole(ctx); err != nil {
			return err
		}
	}
	return nil
}

// writeCluster writes two cluster.yaml files for the hosts: one with the pool as a tier,
// and one with images in it.
func (l *Lab) writeCluster() error {
	text, err := os.ReadFile(l.Hosts.Cluster())
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte("config: ssh_config"), []byte("config: "+l.Hosts.Config()))
	all := strings.Join(l.Hosts.Names(), ", ")
	images := fmt.Appendf(bytes.Clone(text), "\ntiers:\n  images:\n    hosts: [%s]\n    rbd: {pool: %s, user: %s}\n", all, Pool, ImageUser)
	if err := os.WriteFile(l.Images(), images, 0o600); err != nil {
		return err
	}
	return os.WriteFile(l.Cluster(), fmt.Appendf(text, "\ntiers:\n  %s:\n    hosts: [%s]\n    ceph: {pool: %[1]s, user: %[3]s}\n", Pool, all, User), 0o600)
}
