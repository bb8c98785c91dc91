package cluster

import (
	"reflect"
	"strings"
	"testing"

	"assay/place/guest"
	"assay/volume/all"
)

func TestClones(t *testing.T) {
	c, err := Read("clones.yaml", files(t, "valid")["clones.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(hostNames(c.Hosts), " "); got != "pve1 pve2 bench-1 bench-2 bench-3 big-1 big-2" {
		t.Errorf("hosts %s", got)
	}
	want := Host{
		Name: "bench-2", Labels: map[string]string{"rack": "3"}, Measure: Measure{Directories: []string{"/var/tmp"}},
		Guest: &Guest{On: "pve2", Kind: "proxmox", Clone: &Clone{Of: "9000", Entry: "bench", Among: []string{"pve1", "pve2"}}},
	}
	if got := *c.Host("bench-2"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for host, on := range map[string]string{"bench-1": "pve1", "bench-3": "pve1", "big-1": "pve2", "big-2": "pve2"} {
		if got := c.Host(host); got.Guest.On != on {
			t.Errorf("%s is on %s", host, got.Guest.On)
		}
	}
	for words, want := range map[string]string{"bench": "bench-1 bench-2 bench-3", "all": "pve1 bench-1 bench-2 bench-3 big-2", "big-1": "big-1"} {
		hosts, err := c.Choose([]string{words})
		if got := strings.Join(hostNames(hosts), " "); err != nil || got != want {
			t.Errorf("%s: %s, %v", words, got, err)
		}
	}
	for tier, want := range map[string]string{"inside": "bench-1 bench-2 bench-3", "disk": "bench-2 big-1 big-2"} {
		if got := strings.Join(c.Tier(tier).Hosts, " "); got != want {
			t.Errorf("tier %s: %s", tier, got)
		}
	}
	standing, made := Standing(c.Hosts)
	if len(standing) != 2 || len(made) != 5 {
		t.Errorf("%d are there, %d are made", len(standing), len(made))
	}
	called := c.Call(func(h Host) string { return "x-" + h.Name })
	if called.Host("bench-1").Guest.Name != "x-bench-1" || c.Host("bench-1").Guest.Name != "" {
		t.Error("a name went to the wrong guest")
	}
	if agent, reached := c.Host("big-1").Agent(); !reached || reflect.DeepEqual(agent, guest.Agent{}) {
		t.Error("a clone that is not made has no agent that says so")
	}
}

func TestClonesOfACloudImage(t *testing.T) {
	digest := strings.Repeat("0A", 64)
	c, err := Read("x", []byte("hosts: {a: 10.0.0.1, b: 10.0.0.2}\nvms:\n  p: {clone: {image: /images/d.qcow2, pool: 1, on: a}}\n"+
		"  u: {clone: {image: 'https://x.lan/d.qcow2', sha512: "+digest+", pool: images, on: [a, b], count: 2, memory: 4G, cpus: 3, disk: 20GiB, bridge: br0, packages: []}}"), all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Guest{
		"p-1": {On: "a", Kind: "libvirt", Clone: &Clone{Of: "/images/d.qcow2", Entry: "p", Among: []string{"a"}, Image: &CloudImage{Storage: "1", Memory: 2 << 30, CPUs: 2, Disk: 10 << 30, Packages: []string{"fio"}}}},
		"u-2": {On: "b", Kind: "libvirt", Clone: &Clone{Of: "https://x.lan/d.qcow2", Entry: "u", Among: []string{"a", "b"}, Image: &CloudImage{
			Storage: "images", Digest: "sha512:" + strings.ToLower(digest), Memory: 4 << 30, CPUs: 3, Disk: 20 << 30, Bridge: "br0",
		}}},
	} {
		if got := c.Host(name); got == nil || !reflect.DeepEqual(*got.Guest, want) {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if c.Host("p-1").Guest.Clone.Remote() || !c.Host("u-1").Guest.Clone.Remote() {
		t.Error("which is downloaded?")
	}
}

func TestClonesThatCannotBe(t *testing.T) {
	const hosts = "hosts: {a: 10.0.0.1, b: 10.0.0.2}\n"
	for text, want := range map[string]string{
		"vms: {v: {clone: {domain: db, on: a}, on: a}}":                                                                     "leave out on",
		"vms: {v: {clone: {on: a}}}":                                                                                        "of what? A template of Proxmox VE (for example \"template: 9000\"), a domain of libvirt (\"domain: debian12\"), or a cloud image (\"image: /var/",
		"vms: {v: {clone: {image: /d.qcow2, on: a}}}":                                                                       "in which storage are the disks to be?",
		"vms: {v: {clone: {image: /d.qcow2, pool: p, storage: p, on: a}}}":                                                  "in one storage",
		"vms: {v: {clone: {image: /d.qcow2, pool: p}}}":                                                                     "on which hosts?",
		"vms: {v: {clone: {image: /d.qcow2, pool: p, on: a, domain: db}}}":                                                  "not of both",
		"vms: {v: {clone: {domain: db, on: a, memory: 1G}}}":                                                                "memory: is of clones of a cloud image alone",
		"vms: {v: {clone: {image: 'https://x.lan/d.qcow2', pool: p, on: a}}}":                                               "a URL needs the digest of the image, by sha512 or sha256",
		"vms: {v: {clone: {image: 'https://x.lan/d.qcow2', pool: p, on: a, sha512: abc}}}":                                  "as sha512sum prints it",
		"vms: {v: {clone: {image: 'https://u:s@x.lan/d.qcow2', pool: p, on: a}}}":                                           "without user, password and query",
		"vms: {v: {clone: {image: /d.qcow2.xz, pool: p, on: a}}}":                                                           "is packed; unpack it",
		"vms: {v: {clone: {image: /d.qcow2, pool: p, on: a, memory: 1M}}}":                                                  "of 256 MiB or more",
		"vms: {v: {clone: {image: /d.qcow2, pool: p, on: a, full: true}}}":                                                  "always overlays",
		"vms: {v: {clone: {domain: db}}}":                                                                                   "on which hosts?",
		"vms: {v: {clone: {domain: db, template: 9000, on: a}}}":                                                            "made of one template",
		"vms: {v: {clone: {domain: db, on: a, full: true}}}":                                                                "always overlays",
		"vms: {v: {clone: {domain: db, on: c}}}":                                                                            "no host \"c\"",
		"vms: {v: {clone: {domain: db, on: [a, b]}}}":                                                                       "2 hosts under on for 1 guest",
		"vms: {v: {clone: {domain: db, on: a}}, v-1: {on: a, address: 10.0.0.9}}":                                           "duplicate host v-1",
		"vms: {v: {clone: {domain: db, on: a}}}\ngroups: {v: [a]}":                                                          "same name as the clones",
		"vms: {v: {clone: {domain: db, on: a}}}\nnetworks: {n: {hosts: {a: 10.0.1.1, b: 10.0.1.2, v-1: 10.0.1.3}}}":         "has no address",
		"vms: {v: {clone: {domain: db, on: a}}}\ntiers: {t: {host: v-1, s3: {endpoint: \"http://s3.lan:3900\"}}}":           "cannot be measured from guests that are made",
		"vms: {v: {clone: {domain: db, on: a}}}\nfailover: {f: {host: a, service: x, address: 10.0.0.9, observers: [v-1]}}": "no host \"v-1\"",
		"vms: {v: {clone: {domain: db, on: a}, measure: {overwrite: [{path: /dev/disk/by-id/usb-x, serial: X1}]}}}":         "has no drives of its own",
	} {
		_, err := Read("x", []byte(hosts+text), all.Kinds()...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v; want %q", text, err, want)
		}
	}
}
