package decide

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/internal/quantity"
)

//go:embed layer_below.sh
var layersScript string

// layerBelow reads a stacked device and the devices below it in turns.
var layerBelow = Decider{ID: "layer-below", Reads: func(log incident.Log, v blame.Verdict) []Read {
	const blocks, lowers = 32, 8
	var all []Read
	for _, s := range suspects(v) {
		if !stacked(log.Stack.Find(s.Host, s.Device)) {
			continue
		}
		r := Read{Host: s.Host, Device: s.Device, Bytes: (blocks*(1+lowers) + 1) * blockSize, Longest: 60 * time.Second,
			What:  fmt.Sprintf("read %d blocks of 4 KiB of %s and as many of each device under it, and compare errors and latency", blocks, place(s.Host, s.Device)),
			Shows: "if only the upper device fails or is slow, the devices beneath it are sound; if both do, the lower one is the cause",
		}
		failed := int64(-1)
		if sector, ok := sectorOf(log, s); ok {
			failed = sector / 8
		}
		r.argv = shell(readScript+layersScript, seconds(r.Longest), s.Device, strconv.Itoa(blocks), strconv.FormatInt(failed, 10))
		r.judge = func(said []string) Shown {
			return layersShow(s.Device, said[0], func(name string) incident.Device { return log.Stack.Find(s.Host, name) })
		}
		all = append(all, r)
	}
	return all
}}

// stacked reports whether a device is built on others of the same machine.
func stacked(d incident.Device) bool {
	return d.Transport == incident.Mapped || d.Transport == incident.Loop || d.Transport == incident.DRBD
}

// owner returns the layer that builds a device from others.
func owner(device string) incident.Layer {
	switch {
	case strings.HasPrefix(device, "loop"):
		return incident.FileSystem
	case strings.HasPrefix(device, "drbd"):
		return incident.Engine
	}
	return incident.Volumes
}

// layersShow reports which of two layers fails or is slow.
func layersShow(name, text string, find func(string) incident.Device) Shown {
	const times, slow = 5, .02 // s: slower than a healthy drive at one read at a time
	a, err := parse(text)
	if err != nil {
		return Shown{Absent: err.Error()}
	}
	upper, named := a.of(name), "/dev/"+name
	if upper.reads == 0 {
		return Shown{Absent: "failed: no block of " + named + " was read"}
	}
	if f := a.file; upper.failed > 0 && f != nil && f.shortened {
		return Shown{For: []incident.Layer{incident.FileSystem}, Against: []incident.Layer{incident.Drive, incident.Volumes},
			Says: fmt.Sprintf("%s can't be read where its file ends: %s has %s, the device %s. The file was shortened; no drive failed.", named, f.path, bytesOf(f.size), bytesOf(f.device))}
	}
	var names []string
	var answering []incident.Layer // layers behind the failing lower devices
	var lower device
	worst := 0.
	for _, n := range a.lower {
		d := a.of(n)
		names = append(names, "/dev/"+n)
		lower.reads, lower.failed = lower.reads+d.reads, lower.failed+d.failed
		worst = max(worst, d.median())
		if d.failed > 0 {
			answering = append(answering, answers(find(n))...)
		}
	}
	below := strings.Join(names, ", ")
	switch {
	case lower.reads == 0 && upper.failed > 0:
		return Shown{Says: fmt.Sprintf("%d of %d blocks of %s can't be read; the device beneath it could not be read for comparison.", upper.failed, upper.reads, named)}
	case lower.reads == 0:
		return Shown{Says: fmt.Sprintf("%s was read without an error; the device beneath it could not be read for comparison.", named)}
	case lower.failed > 0:
		return Shown{For: answering, Against: []incident.Layer{owner(name)},
			Says: fmt.Sprintf("%d of %d blocks under %s (%s) can't be read: the fault is below it.", lower.failed, lower.reads, named, below)}
	case upper.failed > 0:
		return Shown{For: []incident.Layer{owner(name)}, Against: []incident.Layer{incident.Drive},
			Says: fmt.Sprintf("%d of %d blocks of %s can't be read, but all %d blocks beneath it (%s) can: the fault lies between the two.", upper.failed, upper.reads, named, lower.reads, below)}
	case upper.median() >= slow && upper.median() >= times*worst:
		return Shown{For: []incident.Layer{owner(name)}, Against: []incident.Layer{incident.Drive},
			Says: fmt.Sprintf("a read of %s takes %s, of the device beneath it (%s) %s: the delay is added in between.", named, took(upper.median()), below, took(worst))}
	}
	return Shown{Says: fmt.Sprintf("%s and what it stands on (%s) were read without an error, at %s and %s per block.", named, below, took(upper.median()), took(worst))}
}

func took(s float64) string  { return quantity.Duration(s) }
func bytesOf(n int64) string { return fmt.Sprintf("%d B", n) }

// answers returns the layers that serve a device, as far as its transport is known.
func answers(d incident.Device) []incident.Layer {
	switch t := d.Transport; {
	case t.Real():
		return []incident.Layer{incident.Drive}
	case t.Remote():
		return []incident.Layer{incident.Engine, incident.Session}
	case t == incident.Virtual:
		return []incident.Layer{incident.Hypervisor}
	}
	return nil
}
