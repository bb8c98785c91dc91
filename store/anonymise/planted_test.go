package anonymise

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// planter puts a unique word into every string of a value, in the form of its
// field's class. Texts get all of them.
type planter struct {
	words []string
	texts string
	count int
	alone []string // only in tools' arguments and output, nowhere else
}

func (p *planter) word() string {
	w := fmt.Sprintf("qz%c%c%cword", 'a'+len(p.words)/676%26, 'a'+len(p.words)/26%26, 'a'+len(p.words)%26)
	p.words = append(p.words, w)
	return w
}

func (p *planter) planted(c class) string {
	switch c {
	case fixed:
		return "stays"
	case text, prose:
		return p.texts
	case product:
		return "stays"
	case runID:
		return "20261121-200512-abcdef"
	case option:
		w := fmt.Sprintf("zp%cword", 'a'+len(p.alone)%26)
		p.alone = append(p.alone, w)
		return "username=" + w
	case output:
		w := fmt.Sprintf("zq%c%cword", 'a'+len(p.alone)/26%26, 'a'+len(p.alone)%26)
		p.alone = append(p.alone, w)
		host, mac := fmt.Sprint("zqhost", len(p.alone)), fmt.Sprintf("3e:7a:bc:de:f0:%02x", len(p.alone))
		p.alone = append(p.alone, host, mac, "203.0.113.200", "fd77:abcd", "WD-WZQ", "zqacme")
		return p.texts + " " + strings.Join([]string{w, "/srv/zqacme-" + w + "/data", "root@" + host + ".zqacme.example", mac, "203.0.113.200", "fd77:abcd::17", "WD-WZQ7X" + w, "USER=" + w}, " ")
	case path:
		if p.count++; p.count%2 == 0 {
			return "/srv/" + p.word() + "/data/" + p.word()
		}
		return "/home/" + p.word()
	case file:
		return "/var/lib/" + p.word() + "/" + p.word() + ".img"
	case place:
		return "/etc/cluster.yaml:12"
	case address:
		return "https://" + p.word() + ".example.net:9000"
	}
	return p.word()
}

func (p *planter) plant(v reflect.Value, c class) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(p.planted(c))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.plant(v.Elem(), c)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(p.planted(c)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			p.plant(v.Index(i), c)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		p.plant(key, keyClass(c))
		p.plant(value, c)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			p.plant(v.Field(i), fieldClass(v.Type(), i))
		}
	}
}

// written returns every string of a value.
func written(v reflect.Value) string {
	var all []string
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Pointer:
		if !v.IsNil() {
			return written(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return string(v.Bytes())
		}
		for i := range v.Len() {
			all = append(all, written(v.Index(i)))
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			all = append(all, written(key), written(value))
		}
	case reflect.Struct:
		if v.Type() != reflect.TypeFor[time.Time]() {
			for i := range v.NumField() {
				all = append(all, written(v.Field(i)))
			}
		}
	}
	return strings.Join(all, "\n")
}

// A word in any field, whatever its class, is gone from the whole run: from that field, and
// from transcripts, notes, findings and trials; a word found only in a tool's arguments or
// output is gone from there. Only fields that the table calls fixed, and the vocabulary of
// assay, the tools and the hardware, may stay.
func TestNoWordOfAnyFieldIsLeft(t *testing.T) {
	var rehearsal planter
	var run assay.Run
	rehearsal.plant(reflect.ValueOf(&run).Elem(), unclassified)
	var texts []string
	for _, w := range rehearsal.words {
		texts = append(texts, "/var/"+strings.ToUpper(w)+".img", "x="+w+";")
	}
	p := planter{texts: strings.Join(texts, " ")}
	run = assay.Run{}
	p.plant(reflect.ValueOf(&run).Elem(), unclassified)
	if len(p.words) != len(rehearsal.words) || len(p.words) < 50 {
		t.Fatalf("%d words planted, %d expected", len(p.words), len(rehearsal.words))
	}
	n := New()
	n.Rename(run.ID, "20261121-200512-000001")
	n.Learn(run)
	clean := strings.ToLower(written(reflect.ValueOf(Clean(n, run))))
	left := 0
	for _, w := range slices.Concat(p.words, p.alone, []string{"20261121-200512-abcdef"}) {
		if i := strings.Index(clean, strings.ToLower(w)); i >= 0 {
			if left++; left < 10 {
				t.Errorf("%q is left: …%s…", w, clean[max(i-60, 0):min(i+60, len(clean))])
			}
		}
	}
	if left > 0 {
		t.Errorf("%d of %d words are left", left, len(p.words))
	}
}

// Interface names given by the system identify nobody, and stay.
func TestUsualInterfacesStay(t *testing.T) {
	for _, usual := range []string{"lo", "eth0", "eno1", "enp3s0", "enp3s0f1np1", "ens18", "wlp2s0", "bond0", "bond0.100", "vmbr0", "br0", "ib0", "tailscale0", "enxaabbccddee0f"} {
		if !usualNIC.MatchString(usual) {
			t.Errorf("%s is a name of somebody's own", usual)
		}
	}
	for _, own := range []string{"acmecustomer", "vlan-acme", "eth", "enacme", "br-acme", "vmbr0acme"} {
		if usualNIC.MatchString(own) {
			t.Errorf("%s is usual", own)
		}
	}
}
