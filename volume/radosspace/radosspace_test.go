package radosspace

import (
	"strings"
	"testing"

	"assay"
)

const id = "0123456789abcdef"

func subject(user string) assay.Subject {
	return assay.Subject{ID: "host1/pool/vms", Kind: assay.KindPool, Host: "host1", Name: "vms", Tier: "vms", Volume: Kind,
		Params: map[string]string{"pool": "vms", "user": user}}
}

// Release removes what a receipt names, and a receipt comes from a file.
func TestForgedReceiptsAreRefused(t *testing.T) {
	for _, bad := range []string{"", "../x", "a", strings.Repeat("a", 60), "a;reboot"} {
		if _, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: bad, Bytes: 1}); err == nil {
			t.Errorf("id %q was reserved", bad)
		}
	}
	good, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Bytes: 1 << 20, Sharers: 3})
	if err != nil || good.Sharers != 3 || good.Names[roleSpace] != "assay-"+id {
		t.Fatal(good, err)
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"another kind":  func(r *assay.Receipt) { r.Volume = "cephpool" },
		"another space": func(r *assay.Receipt) { r.Names[roleSpace] = "others" },
		"no space":      func(r *assay.Receipt) { r.Names[roleSpace] = "" },
		"an option":     func(r *assay.Receipt) { r.Names["how"] = `{"model":"--all"}` },
	} {
		forged, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		forge(&forged)
		if err := New().Release(t.Context(), nil, forged); err == nil {
			t.Errorf("%s: was released", name)
		}
	}
	if _, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Way: assay.Way{"sync": "1"}}); assay.Hint(err) == "" {
		t.Errorf("a way: %v", err)
	}
}
