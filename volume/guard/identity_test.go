package guard

import (
	"context"
	"encoding/json"
	"testing"

	"assay"
)

// Kind is the volume's kind in these tests.
const Kind = "rawblock"

func TestIdentity(t *testing.T) {
	for words, want := range map[string]Identity{
		"serial 4C530001": {Serial: "4C530001"}, "serial t10.ATA     Samsung SSD, overwrite": {Serial: "t10.ATA     Samsung SSD", Overwrite: true},
		"backing file /var/lib/a b.img": {Backing: "/var/lib/a b.img"}, "backing file /x, overwrite": {Backing: "/x", Overwrite: true},
	} {
		if got, err := IdentityOf(want.Params()); err != nil || got != want {
			t.Errorf("%v gave %+v, %v", want.Params(), got, err)
		}
		if got, err := IdentityOf(inWords(words)); err != nil || got != want {
			t.Errorf("%q gave %+v, %v", words, got, err)
		}
	}
	for _, bad := range []string{"", "serial ", "/dev/sda1", "overwrite", ", overwrite", "serial  x", "backing file x", "serial a\nb", "serial a, b"} {
		if got, err := IdentityOf(inWords(bad)); err == nil {
			t.Errorf("%q gave %+v", bad, got)
		}
	}
	for _, bad := range []Identity{{}, {Serial: "a", Backing: "/b"}, {Serial: "a\nb"}, {Backing: "x"}} {
		if got, err := IdentityOf(bad.Params()); err == nil {
			t.Errorf("%+v gave %+v", bad, got)
		}
	}
}

// A run stored with the identity as text resumes, and what it left is released.
func TestStoredIdentity(t *testing.T) {
	var s assay.Subject
	if err := json.Unmarshal([]byte(`{"id": "usb/block/dev", "kind": "block", "host": "usb", "name": "/dev/sdb", "source": "serial 4C53, overwrite", "volume": "rawblock"}`), &s); err != nil {
		t.Fatal(err)
	}
	want := Identity{Serial: "4C53", Overwrite: true}
	r, err := New(Kind).Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := New(Kind).named(r); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	r.Names = map[string]string{"device": "/dev/sdb", "identity": "serial 4C53, overwrite"}
	if device, got, err := New(Kind).named(r); err != nil || got != want || device != "/dev/sdb" {
		t.Errorf("%s, %+v, %v", device, got, err)
	}
}

// TestReceipt refuses anything Reserve would not have made: a receipt is read
// from a file.
func TestReceipt(t *testing.T) {
	v := New(Kind)
	s := assay.Subject{ID: "usb/block/dev", Kind: assay.KindBlock, Host: "usb", Name: "/dev/sdb", Params: Identity{Serial: "1"}.Params()}
	for _, id := range []string{"", "x", "../../../../etc", "01234567 89"} {
		if _, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: id, Bytes: 1}); err == nil {
			t.Errorf("id %q was taken", id)
		}
	}
	r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for role := range r.Names {
		forged := r
		forged.Names = map[string]string{role: "/etc/passwd"}
		if _, _, err := New(Kind).named(forged); err == nil {
			t.Errorf("took %v", forged.Names)
		}
	}
	for _, name := range []string{"/dev/sdb/..", "/dev/../sda", "/node/dev/../etc", "/etc/passwd", "/node/node/node/dev/sdb", "/node/dev/sdb", "/node/../dev/sdb", "/x/node/usb/dev/sdb"} {
		s.Name = name
		if r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1}); err == nil {
			t.Errorf("%s gave %+v", name, r)
		}
	}
}
