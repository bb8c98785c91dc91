package clone

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay"
)

const id = "0123456789abcdef"

// wants has a guest of each kind, and one made on a different node than its template.
var wants = map[string]Want{
	"libvirt":      {Guest: "bench-1", On: kvm, Kind: "libvirt", Template: "debian12", Among: []string{kvm}},
	"proxmox":      {Guest: "bench-1", On: pve1, Kind: "proxmox", Template: "9000", Among: []string{pve2, pve1}},
	"an image":     imageWant("libvirt", imageFile),
	"on a node":    imageWant("proxmox", imageFile),
	"another node": {Guest: "bench-2", On: pve2, Kind: "proxmox", Template: "9000", Among: []string{pve1, pve2}},
}

// reserve reserves a guest as a run does.
func reserve(t *testing.T, w *world, want Want) (assay.Receipt, Template) {
	t.Helper()
	of, err := w.volume().Look(t.Context(), want)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	r, err := w.volume().Reserve(t.Context(), id, want, of)
	if err != nil {
		t.Fatal(err)
	}
	return r, of
}

func TestMadeAndDestroyed(t *testing.T) {
	for name, want := range wants {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r, of := reserve(t, w, want)
			if left := w.left(t); len(left) > 0 {
				t.Errorf("Reserve made %q", left)
			}
			if err := w.volume().Make(t.Context(), r, of); err != nil {
				t.Fatal(err, assay.Hint(err))
			}
			if runs, err := w.volume().Running(t.Context(), r); err != nil || !runs {
				t.Errorf("runs: %v, %v", runs, err)
			}
			if v := w.vms[want.On][vmOf(id)]; v != nil && (v.config["onboot"] != "0" || v.config["protection"] != "0") {
				t.Errorf("the clone is %v", v.config)
			}
			if hosts, gone := w.volume().Takes(r); !slices.Equal(hosts, []string{want.Guest}) || !errors.Is(gone, assay.ErrDestroyed) || !errors.Is(gone, assay.ErrHostGone) {
				t.Errorf("takes %q, %v", hosts, gone)
			}
			for range 2 {
				if err := w.volume().Release(t.Context(), nil, r); err != nil {
					t.Error(err, assay.Hint(err))
				}
				if left := w.left(t); len(left) > 0 {
					t.Errorf("left %q", left)
				}
			}
			for _, asked := range w.asked {
				for _, word := range []string{"destroy", "undefine", "start", "vol-delete", "set", "stop", "unlock"} {
					if strings.Contains(asked, " "+word+" ") && !strings.Contains(asked, uuidOf(id)) && !strings.Contains(asked, id) && !strings.Contains(asked, vmOf(id)) {
						t.Errorf("of something else: %s", asked)
					}
				}
			}
		})
	}
}

// Wherever assay is killed, what it made is found by the receipt and destroyed, even if
// somebody has renamed or started it.
func TestKilled(t *testing.T) {
	for name, want := range wants {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				w := newWorld(t)
				r, of := reserve(t, w, want)
				w.changes = n
				err := w.volume().Make(t.Context(), r, of)
				w.changes = -1
				for _, d := range w.domains {
					if strings.HasPrefix(d.name, prefix) {
						d.name, d.state = "mine", "running"
					}
				}
				for _, node := range w.vms {
					if v := node[vmOf(id)]; v != nil && v.config["lock"] == "" {
						v.config["name"], v.state = "mine", "running"
					}
				}
				if err := w.volume().Release(t.Context(), nil, r); err != nil {
					t.Error(n, err, assay.Hint(err))
				}
				if left := w.left(t); len(left) > 0 {
					t.Errorf("killed after %d changes, it left %q", n, left)
				}
				if err == nil {
					if n < 4 {
						t.Errorf("made in %d changes", n)
					}
					return
				}
			}
		})
	}
}

// If killed while destroying, the next attempt continues.
func TestKilledWhileItDestroys(t *testing.T) {
	for name, want := range wants {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				w := newWorld(t)
				r, of := reserve(t, w, want)
				if err := w.volume().Make(t.Context(), r, of); err != nil {
					t.Fatal(err)
				}
				w.changes = n
				err := w.volume().Release(t.Context(), nil, r)
				w.changes = -1
				if err == nil {
					return
				}
				if err := w.volume().Release(t.Context(), nil, r); err != nil {
					t.Error(n, err)
				}
				if left := w.left(t); len(left) > 0 {
					t.Errorf("killed after %d changes, it left %q", n, left)
				}
			}
		})
	}
}

// A user's guest or volume of the same name causes a refusal and stays as it
// is.
func TestOthersOfTheName(t *testing.T) {
	for name, c := range map[string]struct {
		of    string
		there func(w *world)
	}{
		"a domain": {"libvirt", func(w *world) { w.domains["u"] = &domainThere{prefix + id, "shut off", ""} }},
		"a volume": {"libvirt", func(w *world) { w.volumes[prefix+id+"-vda.qcow2"] = true }},
		"a VM":     {"proxmox", func(w *world) { w.vms[pve2][vmOf(id)] = &vm{settings{"name": "mine"}, "running", 1} }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r, of := reserve(t, w, wants[c.of])
			c.there(w)
			if _, err := w.volume().Reserve(t.Context(), id, wants[c.of], of); !errors.Is(err, assay.ErrBusy) {
				t.Errorf("%v, want ErrBusy", err)
			}
			before := len(w.left(t))
			if name != "a volume" { // its name is exactly the receipt's
				_ = w.volume().Release(t.Context(), nil, r)
			}
			if before != 1 || len(w.left(t)) != 1 {
				t.Errorf("now there is %q", w.left(t))
			}
		})
	}
}

