package rbd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
)

// kernel is a host whose kernel maps images: it imitates rbd 16.2.15, without a cluster.
type kernel struct {
	images  []string
	devices map[string]string // by pool and image
	next    int
	ran     []string // commands, without access options and ceph queries
}

func (k *kernel) Host() assay.Host { return assay.Host{Name: "host1"} }
func (k *kernel) Close() error     { return nil }

func (k *kernel) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	words := c.Argv
	if i := slices.Index(words, "--id"); i >= 0 {
		words = slices.Concat(words[:i], words[i+2:])
	}
	if words[0] == "ceph" {
		return k.monitors(strings.Join(words[3:], " "))
	}
	k.ran = append(k.ran, strings.Join(words, " "))
	last := words[len(words)-1]
	switch strings.Join(words[1:min(len(words), 3)], " ") {
	case "ls vms":
		text, err := json.Marshal(k.images)
		return assay.Output{Stdout: text}, err
	case "create --size":
		k.images = append(k.images, strings.TrimPrefix(last, "vms/"))
	case "device map":
		name := fmt.Sprintf("/dev/rbd%d", k.next)
		k.next++
		k.devices[last] = name
		return assay.Output{Stdout: []byte(name + "\n")}, nil
	case "device list":
		var all []map[string]string
		for image, device := range k.devices {
			pool, name, _ := strings.Cut(image, "/")
			all = append(all, map[string]string{"pool": pool, "name": name, "device": device})
		}
		text, err := json.Marshal(all)
		return assay.Output{Stdout: text}, err
	case "device unmap":
		for image, device := range k.devices {
			if device == last {
				delete(k.devices, image)
				return assay.Output{}, nil
			}
		}
		return assay.Output{Exit: 22, Stderr: []byte("rbd: " + last + ": not a mapped image")}, nil
	case "rm --no-progress":
		if k.devices[last] != "" {
			return assay.Output{Exit: 16, Stderr: []byte("rbd: error: image still has watchers")}, nil
		}
		i := slices.Index(k.images, strings.TrimPrefix(last, "vms/"))
		if i < 0 {
			return assay.Output{Exit: 2, Stderr: []byte("rbd: error opening image")}, nil
		}
		k.images = slices.Delete(k.images, i, i+1)
	default:
		return assay.Output{}, errors.New("nobody expects " + strings.Join(words, " "))
	}
	return assay.Output{}, nil
}

func (k *kernel) monitors(question string) (assay.Output, error) {
	for part, answer := range map[string]string{
		"status":      `{"health":{"status":"HEALTH_OK"},"osdmap":{"num_osds":3,"num_up_osds":3,"num_in_osds":3}}`,
		"osd pool ls": `[{"pool_name":"vms","type":1,"size":3,"min_size":2,"pg_num":32}]`,
		"df --format": `{"pools":[{"name":"vms","stats":{"max_avail":4294967296}}]}`,
	} {
		if strings.HasPrefix(question, part) {
			return assay.Output{Stdout: []byte(answer)}, nil
		}
	}
	return assay.Output{}, errors.New("nobody expects " + question)
}

// An image lent through the kernel is mapped after it is made, and unmapped before it is
// removed; mappings of others stay.
func TestMappedByTheKernel(t *testing.T) {
	k := &kernel{images: []string{"vm-1"}, devices: map[string]string{"vms/vm-1": "/dev/rbd0"}, next: 1}
	r, err := New().Reserve(t.Context(), k, subject(), assay.Request{ID: id, Bytes: 64 << 20, Way: assay.Way{"driver": "krbd"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New().Lend(t.Context(), k, r)
	if err != nil || s.File != "/dev/rbd1" || !slices.Equal(s.Devices, []string{"rbd1"}) || s.Image != nil || s.Bytes != 64<<20 {
		t.Fatalf("%+v, %v", s, err)
	}
	for range 2 { // it is idempotent
		if err := New().Release(t.Context(), k, r); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(k.images, []string{"vm-1"}) || len(k.devices) != 1 || k.devices["vms/vm-1"] != "/dev/rbd0" {
		t.Errorf("left are %q and %q", k.images, k.devices)
	}
	image := "vms/assay-" + id
	want := []string{
		"rbd ls vms --format json", "rbd create --size 67108864B " + image, "rbd device map " + image,
		"rbd device list --format json", "rbd device unmap /dev/rbd1", "rbd rm --no-progress " + image, "rbd ls vms --format json",
		"rbd device list --format json", "rbd rm --no-progress " + image, "rbd ls vms --format json",
	}
	if !slices.Equal(k.ran, want) {
		t.Errorf("it ran\n%s\nwant\n%s", strings.Join(k.ran, "\n"), strings.Join(want, "\n"))
	}
}

// A killed run left the mapping: its receipt alone is enough to undo it.
func TestAMappingThatWasLeft(t *testing.T) {
	k := &kernel{images: []string{"assay-" + id}, devices: map[string]string{"vms/assay-" + id: "/dev/rbd3"}}
	r, err := New().Reserve(t.Context(), k, subject(), assay.Request{ID: id, Bytes: 64 << 20, Way: assay.Way{"driver": "krbd"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := New().Release(t.Context(), k, r); err != nil || len(k.images)+len(k.devices) > 0 {
		t.Errorf("%v: left are %q and %q", err, k.images, k.devices)
	}
}
