package anonymise

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

// Every field that holds text is classified: a field added to a noun fails here
// until somebody has thought about it.
func TestEveryFieldIsClassified(t *testing.T) {
	found := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var holdsText func(reflect.Type) bool // itself, not in fields of nested structs
	holdsText = func(at reflect.Type) bool {
		switch at.Kind() {
		case reflect.String:
			return true
		case reflect.Slice, reflect.Pointer:
			return at.Elem().Kind() == reflect.Uint8 || holdsText(at.Elem())
		case reflect.Map:
			return holdsText(at.Key()) || holdsText(at.Elem())
		}
		return false
	}
	var walk func(reflect.Type)
	walk = func(at reflect.Type) {
		switch at.Kind() {
		case reflect.Slice, reflect.Pointer:
			walk(at.Elem())
		case reflect.Map:
			if at.Key().Kind() != reflect.String {
				t.Errorf("%v: a key of this kind is not learnt", at)
			}
			walk(at.Elem())
		case reflect.Struct:
			if seen[at] || at == reflect.TypeFor[time.Time]() {
				return
			}
			seen[at] = true
			for i := range at.NumField() {
				f := at.Field(i)
				if holdsText(f.Type) {
					found[at.Name()+"."+f.Name] = true
				}
				walk(f.Type)
			}
		case reflect.Interface, reflect.Array, reflect.Chan, reflect.Func:
			t.Errorf("%v cannot be cleaned", at)
		}
	}
	walk(reflect.TypeFor[assay.Run]())
	for name := range found {
		if fields[name] == unclassified {
			t.Errorf("%s holds text, and fields does not say of what class", name)
		}
	}
	for name := range fields {
		if !found[name] {
			t.Errorf("fields has %s, and no type has", name)
		}
	}
}

