package moved

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/vms/nodes"
	"assay/stacks/migration"
)

// vm returns the subject of the VM on the two stand-in nodes.
func vm(change func(*migration.Move)) assay.Subject {
	m := migration.Move{
		Kind: migration.Proxmox, Guest: nodes.VM, Home: migration.End{Host: "pve1", Address: "192.0.2.1"}, Away: migration.End{Host: "pve2", Address: "192.0.2.2"},
	}
	if change != nil {
		change(&m)
	}
	return assay.Subject{ID: "pve1/guest/mail", Kind: assay.KindGuest, Host: "pve1", Name: "mail", Peer: "pve2", Volume: Kind, Params: m.Params()}
}

func volumeOf(c *nodes.Cluster, stuck time.Duration) assay.Volume {
	v := Volume{pause: time.Millisecond, stuck: stuck}
	return v.Among(map[string]assay.Place{"pve1": c.At("pve1"), "pve2": c.At("pve2")})
}

func lentVM(t *testing.T, c *nodes.Cluster, change func(*migration.Move)) assay.Receipt {
	t.Helper()
	v := volumeOf(c, time.Minute)
	r, err := v.Reserve(t.Context(), c.At("pve1"), vm(change), assay.Request{ID: id, Bytes: 1})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	if !r.SettingAlone() || r.Restore[0] != (assay.Property{Of: "VM 101", Name: settingHost, Value: "pve1"}) {
		t.Errorf("%+v", r)
	}
	if lent, err := v.Lend(t.Context(), c.At("pve1"), r); err != nil || len(lent.Copied) > 0 {
		t.Fatalf("%+v, %v", lent, err)
	}
	for _, asked := range c.Asked() {
		if strings.Contains(asked, "qm ") || strings.Contains(asked, "pvesh delete") {
			t.Errorf("lending did this: %s", asked)
		}
	}
	return r
}

// Wherever a killed run left a Proxmox VE VM, it comes home with its own disks.
func TestVMComesHome(t *testing.T) {
	copied := func(m *migration.Move) { m.Copy = true }
	for name, c := range map[string]struct {
		how   func(*migration.Move)
		left  func(*nodes.Cluster)
		wants string // a command
		not   string
	}{
		"it never left": {left: func(*nodes.Cluster) {}, not: "qm migrate"},
		"it is away":    {left: func(c *nodes.Cluster) { c.Node, c.Disks, c.CD = "pve2", []string{"local-lvm:vm-101-cloudinit"}, true }, wants: "pve2: qm migrate 101 pve1 --online 1"},
		"it is away with its disks": {copied, func(c *nodes.Cluster) {
			c.Node, c.Disks = "pve2", []string{"local-lvm:vm-101-disk-0"}
		}, "pve2: qm migrate 101 pve1 --online 1 --with-local-disks 1", ""},
		"it is off, away": {copied, func(c *nodes.Cluster) {
			c.Node, c.Status, c.QEMU, c.Disks = "pve2", "stopped", "stopped", []string{"local-lvm:vm-101-disk-0"}
		}, "pve2: qm migrate 101 pve1 --with-local-disks 1", "--online"},
		"it is off, home":          {left: func(c *nodes.Cluster) { c.Status = "stopped" }, not: "qm migrate"},
		"it is leaving":            {left: func(c *nodes.Cluster) { c.Leaving, c.Lock = "pve1", "migrate" }, wants: "pve1: pvesh delete /nodes/pve1/tasks/UPID:pve1:", not: "qm migrate"},
		"it is refused twice":      {left: func(c *nodes.Cluster) { c.Node, c.Refuses, c.Times = "pve2", "got timeout", 2 }, wants: "pve2: qm migrate 101 pve1"},
		"it is backed up, at home": {left: func(c *nodes.Cluster) { c.Lock = "backup" }, not: "qm migrate"},
		"it has just arrived away": {left: func(c *nodes.Cluster) {
			c.Node, c.Lock = "pve2", "migrate"
			n := 0
			c.Meanwhile = func(string, string) {
				if n++; n == 20 {
					c.Lock = ""
				}
			}
		}, wants: "pve2: qm migrate 101 pve1"},
		"it is coming back": {left: func(c *nodes.Cluster) {
			c.Node, c.Lock, c.Leaving = "pve2", "migrate", "pve2"
			n := 0
			c.Meanwhile = func(string, string) {
				if n++; n == 20 {
					c.Node, c.Lock, c.Leaving = "pve1", "", ""
				}
			}
		}, not: "qm migrate"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := nodes.New()
			r := lentVM(t, cluster, c.how)
			c.left(cluster)
			for range 2 { // it is idempotent
				if err := volumeOf(cluster, time.Minute).Release(t.Context(), cluster.At("pve1"), r); err != nil {
					t.Fatal(err, assay.Hint(err))
				}
				if cluster.Node != "pve1" || cluster.Leaving != "" {
					t.Errorf("it is on %s, and leaves %q", cluster.Node, cluster.Leaving)
				}
			}
			asked := strings.Join(cluster.Asked(), "\n")
			if !strings.Contains(asked, c.wants) || c.not != "" && strings.Contains(asked, c.not) {
				t.Errorf("want %q and not %q:\n%s", c.wants, c.not, asked)
			}
		})
	}
}

