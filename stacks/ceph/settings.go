package ceph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/quantity"
)

// Names of settings that control how an OSD shares its drive and how much it keeps in
// memory.
const (
	opQueue       = "osd_op_queue"
	mclockProfile = "osd_mclock_profile"
	memoryTarget  = "osd_memory_target"
	autotune      = "bluestore_cache_autotune"
	cacheSize     = "bluestore_cache_size"
	balancer      = "balancer"
)

// mclock is the scheduler that uses a profile; wpq does not.
const mclock = "mclock_scheduler"

// ReadRunning reads the settings that affect an OSD's speed, as that OSD runs with them, from
// ceph config show-with-defaults osd.N --format json. It drops those without effect: the
// profile of an unused scheduler, and cache sizes if the cache is sized by the OSD's memory
// target.
func ReadRunning(text []byte) (map[string]string, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil || !n.IsList() {
		return nil, fmt.Errorf("ceph config show-with-defaults: expected a list of settings: %w", errOr(err))
	}
	all := map[string]string{}
	for _, o := range n.List() {
		all[o.At("name").Text()] = o.At("value").Text()
	}
	want := []string{opQueue, memoryTarget, autotune}
	if all[opQueue] == mclock {
		want = append(want, mclockProfile)
	}
	if all[autotune] == "false" {
		if all[cacheSize] != "0" {
			want = append(want, cacheSize)
		} else {
			want = append(want, cacheSize+"_hdd", cacheSize+"_ssd")
		}
	}
	maps.DeleteFunc(all, func(name, value string) bool { return value == "" || !slices.Contains(want, name) })
	if len(all) == 0 {
		return nil, fmt.Errorf("ceph config show-with-defaults: none of %v is in it", want)
	}
	return all, nil
}

// ReadBalancer reads ceph balancer status --format json: its mode, or off.
func ReadBalancer(text []byte) (string, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return "", fmt.Errorf("ceph balancer status: %w", err)
	}
	active, known := n.At("active").Bool()
	mode := n.At("mode").Text()
	switch {
	case !known || mode == "":
		return "", fmt.Errorf("ceph balancer status: %w", errShape)
	case !active || mode == "none":
		return "off", nil
	}
	return mode, nil
}

// running asks the manager for an OSD's settings, and whether data is balanced among the
// OSDs. A key without that permission costs only these facts.
func (a Access) running(ctx context.Context, at assay.Place, osds []OSD) (map[string]string, error) {
	i := slices.IndexFunc(osds, func(o OSD) bool { return o.Up })
	if i < 0 {
		return nil, fmt.Errorf("no OSD is up: %w", assay.ErrNotFound)
	}
	text, err := a.AskJSON(ctx, at, "config", "show-with-defaults", fmt.Sprintf("osd.%d", osds[i].Number))
	if err != nil {
		return nil, err
	}
	all, err := ReadRunning(text)
	if err != nil {
		return nil, err
	}
	if text, err = a.AskJSON(ctx, at, "balancer", "status"); err != nil {
		return all, err
	}
	if all[balancer], err = ReadBalancer(text); err != nil {
		delete(all, balancer)
	}
	return all, err
}

// leastMemory is the minimum that Ceph's manual recommends for an OSD (Hardware
// Recommendations: memory).
const leastMemory = 2 << 30

// oddSettings notes OSD settings that slow down clients.
func oddSettings(set map[string]string) []assay.Note {
	var all []assay.Note
	if n, err := strconv.ParseInt(set[memoryTarget], 10, 64); err == nil && n > 0 && n < leastMemory {
		all = append(all, assay.Note{ID: "ceph-memory", Text: fmt.Sprintf(
			"an OSD may use only %s of memory (%s): Ceph recommends at least 2 GiB, and with so little cache most reads go to the drives", quantity.Bytes(n), memoryTarget)})
	}
	if set[mclockProfile] == "high_recovery_ops" {
		all = append(all, assay.Note{ID: "ceph-mclock", Text: "the OSDs' mclock profile is high_recovery_ops: while data is recovered, clients come second"})
	}
	if set[balancer] == "off" {
		all = append(all, assay.Note{ID: "ceph-balancer", Text: "the balancer is off: the OSD with the most placement groups is full, and busy, before the others"})
	}
	return all
}
