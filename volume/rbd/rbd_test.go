package rbd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/stacks/ceph"
)

const id = "0123456789abcdef"

func subject() assay.Subject {
	return assay.Subject{ID: "host1/image/images", Kind: assay.KindImage, Host: "host1", Name: "images", Volume: Kind,
		Params: ceph.Tier{Pool: "vms", User: "images"}.Params()}
}

func TestReserveRefuses(t *testing.T) {
	for _, bad := range []string{"", "x", "../../../../etc", "01234567 89", "$(reboot)aaaa"} {
		if _, err := New().Reserve(t.Context(), nil, subject(), assay.Request{ID: bad, Bytes: 1}); err == nil {
			t.Errorf("id %q was accepted", bad)
		}
	}
	for _, way := range []assay.Way{{"sync": "1"}, {"cache": "on"}, {"driver": "nbd"}, {"driver": "krbd", "cache": "none"}} {
		if _, err := New().Reserve(t.Context(), nil, subject(), assay.Request{ID: id, Bytes: 1, Way: way}); err == nil {
			t.Errorf("it was lent with %v", way)
		}
	}
	nameless := subject()
	nameless.Params = map[string]string{"pool": "--rm"}
	if _, err := New().Reserve(t.Context(), nil, nameless, assay.Request{ID: id, Bytes: 1}); err == nil {
		t.Error("a pool called --rm was accepted")
	}
}

