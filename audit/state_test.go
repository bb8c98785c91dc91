package audit

import (
	"strings"
	"testing"

	"assay"
)

// eachWatch changes the kernel's counters in each repeat of the CPU test, n from 0.
func eachWatch(change func(n int, k *assay.Watch)) func(*world) {
	return func(w *world) {
		n := 0
		w.only("cpu")
		w.watch("cpu", func(k *assay.Watch) { change(n, k); n++ })
	}
}

func throttled(n, of int64, time float64) func(int, *assay.Watch) {
	return func(_ int, k *assay.Watch) {
		k.Before.Quota = &assay.QuotaCounts{Periods: 1000, Throttled: 900, Time: 70}
		k.After.Quota = &assay.QuotaCounts{Periods: 1000 + of, Throttled: 900 + n, Time: 70 + time}
	}
}

func swapped(in, out int64) func(int, *assay.Watch) {
	return func(_ int, k *assay.Watch) {
		k.Before.Swap, k.After.Swap = &assay.SwapCounts{In: 1, Out: 2}, &assay.SwapCounts{In: 1 + in, Out: 2 + out}
	}
}

func TestTheStateOfTheHost(t *testing.T) {
	first := func(change func(int, *assay.Watch)) func(int, *assay.Watch) {
		return func(n int, k *assay.Watch) {
			if n == 0 {
				change(n, k)
			}
		}
	}
	check(t, []one{
		{"cpu-quota", "8 % of one CPU", eachWatch(throttled(92, 100, 9.2)), "W", "throttled in 92 of 100 periods = 92.0 % at worst, 9.20 s of waiting on all CPUs; median 92.0 %; over 5.00 % in 6 of 6 repeats"},
		{"cpu-quota", "as the tool started", eachWatch(throttled(4, 100, .1)), "", ""},
		{"cpu-quota", "one repeat of six", eachWatch(first(throttled(92, 100, 9.2))), "", ""},
		{"cpu-quota", "no quota", only("cpu"), "", ""},
		{"cpu-quota", "the commands ran in another group", eachWatch(throttled(-500, -500, -1)), "-", "periods throttled by a CPU quota"},
		{"cpu-quota", "stored before it was counted", eachWatch(func(_ int, k *assay.Watch) { k.Before.Quota, k.After.Quota = nil, nil }), "-", "periods throttled by a CPU quota"},
		{"cpu-quota", "nothing was watched", func(w *world) { w.only("cpu"); w.keep("cpu", 1); w.at("cpu").Repeats[0].Watch = nil }, "", ""},

		{"memory-short", "swapping", eachWatch(swapped(310e6, 120e6)), "W", "median 310 MB swapped in and 120 MB out a repeat"},
		{"memory-short", "a few idle pages", eachWatch(swapped(1<<20, 2<<20)), "", ""},
		{"memory-short", "in one repeat of six", eachWatch(first(swapped(310e6, 0))), "", ""},
		{"memory-short", "waiting for it without swap", eachWatch(func(_ int, k *assay.Watch) { k.After.Pressure.MemoryFull = is(1.3); k.After.Swap = nil }), "W", "all tasks stalled on memory 3.00 % of the time"},
		{"memory-short", "a moment", eachWatch(func(_ int, k *assay.Watch) { k.After.Pressure.MemoryFull = is(1.05) }), "", ""},
		{"memory-short", "neither is counted", eachWatch(func(_ int, k *assay.Watch) { k.After.Swap, k.After.Pressure = nil, nil }), "-", "swap traffic and memory pressure"},

		{"nearly-full", "3.5 % free", both(only("syncwrite"), room(1e12, 35e9)), "W", "35.0 GB of 1,000 GB free = 3.50 % against 10.0 %"},
		{"nearly-full", "room enough", both(only("syncwrite"), room(1e12, 200e9)), "", ""},
		{"nearly-full", "reads do not mind", both(only("randread"), room(1e12, 35e9)), "", ""},
		{"nearly-full", "df failed", both(only("syncwrite"), room(0, 0)), "-", "free space of /data"},

		{"noisy-neighbour", "a pod on a busy node", inPod(8, 12), "W", "tasks waited for a CPU for 30.0 % of the time (median), over 10.0 %"},
		{"noisy-neighbour", "a pod on a quiet node", inPod(5.5, 12), "-", "CPU time of the tool and of kernel threads"},
		{"noisy-neighbour", "a pod that waits for itself", inPod(8, 40), "-", "CPU time of the tool and of kernel threads"},
	})
}

func room(bytes, free int64) func(*world) {
	return func(w *world) { w.facts.Dirs[0].Bytes, w.facts.Dirs[0].Free = bytes, free }
}

// inPod hides the machine's process table; tasks wait for a CPU from 5 s to until,
// and the tool uses the given CPU time out of 60 s.
func inPod(until, tool float64) func(*world) {
	return eachWatch(func(_ int, k *assay.Watch) {
		k.Before.Kernel, k.After.Kernel, k.ToolCPU, k.After.Pressure.CPU = 0, 0, tool, until
	})
}

// A finding that something else ran names it.
func TestTheBusiestProcessIsNamed(t *testing.T) {
	w := good()
	eachWatch(func(n int, k *assay.Watch) {
		k.After.CPU.User += 6
		k.After.CPU.Idle -= 6
		k.Busiest = []assay.ProcessTime{{Name: "mysqld", CPU: 4.1 + float64(n)/10}, {Name: "cron", CPU: .3}}
	})(w)
	for _, f := range noisyNeighbour.Check(w.evidence()) {
		if strings.Contains(f.Message, "mysqld (up to 4.60 s of CPU time a repeat), cron (up to 300 ms of CPU time a repeat)") {
			return
		}
		t.Errorf("says %s", f.Message)
	}
	t.Error("nobody is named")
}
