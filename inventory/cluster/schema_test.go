package cluster

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/internal/lazyregexp"
	"assay/internal/winpath"
	"assay/place/guest"
	"assay/stacks/failover"
	"assay/volume/all"
	"assay/volume/device"
)

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	const name = "cluster.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema(all.Kinds()...)))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judge validates text against the schema, as an editor would.
func judge(s *jsonschema.Schema, text []byte) error {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func TestTheSchemaAgreesWithRead(t *testing.T) {
	s := compiled(t)
	for name, text := range files(t, "valid") {
		if err := judge(s, text); err != nil {
			t.Errorf("valid %s: %v", name, err)
		}
	}
	for name, text := range files(t, "invalid") {
		if judge(s, text) == nil {
			t.Errorf("invalid %s is valid by the schema", name)
		}
	}
	// No schema can catch these mistakes; if ours does, the file is in the wrong
	// folder.
	for name, text := range files(t, "wrong") {
		if err := judge(s, text); err != nil {
			t.Errorf("the schema sees what is wrong in %s: %v", name, err)
		}
	}
}

// One mistake per case: in a file with several, one that passes would go
// unnoticed.
func TestEachMistakeFailsInBoth(t *testing.T) {
	s := compiled(t)
	host := func(fields string) string { return "hosts: {a: {address: 10.0.0.1, " + fields + "}}" }
	network := func(fields string) string {
		return "hosts: {a: 10.0.0.1, b: 10.0.0.2, c: 10.0.0.3}\nnetworks: {n: {" + fields + "}}"
	}
	const two = ", hosts: {a: 10.0.1.1, b: 10.0.1.2}"
	set := func(text string) string { return "hosts: {a: 10.0.0.1, b: 10.0.0.2}\n" + text }
	pool := func(text string) string {
		return "defaults: {measure: {directories: [/srv/x]}}\nhosts: {a: 10.0.0.1, b: 10.0.0.2}\nresources: {r: " + text + "}"
	}
	vm := func(text string) string { return set("vms: {v: {" + text + "}}") }
	clouded := func(text string) string { return vm("clone: {" + text + "}") }
	tier := func(text string) string {
		return "hosts: {a: 10.0.0.1, b: 10.0.0.2}\nkubernetes: {}\ntiers: {t: {" + text + "}}"
	}
	kubernetes := func(text string) string { return "kubernetes: {" + text + "}\ntiers: {t: {pvc: {}}}" }
	failover := func(text string) string { return set("failover: {f: {host: a, address: 10.0.0.9, " + text + "}}") }
	asked := func(text string) string { return set("failover: {f: {host: a, service: x, " + text + "}}") }
	const device = "node: n1, device: {path: /dev/disk/by-id/usb-x"
	const s3 = "s3: {endpoint: \"http://s3.lan:3900\""
	for _, right := range []string{
		tier("host: a, directory: /srv"), tier("hosts: [a, b], directory: /srv"), tier("node: n1, hostpath: /var/tmp"), tier("pvc: {}"),
		tier("nodes: [n1, n2], pvc: {class: longhorn, size: 5Gi, access: ReadWriteMany, mode: Block}"), tier("ephemeral: {size: 1Gi}"),
		tier(device + ", serial: 0371}"), tier(device + ", serial: X1, overwrite: X1}"), tier(device + ", backing: /var/x.img}"),
		tier(s3 + "}"), tier(s3 + ", credentials: profile home}, host: a"), tier(s3 + ", credentials: secret ns/s3}, nodes: [n1]"),
		tier(s3 + ", style: virtual-host, region: garage, ca: ca.pem, garage: {admin: \"http://s3.lan:3903\", token: env GARAGE_ADMIN_TOKEN}}"),
		"tiers: {t: {" + s3 + "}}}", "kubernetes:\ntiers: {t: {pvc: {}}}",
		kubernetes("context: home, kubeconfig: ~/k, namespace: bench, image: \"debian:12\", pull: Never, priority-class: low, host-network: true"),
		kubernetes("node-selector: {disk: ssd}, tolerations: [a, \"a=b\", \"a=b:NoSchedule\", \"a:NoExecute\"], requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 2}"),
		host("port: 22"), host("labels: {x: 1}"), network("mtu: 1500" + two), network("hosts: {a: 10.0.1.1, b: fd00::1}"),
		set("groups: {g: [a]}"), set("groups: {}"), set("resources: {r: {hosts: [a, b]}}"), set("resources: {r: {hosts: [a, b], directories: []}}"),
		pool("{directories: [/srv]}"), pool("{directories: [/]}"), pool("{directories: [/srv/x/, /srv], hosts: [b, a]}"), pool("{directories: [/srv], hosts: []}"),
		"hosts: {a: }", "hosts: {a: {}}",
		vm("on: a"), vm("on: a, proxmox: 101"), vm("on: a, proxmox: \"101\""), vm("on: b, libvirt: db"), vm("on: a, address: 10.0.0.9, port: 23"), set("vms: {}"),
		failover("service: x"), failover("service: x, kill: y"), failover("kill: x, start: y"), failover("kill: x, start: y, running: z"), failover("link: eth0, confirm: a"),
		failover("stop: x, start: y, running: z, by: b, observers: [b]"), failover("service: x, port: 80, http: /, status: 301, whole: \"true\", heals: true, for: 1s, within: 10m"),
		asked("command: ceph -s"), failover("service: x, failback: \"true\", load: ping 10.0.0.9"), asked("command: \"a\\tb\\nc\", timeout: 1m"), failover("service: x, timeout: 3s"),
		failover("promoter: linstor_db, within: 1m"), failover("promoter: r0, whole: \"true\", failback: \"true\", for: 2s"), failover("stop: x, start: y, running: z, by: b, ha: vm:101"), failover("link: e, by: b, ha: ct:1001"),
		vm("on: a, libvirt: db, migrate: {to: b}"), vm("on: a, proxmox: 101, migrate: {to: b}"), vm("on: a, proxmox: 101, migrate: {to: b, transport: insecure, disks: copy}"), vm("on: a, libvirt: db, migrate: {to: b, disks: copy}"), vm("on: a, libvirt: db, migrate: {to: b, transport: tcp, address: \"fd00::9\"}"),
		vm("on: a, libvirt: db, migrate: {to: b, address: db.lan, load: 1g}"),
		vm("on: a, libvirt: db, os: linux"), vm("on: a, proxmox: 105, os: windows"), vm("measure: {directories: ['D:\\bench', 'E:\\']}, os: windows, on: a, libvirt: win"),
		vm("on: a, libvirt: win, os: windows, migrate: {to: b}"), vm("clone: {domain: db, on: a}, os: linux"),
		vm("clone: {domain: db, on: a}"), vm("clone: {template: 9000, count: 3, on: [a, b], full: true}, measure: {directories: [/srv]}, labels: {x: 1}"), vm("clone: {template: \"9000\", on: [a]}"),
		vm("clone: {image: /srv/images/debian-12.qcow2, pool: images, on: a}"), vm("clone: {image: /d.img, storage: local-lvm, on: a}"), vm("clone: {image: /d.raw, pool: 1, on: [a, b], count: 2, memory: 512M, cpus: 1, disk: 20GiB, bridge: br0, packages: []}"),
		vm("clone: {image: \"http://10.0.0.9:8000/d.qcow2\", sha512: " + strings.Repeat("0f", 64) + ", pool: p, on: a, packages: [fio, g++]}"),
		vm("clone: {image: \"https://x.lan/a%20b/d.qcow2\", sha256: " + strings.Repeat("A1", 32) + ", pool: p, on: a}"),
	} {
		if _, err := Read("x", []byte(right), all.Kinds()...); err != nil || judge(s, []byte(right)) != nil {
			t.Errorf("%s\nis right, but %v, %v", right, err, judge(s, []byte(right)))
		}
	}
	for _, text := range []string{
		"", "[]", "hosts", "hosts:", "hosts: {}", "hosts: [a]", "host: {a: 10.0.0.1}", "hosts: {a: 10.0.0.1}\nmore: 1",
		"hosts: {a;reboot: 10.0.0.1}", "hosts: {-a: 10.0.0.1}", "hosts: {\"\": 10.0.0.1}", "hosts: {ä: 10.0.0.1}",
		"hosts: {a: 10.0.0.256}", "hosts: {a: 1.5}", "hosts: {a: 1}", "hosts: {a: true}", "hosts: {a: [10.0.0.1]}",
		"hosts: {a: u@h}", "hosts: {a: \"h:22\"}", "hosts: {a: -h}", "hosts: {a: h h}", "hosts: {a: \"h;id\"}", "hosts: {a: fe80::1%a/b}",
		host("user: -l"), host("user: 3"), host("user: \"a b\""), host("user: "), host("port: 0"), host("port: 65536"), host("port: ssh"),
		host("port: 2.5"), host("port: \"22\""), host("sudo: yes"), host("sudo: 1"), host("labels: [a]"), host("labels: {a b: 1}"),
		host("labels: {a: }"), host("labels: {a: \"\"}"), host("labels: {a: [1]}"), host("labels: {a: \"x\\ty\"}"), host("measure: [a]"),
		host("measure: {directories: /srv}"), host("measure: {directories: [srv]}"), host("measure: {directories: [/srv, /srv]}"),
		host("measure: {directories: [\"/a\\nb\"]}"), host("measure: {devices: [/srv]}"), host("measure: {drives: [/dev/sda]}"),
		host("ssh: x"), host("ssh: {config: \"\"}"), host("ssh: {config: -F}"), host("ssh: {file: x}"), host("name: b"),
		"defaults: {address: h}\nhosts: {a: 10.0.0.1}", "defaults: {port: x}\nhosts: {a: 10.0.0.1}", "defaults: \nhosts: {a: 10.0.0.1}",
		network("rate: 10" + two), network("rate: 10GB" + two), network("rate: 0G" + two), network("mtu: 575" + two), network("mtu: 65536" + two),
		network("mtu: 9k" + two), network("kind: mesh" + two), network("kind: " + two), network("subnet: 10.0.1.0" + two), network("rate: 10G"),
		network("hosts: {a: 10.0.1.1}"), network("hosts: {}"), network("hosts: [a, b]"), network("hosts: {a: x.lan, b: 10.0.1.2}"),
		network("hosts: {a: , b: 10.0.1.2}"), network("hosts: {a: fe80::1%eth0, b: 10.0.1.2}"), network("kind: ring" + two),
		network("kind: point-to-point, hosts: {a: 10.0.1.1, b: 10.0.1.2, c: 10.0.1.3}"), network("speed: 10G" + two),
		set("networks: "), set("networks: [n]"), set("groups: {g: a}"), set("groups: {g: []}"), set("groups: {g: [a, a]}"), set("groups: {g: [1]}"),
		set("groups: {a b: [a]}"), set("resources: {r: [a]}"), set("resources: {r: {}}"), set("resources: {r: {hosts: [a]}}"),
		set("resources: {r: {hosts: [a, a]}}"), set("resources: {r: {networks: []}}"), set("resources: {r: {group: [a]}}"),
		pool("{directories: []}"), pool("{directories: /srv}"), pool("{directories: [srv]}"), pool("{directories: [/srv, /srv]}"), pool("{directories: [1]}"),
		tier(""), tier("host: a"), tier("directory: /srv"), tier("host: a, directory: srv"), tier("host: a, node: n1, directory: /srv"), tier("host: a, pvc: {}"),
		tier("hostpath: /x"), tier("pvc: {}, ephemeral: {}"), tier("pvc: {size: 5GB}"), tier("pvc: {size: 0}"), tier("pvc: {class: A}"), tier("pvc: {access: ROX}"),
		tier("pvc: {mode: block}"), tier("nodes: [n1, n1], pvc: {}"), tier("node: N1, pvc: {}"), tier(device + "}"), tier(device + ", serial: a, backing: /b}"),
		tier("node: n1, device: {path: /srv/x, serial: a}"), tier("device: {path: /dev/sda, serial: a}"), tier("s3: {}"), tier("s3: {endpoint: s3.lan}"),
		tier("s3: {endpoint: \"http://k:s@s3.lan\"}"), tier(s3 + ", credentials: AKIA}"), tier(s3 + ", garage: {admin: \"http://a\"}}"),
		tier(s3 + ", garage: {admin: \"http://a\", token: s3cr3t}}"), tier(s3 + ", style: dns}"), tier(s3 + "}, speed: 1"),
		kubernetes("pull: never"), kubernetes("requests: {gpu: 1}"), kubernetes("tolerations: [\"a b\"]"), kubernetes("image: \"-x\""), kubernetes("host-network: 1"),
		"kubernetes: {}\nhosts: {a: 10.0.0.1}\ntiers: []", "tiers: {\"a b\": {pvc: {}}}\nkubernetes: {}",
		vm(""), vm("on: [a]"), vm("proxmox: 101"), vm("on: a, proxmox: 99"), vm("on: a, proxmox: web"), vm("on: a, libvirt: \"-c\""),
		vm("on: a, libvirt: \"a;reboot\""), vm("on: a, libvirt: db, proxmox: 101"), vm("on: a, libvirt: db, address: 10.0.0.9"), vm("on: a, libvirt: db, port: 23"),
		vm("clone: 9000"), vm("clone: {}"), vm("clone: {on: a}"), vm("clone: {domain: db}"), vm("clone: {domain: -c, on: a}"), vm("clone: {template: 99, on: a}"),
		vm("clone: {domain: db, template: 9000, on: a}"), vm("clone: {domain: db, on: []}"), vm("clone: {domain: db, on: [a, a]}"), vm("clone: {domain: db, on: a, count: 0}"),
		vm("clone: {domain: db, on: a, count: 65}"), vm("clone: {domain: db, on: a, full: true}"), vm("clone: {template: 9000, on: a, full: yes}"), vm("clone: {domain: db, on: a, size: 1}"),
		clouded(""), clouded("image: /d.qcow2, on: a"), clouded("image: /d.qcow2, on: a, pool: p, storage: p"), clouded("template: 9000, on: a, storage: p"), clouded("image: /d.qcow2, pool: p"), clouded("image: /d.qcow2, pool: p, on: a, domain: db"), clouded("image: /d.qcow2, pool: p, on: a, template: 9000"),
		clouded("domain: db, on: a, pool: p"), clouded("template: 9000, on: a, memory: 1G"), clouded("image: d.qcow2, pool: p, on: a"), clouded("image: /d/../e.qcow2, pool: p, on: a"), clouded("image: /d e.qcow2, pool: p, on: a"),
		clouded("image: /d.qcow2.xz, pool: p, on: a"), clouded("image: /d.qcow2, pool: -p, on: a"), clouded("image: /d.qcow2, pool: p, on: a, full: true"), clouded("image: 9000, pool: p, on: a"),
		clouded("image: \"https://x.lan/d.qcow2\", pool: p, on: a"), clouded("image: \"https://x.lan/d.qcow2\", pool: p, on: a, sha512: abc"), clouded("image: \"ftp://x.lan/d\", pool: p, on: a, sha256: " + strings.Repeat("A1", 32)),
		clouded("image: \"https://x.lan/d\", pool: p, on: a, sha256: " + strings.Repeat("A1", 32) + ", sha512: " + strings.Repeat("A1", 64)), clouded("image: \"https://u:s@x.lan/d\", pool: p, on: a, sha256: " + strings.Repeat("A1", 32)),
		clouded("image: \"https://x.lan/d?token=s\", pool: p, on: a, sha256: " + strings.Repeat("A1", 32)), clouded("image: /d.qcow2, pool: p, on: a, sha256: " + strings.Repeat("A1", 32)),
		clouded("image: /d.qcow2, pool: p, on: a, memory: 2"), clouded("image: /d.qcow2, pool: p, on: a, memory: 2GB"), clouded("image: /d.qcow2, pool: p, on: a, cpus: 0"), clouded("image: /d.qcow2, pool: p, on: a, disk: big"),
		clouded("image: /d.qcow2, pool: p, on: a, bridge: \"br 0\""), clouded("image: /d.qcow2, pool: p, on: a, packages: fio"), clouded("image: /d.qcow2, pool: p, on: a, packages: [-y]"),
		vm("clone: {domain: db, on: a}, on: a"), vm("clone: {domain: db, on: a}, libvirt: db"), vm("clone: {domain: db, on: a}, address: 10.0.0.9"),
		vm("on: a, libvirt: db, migrate: b"), vm("on: a, libvirt: db, migrate: {}"), vm("on: a, libvirt: db, migrate: {to: b, transport: rdma}"), vm("on: a, libvirt: db, migrate: {to: b, disks: move}"),
		vm("on: a, libvirt: db, migrate: {to: b, address: -c}"), vm("on: a, libvirt: db, migrate: {to: b, load: 64M}"),
		vm("on: a, libvirt: db, migrate: {to: b, address: db.lan, load: 64}"), vm("on: a, libvirt: db, migrate: {to: b, address: db.lan, load: 0M}"),
		vm("on: a, libvirt: db, migrate: {to: b, address: db.lan, load: 64M/s}"), vm("on: a, libvirt: db, migrate: {to: b, address: db.lan, load: 999999G}"),
		vm("on: a, os: windows"), vm("on: a, libvirt: win, os: bsd"), vm("on: a, libvirt: win, os: Windows"), vm("clone: {domain: win, on: a}, os: windows"), vm("on: a, address: 10.0.0.9, os: windows"),
		vm("on: a, libvirt: db, measure: {directories: ['D:\\bench']}"), vm("on: a, libvirt: win, os: windows, measure: {directories: [/srv]}"), vm("on: a, libvirt: win, os: windows, measure: {directories: ['D:\\a\"; Remove-Item']}"),
		vm("on: a, libvirt: win, os: windows, measure: {directories: ['D:\\a', 'D:\\a']}"), vm("on: a, libvirt: win, os: windows, measure: {devices: [/dev/sda]}"), vm("on: a, libvirt: win, os: windows, measure: {directories: ['D:\\a\\..\\b']}"),
		vm("on: a, libvirt: win, os: windows, migrate: {to: b, address: win.lan}"), host("os: windows"),
		vm("on: a, proxmox: 101, migrate: {to: b, transport: ssh}"), vm("on: a, libvirt: db, migrate: {to: b, transport: secure}"), vm("on: a, migrate: {to: b}"),
		failover(""), failover("service: x, link: y"), failover("service: -x"), failover("kill: x"), failover("stop: x"), failover("stop: x, start: y"), failover("service: x, start: y"),
		failover("link: \"a b\""), failover("link: e, running: x"), failover("service: x, port: 0"), failover("service: x, status: 200"), failover("service: x, http: healthz"),
		failover("promoter: x, link: y"), failover("promoter: -x"), failover("promoter: x, start: y"), failover("service: x, ha: vm:101"), failover("link: x, ha: vm:101"), failover("stop: x, start: y, running: z, ha: 101"), failover("ha: vm:101"),
		failover("service: x, heals: true"), failover("service: x, observers: []"), failover("service: x, observers: [b, b]"), failover("service: x, for: 5"), failover("service: x, within: 2h"),
		failover("service: x, speed: 1"), asked("for: 5s"), asked("command: a, port: 80"), asked("command: a, http: /"), asked("command: a, status: 200"), asked("command: a, address: 10.0.0.9"),
		asked("command: \"\""), failover("service: x, failback: \"\""), failover("service: x, whole: \"\""), failover("service: x, load: \"\""), asked("command: [a]"), asked("command: \"a\\x1bb\""), asked("command: \"a\\rb\""), asked("command: a, timeout: 5"), set("failover: {f: {address: 10.0.0.9, service: x}}"), set("failover: [f]"),
		set("failover: {f: {host: a, service: x, address: -f}}"), set("failover: {\"a b\": {host: a, service: x, address: 10.0.0.9}}"),
		vm("on: a, esxi: db"), set("vms: [a]"), set("vms: {v: 10.0.0.9}"), set("vms: {\"a b\": {on: a}}"),
		pool("{directories: [/srv], hosts: [a]}"), pool("{directories: [\"/srv\\n\"]}"),
	} {
		if _, err := Read("x", []byte(text), all.Kinds()...); err == nil {
			t.Errorf("%s\nis read", text)
		}
		if judge(s, []byte(text)) == nil {
			t.Errorf("%s\nis valid by the schema", text)
		}
	}
}

// object holds as much of a schema as the comparison needs.
type object struct {
	Type                 any      `json:"type"`
	Ref                  string   `json:"$ref"`
	Pattern              string   `json:"pattern"`
	Enum                 []string `json:"enum"`
	Minimum, Maximum     float64
	Description          string             `json:"description"`
	Properties           map[string]*object `json:"properties"`
	AdditionalProperties any                `json:"additionalProperties"`
	AnyOf                []*object          `json:"anyOf"`
	Defs                 map[string]*object `json:"$defs"`
}

// The schema has exactly the fields of the Go types and of the reader, each
// with a description.
func TestTheSchemaKnowsEveryField(t *testing.T) {
	var root object
	if err := json.Unmarshal(Schema(all.Kinds()...), &root); err != nil {
		t.Fatal(err)
	}
	compare := func(what string, o *object, typ reflect.Type, less, more []string) {
		t.Helper()
		var want []string
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if slices.Contains(less, name) {
				continue
			}
			want = append(want, name)
			if p := o.Properties[name]; p != nil && p.Ref == "" && p.AnyOf == nil && jsonType(typ.Field(i).Type) != p.Type && name != "rate" {
				t.Errorf("%s.%s is %v in the schema, %s in Go", what, name, p.Type, typ.Field(i).Type)
			}
		}
		want = append(want, more...)
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(o.Properties)); !slices.Equal(got, want) {
			t.Errorf("%s has %q in the schema, %q in Go", what, got, want)
		}
		if o.AdditionalProperties != false {
			t.Errorf("%s takes any key", what)
		}
		for name, p := range o.Properties {
			if p.Description == "" && p.Ref == "" {
				t.Errorf("%s.%s has no description", what, name)
			}
		}
	}
	compare("the file", &root, reflect.TypeFor[Cluster](), []string{"file"}, []string{"defaults", "vms"})
	compare("Host", root.Defs["Host"], reflect.TypeFor[Host](), []string{"name", "guest"}, nil)
	compare("defaults", root.Properties["defaults"], reflect.TypeFor[Host](), []string{"name", "address", "guest"}, nil)
	var ways []string
	for _, k := range guest.Kinds {
		ways = append(ways, k.Word)
		if p := root.Defs["VM"].Properties[k.Word]; p == nil || p.Pattern != k.Pattern() {
			t.Errorf("the schema has %+v of VMs of the kind %s, Go has %s", p, k.Word, k.Pattern())
		}
	}
	compare("VM", root.Defs["VM"], reflect.TypeFor[Host](), []string{"name", "guest"}, append(ways, "on", "migrate", "clone", "os"))
	clone := root.Defs["VM"].Properties["clone"]
	for _, k := range guest.Kinds {
		if p := clone.Properties[k.Template]; p == nil || p.Pattern != k.Pattern() {
			t.Errorf("the schema has %+v of clones of the kind %s, Go has %s", p, k.Word, k.Pattern())
		}
	}
	for name, pattern := range map[string]*lazyregexp.Regexp{"pool": storageName, "storage": storageName, "sha512": digests["sha512"], "sha256": digests["sha256"], "bridge": bridgeName} {
		if p := clone.Properties[name]; p == nil || p.Pattern != pattern.String() {
			t.Errorf("the schema has %+v of %s, Go has %s", p, name, pattern)
		}
	}
	if p := clone.Properties["count"]; p.Minimum != 1 || p.Maximum != mostClones {
		t.Errorf("count from %g to %g", p.Minimum, p.Maximum)
	}
	compare("migrate", root.Defs["VM"].Properties["migrate"], reflect.TypeFor[Migrate](), nil, nil)
	compare("Failover", root.Defs["Failover"], reflect.TypeFor[failover.Entry](), []string{"name"}, nil)
	compare("Measure", root.Defs["Measure"], reflect.TypeFor[Measure](), nil, nil)
	compare("SSH", root.Defs["SSH"], reflect.TypeFor[SSH](), nil, nil)
	compare("Network", root.Defs["Network"], reflect.TypeFor[Network](), []string{"name"}, nil)
	compare("Resource", root.Defs["Resource"], reflect.TypeFor[Resource](), []string{"name"}, nil)

	tier := root.Defs["Tier"]
	words := []string{"host", "hosts", "node", "nodes"}
	for _, k := range all.Kinds() {
		words = append(words, k.Word)
		declared(t, k.Word, tier.Properties[k.Word], reflect.TypeOf(k.New()).Elem())
	}
	slices.Sort(words)
	if got := slices.Sorted(maps.Keys(tier.Properties)); !slices.Equal(got, words) {
		t.Errorf("a tier has %q in the schema, the reader reads %q", got, words)
	}
	declared(t, "Overwritten", root.Defs["Overwritten"], reflect.TypeFor[device.Device]())
	declared(t, "Kubernetes", root.Defs["Kubernetes"], reflect.TypeFor[Kubernetes]())

	reads := slices.Sorted(maps.Keys(new(reader).hostFields(new(Host))))
	if schema := slices.Sorted(maps.Keys(root.Defs["Host"].Properties)); !slices.Equal(reads, schema) {
		t.Errorf("a host has %q in the schema, the reader reads %q", schema, reads)
	}
	var kinds []string
	for _, k := range networkKinds {
		kinds = append(kinds, string(k))
	}
	if got := root.Defs["Network"].Properties["kind"].Enum; !slices.Equal(got, kinds) {
		t.Errorf("kinds %q in the schema, %q in Go", got, kinds)
	}
}