func TestVMCannotComeHome(t *testing.T) {
	for says, left := range map[string]func(*nodes.Cluster){
		"neither pve1 nor pve2 has a VM 101":   func(c *nodes.Cluster) { c.Node = "pve3" },
		"on pve1 it is running (lock migrate)": func(c *nodes.Cluster) { c.Lock = "migrate" },
		"VM is locked (backup)":                func(c *nodes.Cluster) { c.Node, c.Lock = "pve2", "backup" },
		"no space left on device":              func(c *nodes.Cluster) { c.Node, c.Refuses, c.Times = "pve2", "no space left on device", 1<<30 },
		"pve1 it is absent, on pve2 running":   func(c *nodes.Cluster) { c.Node, c.Refuses, c.Times = "pve2", "got timeout", 1<<30 },
		"on storage 'vms': is not available on node": func(c *nodes.Cluster) {
			c.Node, c.Refuses, c.Times = "pve2", "on storage 'vms': is not available on node 'pve1'", 1<<30
		},
	} {
		c := nodes.New()
		r := lentVM(t, c, nil)
		left(c)
		if err := volumeOf(c, atOnce).Release(t.Context(), c.At("pve1"), r); err == nil || !strings.Contains(err.Error(), says) || assay.Hint(err) == "" {
			t.Errorf("%v (%s), want %s", err, assay.Hint(err), says)
		}
	}
}

// A VM that could not be moved there and back is refused with a reason, and without a
// receipt.
func TestVMRefused(t *testing.T) {
	storage := func(m *migration.Move) { m.Network = "storage" }
	for says, c := range map[string]struct {
		is      error
		how     func(*migration.Move)
		cluster func(*nodes.Cluster)
		hint    string
	}{
		"pve1 has no VM 101":                     {assay.ErrNotFound, nil, func(c *nodes.Cluster) { c.Node = "pve2" }, "qm list"},
		"is shut off; only a guest":              {nil, nil, func(c *nodes.Cluster) { c.Status = "stopped" }, "qm start 101"},
		"is paused; only a guest":                {nil, nil, func(c *nodes.Cluster) { c.QEMU = "paused" }, "resume"},
		"is managed by HA":                       {nil, nil, func(c *nodes.Cluster) { c.HA = true }, "ha-manager remove vm:101"},
		"is locked (snapshot)":                   {assay.ErrBusy, nil, func(c *nodes.Cluster) { c.Lock = "snapshot" }, "qm unlock 101"},
		"devices of its node":                    {nil, nil, func(c *nodes.Cluster) { c.Resources = []string{"hostpci0", "usb1"} }, "take it from the VM"},
		"disks that pve1 alone has: local:101/a": {nil, nil, func(c *nodes.Cluster) { c.Disks = []string{"local:101/a.raw"} }, "disks: copy"},
		"has a CD in its drive":                  {nil, func(m *migration.Move) { m.Copy = true }, func(c *nodes.Cluster) { c.Disks, c.CD = []string{"local:iso/x.iso"}, true }, "eject it"},
		"cannot run on node pve2":                {nil, nil, func(c *nodes.Cluster) { c.NotAllowed = []string{"pve2"} }, "pvesm status"},
		"4096 MiB of memory, and 1024 MiB are":   {assay.ErrNoSpace, nil, func(c *nodes.Cluster) { c.Available = 1 << 30 }, "free some memory"},
		"no interface has the address 192.0.2.1": {assay.ErrNotFound, storage, func(c *nodes.Cluster) { c.Addresses = "2: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0\n" }, "ip addr"},
		"192.0.2.2 is not in 192.0.2.0/31":       {nil, storage, func(c *nodes.Cluster) { c.Addresses = "2: eth0    inet 192.0.2.1/31 scope global eth0\n" }, "ip addr"},
	} {
		cluster := nodes.New()
		c.cluster(cluster)
		_, err := volumeOf(cluster, time.Minute).Reserve(t.Context(), cluster.At("pve1"), vm(c.how), assay.Request{ID: id, Bytes: 1})
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(assay.Hint(err), c.hint) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v (%s), want %s", err, assay.Hint(err), says)
		}
		if slices.ContainsFunc(cluster.Asked(), func(asked string) bool { return strings.Contains(asked, "qm ") }) {
			t.Errorf("%s: it was moved", says)
		}
	}
}
