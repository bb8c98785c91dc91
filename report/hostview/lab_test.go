package hostview_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/cluster/starter"
	"assay/inventory/survey"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/place/local"
	"assay/place/ssh"
	"assay/report/hostview"
)

// Real hosts over real SSH: those that cannot be surveyed show the reason, the
// others are unaffected, and of these only the slow one is named.
func TestHostsThatFailAndHostsThatDiffer(t *testing.T) {
	l := hoststest.Up(t, hosts.Standard(6))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for _, b := range []struct {
		host  string
		fault hosts.Fault
		arg   []string
	}{
		{"host2", hosts.NoSSH, nil},
		{"host3", hosts.HostKey, nil},
		{"host4", hosts.AskSudo, nil},
		{"host5", hosts.Banner, nil},
	} {
		if err := l.Break(ctx, b.host, b.fault, b.arg...); err != nil {
			t.Fatalf("%s on %s: %v", b.fault, b.host, err)
		}
	}
	text, err := os.ReadFile(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Read(l.Cluster(), text)
	if err != nil {
		t.Fatal(err)
	}
	v := hostview.Build(c, survey.Ask(ctx, c.Hosts, opener(c), survey.Options{}))

	want := map[string]string{"host2": "connection refused", "host3": "host key", "host4": "sudo"}
	for _, h := range v.Hosts {
		reason := want[h.Name]
		switch {
		case reason == "" && (h.Error != "" || h.Facts == nil || h.Facts.OS.Hostname != h.Name || h.Facts.Dir(hosts.BenchDir) == nil):
			t.Errorf("%s: %q, %+v", h.Name, h.Error, h.Facts)
		case reason != "" && (h.Facts != nil || !strings.Contains(h.Error, reason) || h.Hint == ""):
			t.Errorf("%s: %q, hint %q; want one about %s", h.Name, h.Error, h.Hint, reason)
		case strings.HasPrefix(h.Error, "host "):
			t.Errorf("%s: its row says its name again: %q", h.Name, h.Error)
		}
	}
	if v.Answered() != 3 {
		t.Errorf("%d answered", v.Answered())
	}
	// host6 has slower lines, but the lab's interfaces are veth pairs: their speeds count
	// for nothing, as in containers.
	for _, d := range v.Differences {
		t.Errorf("%s: %v, odd %v", d.What, d.Values, d.Odd)
	}
}

// The starter file written for surveyed hosts can be used to survey them.
func TestTheStarterIsOfUse(t *testing.T) {
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("there is no ssh")
	}
	l := hoststest.Up(t, hosts.Standard(3))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	config := l.Dir + "/ssh_config"
	var found []starter.Found
	var all []cluster.Host
	for _, name := range l.Names() {
		target := starter.Target{Address: name}
		way, err := target.Resolve(ctx, local.New("here", ""), config)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, starter.Found{Target: target, Way: way})
		all = append(all, target.Host(config))
	}
	for i, a := range survey.Ask(ctx, all, opener(cluster.Cluster{}), survey.Options{Mounts: true}) {
		found[i].Answer = a
	}
	starter.Name(found)
	text := starter.Write(found, config)
	c, err := cluster.Read("x", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(c.Networks) != 2 || c.Networks[0].Name != survey.Management || len(c.Networks[1].Hosts) != 3 {
		t.Errorf("networks %+v\n%s", c.Networks, text)
	}
	for _, h := range c.Hosts {
		if got := c.Networks[0].Address(h.Name).String(); got != l.Address(h.Name, hosts.Management) {
			t.Errorf("%s: address %s, the lab says %s", h.Name, got, l.Address(h.Name, hosts.Management))
		}
	}
	for _, a := range survey.Ask(ctx, c.Hosts, opener(c), survey.Options{}) {
		if a.Err != nil {
			t.Error(a.Err)
		}
	}
}

func opener(c cluster.Cluster) survey.Opener {
	return func(h cluster.Host) (assay.Place, error) {
		return ssh.New(assay.Host{Name: h.Name}, ssh.Options{
			Address: h.Address, User: h.User, Port: h.Port, Sudo: h.Sudo, ConfigFile: c.ConfigFile(h, ""), Mark: "view-test",
		}), nil
	}
}