// declared compares a schema with the yaml tags of a type.
func declared(t *testing.T, what string, o *object, typ reflect.Type) {
	t.Helper()
	if o == nil || o.Description == "" && what != "Kubernetes" {
		t.Errorf("%s has no description in the schema", what)
		return
	}
	var want []string
	for _, field := range reflect.VisibleFields(typ) {
		key := field.Tag.Get("yaml")
		if key == "" {
			continue
		}
		want = append(want, key)
		p := o.Properties[key]
		if p == nil {
			continue
		}
		if p.Description == "" && p.Ref == "" {
			t.Errorf("%s.%s has no description", what, key)
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && p.Ref == "" {
			declared(t, what+"."+key, p, inner)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(o.Properties)); !slices.Equal(got, want) {
		t.Errorf("%s has %q in the schema, %q in Go", what, got, want)
	}
	if len(want) > 0 && o.AdditionalProperties != false {
		t.Errorf("%s takes any key", what)
	}
}

func jsonType(t reflect.Type) any {
	switch t.Kind() {
	case reflect.Int:
		return "integer"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		if t.Elem() == reflect.TypeFor[End]() {
			return "object"
		}
		if t.Elem().Kind() == reflect.Struct {
			return "object"
		}
		return "array"
	case reflect.Map:
		return "object"
	case reflect.Pointer:
		return "object"
	case reflect.Struct:
		if t.PkgPath() == "net/netip" {
			return "string"
		}
		return "object"
	}
	return "string"
}

// The patterns exist twice, in Go and in the schema.
func TestTheSchemaHasTheSamePatterns(t *testing.T) {
	var root object
	if err := json.Unmarshal(Schema(all.Kinds()...), &root); err != nil {
		t.Fatal(err)
	}
	host, network := root.Defs["Host"].Properties, root.Defs["Network"].Properties
	for what, pair := range map[string][2]string{
		"name":          {root.Defs["Name"].Pattern, namePattern.String()},
		"address":       {root.Defs["Address"].AnyOf[3].Pattern, addressPattern.String()},
		"zoned address": {root.Defs["Address"].AnyOf[2].Pattern, zonedPattern.String()},
		"user":          {host["user"].Pattern, userPattern.String()},
		"rate":          {network["rate"].Pattern, strings.ReplaceAll(ratePattern.String(), "(?:", "(")},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s in the schema, %s in Go", what, pair[0], pair[1])
		}
	}
	if p := host["port"]; p.Minimum != leastPort || p.Maximum != mostPort {
		t.Errorf("port from %g to %g", p.Minimum, p.Maximum)
	}
	if m := network["mtu"]; m.Minimum != leastMTU || m.Maximum != mostMTU {
		t.Errorf("mtu from %g to %g", m.Minimum, m.Maximum)
	}
}

// The schema and Go agree on what a Windows directory looks like.
func TestDirectoriesOfWindows(t *testing.T) {
	var root struct {
		Defs struct {
			WindowsMeasure struct {
				Properties struct {
					Directories struct {
						Items struct {
							Pattern   string
							MaxLength int
						}
					}
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	if items := root.Defs.WindowsMeasure.Properties.Directories.Items; items.Pattern != winpath.Pattern || items.MaxLength != winpath.Longest {
		t.Errorf("the schema has %+v, Go has %s", items, winpath.Pattern)
	}
}

// A Windows guest measures only its own directories, not those in defaults.
func TestGuestsOfWindows(t *testing.T) {
	c, err := Read("x", []byte("defaults: {measure: {directories: [/srv]}, user: root}\nhosts: {a: 10.0.0.1}\nvms:\n  win: {on: a, proxmox: 105, os: windows, measure: {directories: ['D:\\bench']}}\n  bare: {on: a, proxmox: 106, os: windows}\n"), all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	if win := c.Host("win"); !win.Windows() || !slices.Equal(win.Measure.Directories, []string{`D:\bench`}) || win.User != "" {
		t.Errorf("%+v", win)
	}
	if bare := c.Host("bare"); !bare.Windows() || len(bare.Measure.Directories) > 0 {
		t.Errorf("%+v", bare)
	}
	if c.Host("a").Windows() {
		t.Error("a host runs Windows")
	}
}