// Release removes the image named by a receipt, so it does not trust receipts.
func TestForgedReceipts(t *testing.T) {
	good, err := New().Reserve(t.Context(), nil, subject(), assay.Request{ID: id, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if image, lent, err := read(good); err != nil || image != "assay-"+id || lent.Model != "vms" || lent.Access.User != "images" {
		t.Errorf("%s, %+v, %v", image, lent, err)
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"another image": func(r *assay.Receipt) { r.Names = map[string]string{"image": "vm-101-disk-0", "how": r.Names["how"]} },
		"nothing known": func(r *assay.Receipt) { r.Names = map[string]string{"image": r.Names["image"]} },
		"an option": func(r *assay.Receipt) {
			r.Names = map[string]string{"image": r.Names["image"], "how": `{"model":"-x"}`}
		},
		"another kind": func(r *assay.Receipt) { r.Volume = "cephpool" },
		"another way":  func(r *assay.Receipt) { r.Way = assay.Way{"driver": "nbd"} },
	} {
		forged := good
		forge(&forged)
		if err := New().Release(t.Context(), nil, forged); err == nil {
			t.Errorf("%s: released", name)
		}
	}
}

// Output of rbd from Ceph 16.2.15.
func TestReadWhatRBDPrints(t *testing.T) {
	features, err := readFeatures([]byte(`{"name":"assay-x","id":"37392662458c","size":268435456,"objects":64,"order":22,"features":["layering","exclusive-lock"],"op_features":[],"flags":[]}`))
	if err != nil || !slices.Equal(features, []string{"layering", "exclusive-lock"}) {
		t.Errorf("%q, %v", features, err)
	}
	settings, err := readSettings([]byte(`[{"name":"rbd_cache","value":"false","source":"image"},{"name":"rbd_cache_policy","value":"writearound","source":"config"},{"name":"rbd_qos_iops_limit","value":"0","source":"config"}]`))
	if err != nil || len(settings) != 2 || settings["rbd_cache"] != "false" || settings["rbd_cache_policy"] != "writearound" {
		t.Errorf("%v, %v", settings, err)
	}
	devices, err := readDevices([]byte(`[{"id":"0","pool":"vms","namespace":"","name":"assay-x","snap":"-","device":"/dev/rbd0"},{"id":"1","pool":"vms","namespace":"","name":"vm-1","snap":"-","device":"/dev/rbd1"},{"id":"2","pool":"other","namespace":"","name":"assay-x","snap":"-","device":"/dev/rbd2"}]`), "vms", "assay-x")
	if err != nil || !slices.Equal(devices, []string{"rbd0"}) {
		t.Errorf("%q, %v", devices, err)
	}
	for _, text := range []string{"", "{", `{"features":7}`, `[{"device":"/etc"}]`, "null", `[]`} {
		_, errs := readSettings([]byte(text))
		if errs == nil {
			t.Errorf("settings of %q", text)
		}
		if devices, _ := readDevices([]byte(text), "", ""); len(devices) > 0 {
			t.Errorf("devices of %q: %q", text, devices)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"name":"rbd_cache","value":"false"}]`))
	f.Add([]byte(`[{"pool":"vms","name":"assay-x","device":"/dev/rbd0"}]`))
	f.Add([]byte(`{"features":["layering"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if settings, err := readSettings(text); err == nil && settings["rbd_cache"] == "" {
			t.Error("no cache, and no error")
		}
		devices, err := readDevices(text, "vms", "assay-x")
		if err != nil && len(devices) > 0 || slices.ContainsFunc(devices, func(d string) bool { return !strings.HasPrefix(d, "rbd") }) {
			t.Errorf("%q, %v", devices, err)
		}
		if features, err := readFeatures(text); err != nil && features != nil {
			t.Error(features, err)
		}
	})
}

// If the kernel refuses a map, the error says what would help.
func TestMapNeedsTheKernel(t *testing.T) {
	if _, err := (client{noModule{}, ceph.Lent{Model: "vms"}}).mapped(t.Context(), "assay-x"); err == nil || !strings.Contains(assay.Hint(err), "driver=librbd") || !errors.Is(err, assay.ErrNotFound) {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}

// answers is a host whose rbd ends with ENOENT and says this, and whose ceph fails with
// these words, or lists these pools.
type answers struct {
	assay.Place
	rbd, ceph, pools string
}

func (answers) Host() assay.Host { return assay.Host{Name: "host1"} }

func (a answers) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	switch {
	case c.Argv[0] == "rbd":
		return assay.Output{Exit: 2, Stderr: []byte(a.rbd)}, nil
	case a.ceph != "":
		return assay.Output{Exit: 1, Stderr: []byte(a.ceph)}, nil
	}
	return assay.Output{Stdout: []byte(a.pools)}, nil
}

// An image is gone with its pool where the cluster lists its pools, and not that one:
// rbd ends with ENOENT for a missing keyring too.
func TestOnlyADeletedPoolIsGone(t *testing.T) {
	const (
		noPool    = "rbd: error opening pool 'vms': (2) No such file or directory\n"
		noKeyring = "auth: unable to find a keyring on /etc/ceph/ceph.client.images.keyring: (2) No such file or directory\nrbd: couldn't connect to the cluster!\n"
		vms       = `[{"pool_name":"vms","type":1,"size":3,"min_size":2,"pg_num":32,"crush_rule":0}]`
		other     = `[{"pool_name":"other","type":1,"size":3,"min_size":2,"pg_num":32,"crush_rule":0}]`
	)
	r, err := New().Reserve(t.Context(), nil, subject(), assay.Request{ID: id, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := New().Release(t.Context(), answers{rbd: noPool, pools: other}, r); err != nil {
		t.Errorf("a deleted pool: %v", err)
	}
	for name, at := range map[string]answers{
		"no keyring":           {rbd: noKeyring, pools: other},
		"no ceph.conf":         {rbd: noPool, ceph: "error calling conf_read_file\n"},
		"a pool that is there": {rbd: noPool, pools: vms},
	} {
		if err := New().Release(t.Context(), at, r); err == nil {
			t.Errorf("%s: was released", name)
		}
	}
	if err := New().Release(t.Context(), answers{rbd: noKeyring, pools: vms}, r); !errors.Is(err, ceph.ErrDenied) || assay.Hint(err) == "" {
		t.Errorf("no keyring: %v (%s)", err, assay.Hint(err))
	}
}