func TestAVMThatIsNotOurs(t *testing.T) {
	w := newWorld(t)
	r, _ := reserve(t, w, wants["proxmox"])
	w.vms[pve1][vmOf(id)] = &vm{settings{"name": "mine", "description": "kept"}, "running", 1}
	if err := w.volume().Release(t.Context(), nil, r); err == nil || !strings.Contains(err.Error(), "is not destroyed") {
		t.Error(err)
	}
	delete(w.vms[pve1], vmOf(id))
	w.vms["pve3"] = map[string]*vm{vmOf(id): {settings{"name": prefix + id}, "running", 1}}
	if err := w.volume().Release(t.Context(), nil, r); err == nil || !strings.Contains(err.Error(), "is now on node pve3") {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	for want, c := range map[string]struct {
		of     string
		change func(*world, *Want)
	}{
		"is running; only a domain that is shut off can be cloned": {"libvirt", func(w *world, _ *Want) { w.domains["5a0f9c1e-7c1d-4b64-9d0e-0000000000aa"].state = "running" }},
		"has no domain nope to make clones of":                     {"libvirt", func(_ *world, o *Want) { o.Template = "nope" }},
		"is of type logical, which has no qcow2 overlays":          {"libvirt", func(w *world, _ *Want) { w.poolIs = "logical" }},
		"no active pool contains /srv/x.qcow2": {"libvirt", func(w *world, _ *Want) {
			d := w.domains["5a0f9c1e-7c1d-4b64-9d0e-0000000000aa"]
			d.text = strings.Replace(d.text, "/var/lib/libvirt/images/debian12.qcow2", "/srv/x.qcow2", 1)
		}},
		"no guest agent": {"libvirt", func(w *world, _ *Want) {
			d := w.domains["5a0f9c1e-7c1d-4b64-9d0e-0000000000aa"]
			d.text = strings.Replace(d.text, agentChannel, "x", 1)
		}},
		"no VM 9001 on pve2, pve1 to make clones of": {"proxmox", func(_ *world, o *Want) { o.Template = "9001" }},
		"it is running":         {"proxmox", func(w *world, _ *Want) { w.vms[pve1]["9000"].state = "running" }},
		"is not a template":     {"proxmox", func(w *world, _ *Want) { delete(w.vms[pve1]["9000"].config, "template") }},
		"which is local to":     {"another node", func(w *world, _ *Want) { w.shared = 0 }},
		"is not reachable from": {"libvirt", func(_ *world, o *Want) { o.On = "kvm9" }},
		// Totals of a host: the template has 2 GiB and 20 GiB, or 1 GiB and 8 GiB.
		"not enough memory on kvm1: the run's 3 guests need 6528 MiB, and 6000 MiB is available":                                                    {"libvirt", func(w *world, _ *Want) { w.memory = 6000 << 10 }},
		"in storage images of kvm1: the disks of the run's guests may grow to 61440 MiB, and 61440 MiB are available; assay leaves 2048 MiB unused": {"libvirt", func(w *world, _ *Want) { w.free = 60 << 30 }},
		"in storage ceph of pve1: the disks of the run's guests may grow to 24576 MiB":                                                              {"proxmox", func(w *world, _ *Want) { w.free = 24 << 30 }},
	} {
		w := newWorld(t)
		one := wants[c.of]
		c.change(w, &one)
		_, err := w.volume().Check(t.Context(), []Want{one, one, one})
		if err == nil || !strings.Contains(err.Error(), want) || assay.Hint(err) == "" {
			t.Errorf("%v (hint %q); want %q", err, assay.Hint(err), want)
		}
		if left := w.left(t); len(left) > 1 {
			t.Errorf("%s: left %q", want, left)
		}
	}
	w := newWorld(t)
	if all, err := w.volume().Check(t.Context(), []Want{wants["libvirt"], wants["proxmox"], wants["another node"]}); err != nil || len(all) != 3 || all[2].From != pve1 || !all[2].Disks[0].Shared {
		t.Errorf("%+v, %v", all, err)
	}
}

// A template started between the check and the clone is left alone.
func TestTheTemplateIsStartedMeanwhile(t *testing.T) {
	w := newWorld(t)
	r, of := reserve(t, w, wants["libvirt"])
	w.domains["5a0f9c1e-7c1d-4b64-9d0e-0000000000aa"].state = "running"
	if err := w.volume().Make(context.Background(), r, of); err == nil || !strings.Contains(err.Error(), "it is now running") {
		t.Error(err)
	}
	if len(w.volumes) != 2 {
		t.Errorf("made %v", w.volumes)
	}
}