func TestTexts(t *testing.T) {
	run := assay.Run{
		ID: "20261121-200512-abcdef",
		Inventory: assay.Inventory{
			Hosts: []assay.Host{{Name: "pve1"}, {Name: "pve2.home.example.net"}, {Name: "pve10"}, {Name: "fio"}, {Name: "nas"}, {Name: "localhost"}},
			File:  "/srv/secret/cluster.yaml",
			Facts: map[string]assay.Facts{"pve1": {Host: "pve1",
				Block: []assay.BlockDevice{{Serial: "S64DNX0R123456"}, {Serial: "12345678"}, {Serial: "0000"}},
				Dirs:  []assay.DirFacts{{Path: "/home/anna/my files"}, {Path: `D:\kunde-x\bench`}}}},
		},
		Results: []assay.Result{{Trial: assay.Trial{From: "blogs/anna.md:12"}}},
		Notes:   []assay.Note{{Text: "Serial Number:    WD-XYZ99; \"serial_number\": \"JSON77\"; /home/bert/x; USER=carla; dora@pve1; mail@example.com; C:\\Users\\Gerd Müller\\bench; dd/randread@pve1 dd/write@pve2.home.example.net"}},
	}
	n := New("emil")
	n.Rename(run.ID, "new-id")
	n.Learn(run)
	_ = Clean(n, run)
	for _, c := range []struct{ in, want string }{
		{"nothing to see: IOPS=1234, 0.5 µs", "nothing to see: IOPS=1234, 0.5 µs"},
		{"pve1 PVE1 pve10 xpve1y pve1.lan pve1.", "host1 host1 host3 xhost1y host1 host1."},
		{"pve2 pve2.home.example.net home.example.net", "host2 host2 example.org"},
		{"fio fiona storage.fio nas nasty", "host4 fiona storage.host4 host5 nasty"}, // a vocabulary word, and a short one
		{"run 20261121-200512-abcdef+ffff", "run new-id+ffff"},
		{"nvme-Samsung_S64DNX0R123456 s64dnx0r123456", "nvme-Samsung_SERIAL0001 SERIAL0001"},
		{"12345678 123456789 0000", "SERIAL0002 123456789 0000"},
		{"WD-XYZ99 JSON77", "SERIAL0003 SERIAL0004"},
		{"anna bert carla dora emil", "user1 user2 user3 user4 user6"},
		{`D\:\Users\Gerd Müller\x "C\\:\\Users\\gerd müller\\x" C:\Users\Gerd Müller`, `D\:\Users\user5\x "C\\:\\Users\\user5\\x" C:\Users\user5`},
		{`--filename=D\:\kunde-x\bench\data`, `--filename=D\:\dir2\bench\data`},
		{"blogs/anna.md:3: unread", "file2.md:3: unread"},
		{"-f /srv/secret/cluster.yaml", "-f /file1.yaml"},
		{"10.0.0.1 10.0.0.12 10.0.0.1:22 v10.0.0.1/24", "192.0.2.1 192.0.2.2 192.0.2.1:22 v192.0.2.1/24"},
		{"127.0.0.1 0.0.0.0 255.255.255.0 1.2.3 999.1.1.1", "127.0.0.1 0.0.0.0 255.255.255.0 1.2.3 999.1.1.1"},
		{"fd00:1::5 fe80::1%eth0 [fd00:1::5]:22 ::1 12:34:56 a::b::c std::end", "2001:db8::1 2001:db8::2%eth0 [2001:db8::1]:22 ::1 12:34:56 a::b::c std::end"},
		{"0000:01:00.0", "0000:01:00.0"},
		{"aa:bb:cc:dd:ee:0f AA-BB-CC-DD-EE-0F ff:ff:ff:ff:ff:ff", "02:00:00:00:00:01 02-00-00-00-00-01 ff:ff:ff:ff:ff:ff"},
		{"enxaabbccddee0f", "enx020000000001"},
		{"39c10b95-7335-4315-9e41-cc0e028f8748", "00000000-0000-4000-8000-000000000001"},
		{"LU WWN Device Id: 5 002538 e4034d4b9", "LU WWN Device Id: 5000000000000001"},
		{"wwn-0x5002538e4034d4b9 eui.0025385b11b0a1c2", "wwn-0x5000000000000002 eui.5000000000000003"},
		{`"wwn": {"naa": 5, "oui": 9528, "id": 61204123}`, `"wwn": {"naa": 5, "oui": 9528, "id": 1}`},
		{"/dev/disk/by-id/ata-Foo_123 x", "/dev/disk/by-id/disk1 x"},
		{"/home/anna/my files/deep x", "/home/user1/dir1/dir4 x"},
		{"/home/ubuntu/a, /home/anna/a", "/home/user7/dir5, /home/user1/dir5"},
		{"iqn.2001-04.com.acme:disk.1", "iqn.2000-01.org.example:1"},
		{"mail@example.com", "mail1@example.org"},
		{"dd/randread@pve1/directory//srv dd/write@pve2.home.example.net", "dd/randread@host1/directory//srv dd/write@host2"},
	} {
		if got := n.text(c.in); got != c.want {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}

// Who mounted a share, and what else ran, is in no other field: it goes, and what the
// kernel and tools say stays.
func TestUsersOfMountsAndProgramsGo(t *testing.T) {
	n := New()
	run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"": {Dirs: []assay.DirFacts{{
		Options: []string{"rw", "relatime", "vers=3.1.1", "username=bob", "domain=QUUX", "lowerdir=/srv/zorblatt", "compress=zstd:3"}}}}}},
		Results: []assay.Result{{Repeats: []assay.Repeat{{Watch: &assay.Watch{
			Busiest: []assay.ProcessTime{{Name: "acme-billing"}, {Name: "fio"}}}}}}},
		Notes: []assay.Note{{Text: "mount error of bob"}}}
	n.Learn(run)
	clean := Clean(n, run)
	options := strings.Join(clean.Inventory.Facts[""].Dirs[0].Options, ",")
	if want := "rw,relatime,vers=3.1.1,username=user1,domain=example.org,lowerdir=/srv/word1,compress=zstd:3"; options != want {
		t.Errorf("options are %s, want %s", options, want)
	}
	busiest := clean.Results[0].Repeats[0].Watch.Busiest
	if busiest[0].Name != "word2-word3" || busiest[1].Name != "fio" {
		t.Errorf("programs are %v", busiest)
	}
	if got := clean.Notes[0].Text; got != "mount error of user1" {
		t.Error(got)
	}
}

// Hosts of one first label stay apart; a host's short name, its full one and one with
// more of its domain are one host if no other begins so.
func TestHostsWithTheSameFirstLabel(t *testing.T) {
	run := assay.Run{Inventory: assay.Inventory{
		Hosts: []assay.Host{{Name: "nas.home"}, {Name: "nas.office"}, {Name: "pve1"}},
		Facts: map[string]assay.Facts{
			"nas.home":   {Host: "nas.home", OS: assay.OSFacts{Hostname: "nas.home.example.net"}},
			"nas.office": {Host: "nas.office", OS: assay.OSFacts{Hostname: "nas"}},
			"pve1":       {Host: "pve1", OS: assay.OSFacts{Hostname: "pve1.example.net"}},
		},
		Networks: []assay.Network{{Name: "storage", Addresses: map[string]string{"pve1": "pve1.storage.lan"}}},
	}}
	for _, h := range run.Inventory.Hosts {
		run.Results = append(run.Results, assay.Result{Trial: assay.Trial{ID: "fio/read@" + h.Name + "/directory//srv"}})
	}
	n := New()
	n.Learn(run)
	clean := Clean(n, run)
	if len(clean.Inventory.Facts) != 3 {
		t.Errorf("facts of %d hosts", len(clean.Inventory.Facts))
	}
	if at := clean.Inventory.Networks[0].Addresses["host3"]; at != "host3" {
		t.Errorf("another domain of pve1: %q", at)
	}
	for i, want := range []struct{ host, hostname string }{{"host1", "host1"}, {"host2", "host4"}, {"host3", "host3"}} {
		got := clean.Inventory.Hosts[i].Name
		if hostname := clean.Inventory.Facts[want.host].OS.Hostname; got != want.host || hostname != want.hostname {
			t.Errorf("%s became %s with the hostname %s", run.Inventory.Hosts[i].Name, got, hostname)
		}
		if id := clean.Results[i].Trial.ID; id != "fio/read@"+got+"/directory//srv" {
			t.Error(id)
		}
	}
}

