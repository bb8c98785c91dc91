package rbd

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/captured"
)

// host is a place that answers like rbd.
type host struct {
	assay.Place
	size  string
	bench []byte
	asked []string
}

func (h *host) Host() assay.Host { return assay.Host{Name: "host1"} }

func (h *host) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	h.asked = append(h.asked, strings.Join(c.Argv, " "))
	switch {
	case c.Argv[0] == timed:
		return assay.Output{Exit: ended, Stdout: h.bench}, nil
	case strings.Contains(h.asked[len(h.asked)-1], " info "):
		return assay.Output{Stdout: []byte(`{"name":"x","size":` + h.size + `}`)}, nil
	}
	return assay.Output{}, nil
}

func measuredOn(t *testing.T, h *host, s assay.Scratch) ([]assay.Measurement, error) {
	t.Helper()
	inv := assay.Inventory{Subjects: []assay.Subject{{ID: "host1/image/images", Host: "host1", Kind: assay.KindImage, Volume: "rbd"}}}
	trials, err := New().Trials(inv, assay.Case{Probe: name, Name: "c", On: assay.KindImage, Seconds: 3, Set: map[string]string{"rw": "randwrite", "bs": "4k", "iodepth": "32", "size": "1g"}})
	if err != nil || len(trials) != 1 || trials[0].FilledBy != "fio" || trials[0].Scratch != 1<<30 {
		t.Fatalf("%+v, %v", trials, err)
	}
	tr, err := New().Run(context.Background(), trials[0], assay.Bench{Place: h, Scratch: s, Length: 3 * time.Second})
	if err != nil {
		return nil, err
	}
	return New().Parse(tr)
}

// A run that the timeout ended is complete: its figure comes from the table's seconds, or
// from rbd's total if there is one. An image larger than the filled part is shrunk.
func TestRun(t *testing.T) {
	image := assay.Scratch{Bytes: 128 << 20, Image: &assay.Image{Pool: "vms", Name: "assay-x", User: "images", Keyring: "/k"}}
	text := captured.Bytes(t, "pacific-timed.txt")
	table, _, _ := strings.Cut(string(text), "elapsed")
	for _, c := range []struct {
		size   string
		bench  string
		iops   float64
		shrunk bool
	}{{"134217728", string(text), 1777.14, false}, {"1073741824", table, 2016, true}} {
		h := &host{size: c.size, bench: []byte(c.bench)}
		all, err := measuredOn(t, h, image)
		if err != nil {
			t.Fatal(err)
		}
		m := assay.Repeat{Measurements: all}.Measurement("pool.write.iops")
		if m == nil || math.Abs(m.Value-c.iops) > .01 || m.Labels["interrupted"] != "" || m.Labels["cut"] != "" || m.Labels["total"] != "" || m.Labels["threads"] != "32" || m.Labels["pattern"] != "randwrite" {
			t.Errorf("%+v", m)
		}
		asked := strings.Join(h.asked, "\n")
		if shrunk := strings.Contains(asked, "resize --size 134217728B --allow-shrink"); shrunk != c.shrunk {
			t.Errorf("it asked\n%s", asked)
		}
		if !strings.Contains(asked, "timeout -s INT 4 rbd") || !strings.Contains(asked, "--io-size 4096 --io-threads 32 --io-total 1T vms/assay-x") {
			t.Errorf("it asked\n%s", asked)
		}
	}
	if _, err := measuredOn(t, &host{}, assay.Scratch{Bytes: 1 << 30, File: "/dev/rbd0"}); err == nil || !strings.Contains(assay.Hint(err), "krbd") {
		t.Errorf("an image that the kernel mapped: %v", err)
	}
}

func TestSettingsThatAreNone(t *testing.T) {
	for key, value := range map[string]string{"rw": "trim", "bs": "64m", "iodepth": "0", "size": "1k", "sync": "1"} {
		set := map[string]string{"rw": "read"}
		set[key] = value
		_, err := New().Trials(assay.Inventory{}, assay.Case{Name: "c", On: assay.KindImage, Seconds: 1, Set: set})
		if err == nil || !strings.Contains(err.Error(), "case c: "+key+": ") {
			t.Errorf("%s=%s: %v", key, value, err)
		}
	}
	for _, text := range []string{"", "{}", `{"size":-1}`, `{"size":"x"}`} {
		if n, err := sizeIn([]byte(text)); err == nil {
			t.Errorf("%q has a size of %d", text, n)
		}
	}
}
