package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"assay"
	"assay/store"
	"assay/store/anonymise"
	"assay/store/storetest"
)

// owned is what identifies a run's owner, as drawn for one.
type owned struct {
	hosts                                      [2]string
	user, dir, serial, mac, ip, ip6, uuid, wwn string
	file, id                                   string
}

func (o owned) all() []string {
	return []string{o.hosts[0], o.hosts[1], o.user, o.dir, o.serial, o.mac, o.ip, o.ip6, o.uuid, o.wwn, o.file, o.id}
}

func anyOwned(t *rapid.T, n int) owned {
	word := func(form, what string) string { return rapid.StringMatching(form).Draw(t, what) }
	number := func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "number") }
	return owned{
		hosts:  [2]string{word(`q[a-z]{4,8}[0-9]{1,2}`, "host"), word(`z[a-z]{3,6}-[a-z]{2,4}[0-9]`, "host")},
		user:   word(`u[a-z]{5,9}[0-9]`, "user"),
		dir:    word(`D[A-Za-z]{6,9}`, "dir"),
		serial: word(`S[0-9A-Z]{3}NX[0-9A-Z]{6}`, "serial"),
		mac:    word(`(bc|3e)(:[0-9a-f][1-9a-f]){5}`, "mac"),
		ip:     fmt.Sprintf("10.%d.%d.%d", number(100, 255), number(100, 255), number(100, 255)),
		ip6:    word(`fd[1-9a-f]{2}:[1-9a-f]{4}::[1-9a-f]{4}`, "ip6"),
		uuid:   word(`[1-9a-f]{8}-[1-9a-f]{4}-[1-9a-f]{4}-[1-9a-f]{4}-[1-9a-f]{12}`, "uuid"),
		wwn:    "5" + word(`[a-f][0-9a-f]{14}`, "wwn"),
		file:   "/etc/" + word(`k[a-z]{5,9}`, "file") + "/cluster.yaml",
		id:     fmt.Sprintf("20261121-200512-%06x", n+0xabcd00),
	}
}

// texts returns lines as tools print them, with all of it.
func (o owned) texts() []string {
	home := "/home/" + o.user + "/" + o.dir
	return []string{
		o.hosts[0] + ":" + home + "/x rw", "ssh " + o.user + "@" + o.hosts[1] + " from " + o.ip,
		"(" + strings.ToUpper(o.hosts[1]) + ".lan," + o.hosts[0] + "_backup)", "vm-" + o.hosts[0] + "-disk",
		"Serial Number:    " + o.serial, "nvme-ACME_" + o.serial + "_1", `{"mac":"` + o.mac + `","addr":"` + o.ip + `/24"}`,
		"link/ether " + strings.ToUpper(o.mac) + " inet6 " + o.ip6 + "/64", "UUID=" + o.uuid, "boot_id=" + o.uuid, "wwn-0x" + o.wwn,
		"read " + o.file + ": no", "ASSAY_RUN=" + o.id, ".assay-" + o.id + "-0", "[" + o.ip6 + "]:22", o.ip + ":5201",
	}
}

// strew puts lines into all texts of a value except assay's own words.
func strew(t *rapid.T, v reflect.Value, lines []string) {
	one := func() string { return rapid.SampledFrom(lines).Draw(t, "line") }
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			strew(t, v.Elem(), lines)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("\xff\x00" + one() + "\n" + one()))
			return
		}
		for i := range v.Len() {
			strew(t, v.Index(i), lines)
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.String {
			v.SetMapIndex(reflect.ValueOf(one()), reflect.ValueOf(one()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if strings.HasPrefix(v.Type().Name()+"."+v.Type().Field(i).Name, "Inventory.Facts") {
				continue
			}
			if v.Field(i).CanSet() && v.Type().PkgPath() == "assay" {
				strew(t, v.Field(i), lines)
			}
		}
	}
}

// In any run and any field, nothing that identifies its owner is in the bytes
// of the file, packed or not; and equal things stay equal.
func TestNothingOfItsOwnersIsInTheFile(t *testing.T) {
	st, ctx, count := fresh(t), context.Background(), 0
	rapid.Check(t, func(rt *rapid.T) {
		count++
		o := anyOwned(rt, count)
		run := storetest.AnyRun(rt, o.id)
		strew(rt, reflect.ValueOf(&run).Elem(), o.texts())
		run.ID = o.id
		run.Labels = map[string]string{"at." + o.hosts[0]: o.user + "@" + o.hosts[1]}
		run.Remarks = []assay.Remark{{Text: o.texts()[1]}}
		run.Suite = "quick"
		run.Inventory.File = o.file
		run.Inventory.Hosts = []assay.Host{{Name: o.hosts[0], Labels: map[string]string{"owner": o.user}}, {Name: o.hosts[1]}}
		run.Inventory.Facts = map[string]assay.Facts{o.hosts[0]: {Host: o.hosts[0],
			Block: []assay.BlockDevice{{Name: "sda", Serial: o.serial}},
			Dirs:  []assay.DirFacts{{Path: "/home/" + o.user + "/" + o.dir + " with blanks"}}}}
		for i := range run.Results {
			r := &run.Results[i]
			r.Trial.ID = fmt.Sprintf("fio/case-%d@%s/directory//home/%s/%s", i, o.hosts[0], o.user, o.dir)
			for n := range r.Repeats {
				r.Repeats[n].Transcript.Steps = []assay.Step{{Name: "measure", Argv: []string{"fio", o.texts()[0]},
					Output: assay.Output{Stdout: []byte(strings.Join(o.texts(), "\n"))}}}
				r.Repeats[n].N = n
			}
		}
		if err := st.Take(ctx, func(to store.Taker) error { return store.Pass(run, to) }); err != nil {
			rt.Fatal(err)
		}
		names := anonymise.New()
		names.Rename(o.id, "other-id")
		var file bytes.Buffer
		if err := Export(ctx, st, []string{o.id}, &file, names); err != nil {
			rt.Fatal(err)
		}
		d, err := zstd.NewReader(bytes.NewReader(file.Bytes()))
		must(t, err)
		defer d.Close()
		plain, err := io.ReadAll(d)
		must(t, err)
		for _, original := range o.all() {
			for _, text := range [][]byte{file.Bytes(), plain} {
				if i := bytes.Index(bytes.ToLower(text), []byte(strings.ToLower(original))); i >= 0 {
					rt.Fatalf("%q is in the file: …%s…", original, text[max(i-60, 0):min(i+80, len(text))])
				}
			}
		}
		var got held
		r, err := NewReader(&file)
		must(t, err)
		defer r.Close()
		if err := r.Next(&got); err != nil {
			rt.Fatal(err)
		}
		clean := got.runs[0]
		if clean.ID != "other-id" || len(clean.Results) != len(run.Results) || clean.Inventory.Facts["host1"].Host != "host1" || clean.Inventory.Hosts[1].Name != "host2" {
			rt.Fatalf("what was one thing is no longer: %+v", clean.Inventory)
		}
		for i, r := range clean.Results {
			if want := fmt.Sprintf("fio/case-%d@host1/directory//home/user1/dir", i); !strings.HasPrefix(r.Trial.ID, want) {
				rt.Fatalf("trial %s, want %s…", r.Trial.ID, want)
			}
		}
	})
}