// A comparison of tiers still tells which is which; their nodes, addresses and
// own names are gone.
func TestTiers(t *testing.T) {
	run := assay.Run{
		ID: "20261121-200512-abcdef",
		Inventory: assay.Inventory{
			Hosts: []assay.Host{{Name: "usb"}, {Name: "pvc@attic"}, {Name: "pvc@cellar"}, {Name: "annas-minio@attic"}},
			Tiers: []assay.Tier{
				{Name: "usb", Kind: "rawblock", Hosts: []string{"usb"}, Nodes: map[string]string{"usb": "attic"}, Set: map[string]string{"device": "/dev/disk/by-id/usb-Acme_77"}},
				{Name: "pvc", Kind: "pvc", Hosts: []string{"pvc@attic", "pvc@cellar"}, Nodes: map[string]string{"pvc@attic": "attic", "pvc@cellar": "cellar"}, Set: map[string]string{"mode": "Block"}},
				{Name: "annas-minio", Kind: "bucket", Hosts: []string{"annas-minio@attic"}},
			},
		},
		Results: []assay.Result{{Trial: assay.Trial{ID: "s3/put-1k@annas-minio@attic/bucket/annas-minio", Title: "PUT of 1 KiB",
			Subject: assay.Subject{Host: "annas-minio@attic", Tier: "annas-minio", Store: &assay.ObjectStore{
				Name: "annas-minio", Endpoints: []string{"https://s3.anna.example.net:9000"},
				Kubernetes: &assay.KubernetesAccess{Kubeconfig: "/home/anna/.kube/config", Context: "annas-attic"}}}}}},
		Notes: []assay.Note{{Text: "pvc@attic: the stick usb of cellar; s3.anna.example.net does not answer; context annas-attic"}},
	}
	n := New()
	n.Learn(run)
	clean := Clean(n, run)
	full, err := json.Marshal(clean) // and no pointers, whose digits are arbitrary
	if err != nil {
		t.Fatal(err)
	}
	text := string(full)
	for _, private := range []string{"attic", "cellar", "anna", "Acme", "77", "example.net"} {
		if strings.Contains(text, private) {
			t.Errorf("%q is left: %s", private, text)
		}
	}
	for _, wanted := range []string{"usb", "pvc@host1", "pvc@host2", `"mode":"Block"`} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%q is gone: %s", wanted, text)
		}
	}
}

// Figures, and anything that identifies nobody, come out as they went in;
// cleaning returns a copy.
func TestFiguresStay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		run := storetest.AnyRun(rt, "id")
		n := New()
		n.Learn(run)
		before := fmt.Sprintf("%#v", run)
		clean := Clean(n, run)
		if fmt.Sprintf("%#v", run) != before {
			rt.Fatal("what is cleaned was changed")
		}
		noText := cmp.FilterValues(func(_, _ string) bool { return true }, cmp.Ignore())
		noBytes := cmp.FilterValues(func(_, _ []byte) bool { return true }, cmp.Ignore())
		noKeys := cmpopts.IgnoreMapEntries(func(string, any) bool { return true })
		if diff := cmp.Diff(run, clean, noText, noBytes, noKeys); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// The first of a kind is number one, each has its own however many there are,
// and no pseudonym equals an original.
func TestPseudonymsAreTheirOwn(t *testing.T) {
	for _, k := range append([]*kind{kindHost, kindDomain, kindUser, kindDirectory, kindSerial, kindMail, kindPlace}, withForms...) {
		n, had := New(), map[string]bool{}
		for i := range 2000 {
			p := n.pseudonym(k, fmt.Sprintf("aa:original-%d", i))
			if had[p] {
				t.Fatalf("%q twice", p)
			}
			had[p] = true
		}
	}
	n := New()
	n.Learn([]assay.Host{{Name: "host1"}, {Name: "host2"}, {Name: "other"}})
	if got := n.text("other host1 host2"); got != "host3 host4 host5" {
		t.Error(got)
	}
}
