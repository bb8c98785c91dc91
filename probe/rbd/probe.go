package rbd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/internal/setting"
	"assay/stacks/ceph"
)

const (
	name = "rbd"
	// filler is the probe that writes the image before it is measured. It measures images
	// too, with the same settings as this probe.
	filler = "fio"
)

// Tool is the probe, which is also a reader.
type Tool interface {
	assay.Probe
	assay.Measurer
}

// Spec describes the probe. It names no tool: few hosts are clients of a Ceph cluster, and
// there the volume has already run rbd and reported what is missing.
func (reader) Spec() assay.Spec {
	spec := assay.Spec{Name: name}
	for _, op := range []string{"write", "read"} {
		for _, m := range []string{"bandwidth", "iops", "ios", "bytes"} {
			spec.Metrics = append(spec.Metrics, "pool."+op+"."+m)
		}
	}
	spec.Metrics = append(spec.Metrics, "tool.duration")
	return spec
}

// settings are a case's settings, in fio's terms.
type settings struct {
	rw    string
	bs    int64 // B
	depth int
	size  int64 // B of the image
}

// kinds maps each kind of load to rbd bench's type and pattern.
var kinds = map[string][2]string{"read": {"read", "seq"}, "write": {"write", "seq"}, "randread": {"read", "rand"}, "randwrite": {"write", "rand"}}

func readSettings(label string, set map[string]string) (settings, error) {
	r := setting.Of(label, set)
	s := settings{
		rw:    r.Choice("rw", "read", "write", "randread", "randwrite"),
		bs:    r.Size("bs", 4096, 1, 32<<20),
		depth: r.Count("iodepth", 16, 1, 4096),
		size:  r.Size("size", 1<<30, 64<<20, math.MaxInt64),
	}
	return s, r.Err()
}

func (s settings) words() map[string]string {
	return map[string]string{"rw": s.rw, "bs": strconv.FormatInt(s.bs, 10), "iodepth": strconv.Itoa(s.depth), "size": strconv.FormatInt(s.size, 10)}
}

// Trials returns one trial for every image.
func (reader) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if err := c.Check(name, assay.KindImage, "images"); err != nil {
		return nil, err
	}
	s, err := readSettings(c.Name, c.Set)
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, subject := range inv.Of(assay.KindImage) {
		t := assay.Trial{
			ID: name + "/" + c.Name + "@" + subject.ID, Probe: name, Case: c.Name, Title: c.Title, Subject: subject, FilledBy: filler,
			Claims: subject.Claims(), Risk: assay.Writes, Volume: subject.Volume,
			Scratch: s.size, Length: time.Duration(c.Seconds * float64(time.Second)), Overhead: 3 * time.Second, Settings: s.words(),
		}
		if t.Volume == "" {
			t.Volume = name
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// Sized returns the trial for an image of the same size as an earlier one.
func (reader) Sized(t assay.Trial, was assay.Scratch) assay.Trial {
	t.Settings = maps.Clone(t.Settings)
	t.Settings["size"] = strconv.FormatInt(was.Bytes, 10)
	t.Scratch = was.Bytes
	return t
}

// The steps of a transcript other than "measure".
const (
	stepInfo   = "info"
	stepShrink = "shrink"
)

// Run measures once. rbd bench uses the whole image, so an image that was not filled
// completely is shrunk to the filled part: there is nothing to read where nothing was
// written.
func (reader) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: name, Settings: t.Settings}
	s, err := readSettings(t.Case, t.Settings)
	if err != nil {
		return tr, err
	}
	if on.Scratch.Image == nil || on.Scratch.Bytes < s.bs {
		return tr, assay.WithHint("leave out driver: krbd, or measure it with fio", "trial %s: rbd bench needs an image that librbd reaches", t.ID)
	}
	image := *on.Scratch.Image
	access, spec := ceph.Access{User: image.User, Keyring: image.Keyring, Conf: image.Conf}, image.Pool+"/"+image.Name
	ask := func(step string, bound time.Duration, prefix []string, words ...string) (assay.Output, error) {
		argv := append(slices.Clone(prefix), access.Argv("rbd", words...)...)
		out, err := on.Place.Run(ctx, assay.Cmd{Argv: argv, Timeout: bound})
		tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: argv, Output: out})
		switch {
		case errors.Is(err, assay.ErrNoCommand):
			return out, assay.WithHint("install ceph-common there", "%s: rbd: %w", on.Place.Host().Name, err)
		case err != nil:
			return out, fmt.Errorf("%s: rbd %s: %w", on.Place.Host().Name, step, err)
		case out.Exit == ended && len(prefix) > 0:
			return out, nil
		}
		return out, access.Failed(on.Place, "rbd "+step, out)
	}
	out, err := ask(stepInfo, time.Minute, nil, "info", spec, "--format", "json")
	if err != nil {
		return tr, err
	}
	size, err := sizeIn(out.Stdout)
	if err != nil {
		return tr, err
	}
	if size > on.Scratch.Bytes {
		if _, err := ask(stepShrink, time.Minute, nil, "resize", "--size", strconv.FormatInt(on.Scratch.Bytes, 10)+"B", "--allow-shrink", "--no-progress", spec); err != nil {
			return tr, err
		}
	}
	length := on.Length
	if length <= 0 {
		length = max(t.Length, time.Second)
	}
	// rbd bench has no time limit, and prints a line a second: one more second makes sure
	// that the last line is there.
	seconds := int(length.Round(time.Second)/time.Second) + 1
	kind := kinds[s.rw]
	_, err = ask("measure", max(t.Bound, length+time.Minute), []string{timed, "-s", "INT", strconv.Itoa(seconds)},
		"bench", "--io-type", kind[0], "--io-pattern", kind[1], "--io-size", strconv.FormatInt(s.bs, 10),
		"--io-threads", strconv.Itoa(s.depth), "--io-total", endless, spec)
	return tr, err
}

const (
	timed   = "timeout" // ends rbd bench
	ended   = 124       // its status then
	endless = "1T"      // more than it moves until then
)

// sizeIn reads an image's size from rbd info --format json.
func sizeIn(text []byte) (int64, error) {
	var info struct {
		Size int64 `json:"size"`
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return 0, fmt.Errorf("rbd info: %w", err)
	}
	if info.Size <= 0 {
		return 0, errors.New("rbd info: no size in it")
	}
	return info.Size, nil
}
