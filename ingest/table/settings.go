package table

import (
	"slices"

	"assay/internal/nearest"
)

// settings are the words that describe how a figure was measured. They become
// labels as written.
var settings = map[string]string{
	"tool":              "the program that measured",
	"version":           "its version",
	"engine":            "fio's ioengine",
	"pattern":           "read, write, randread, randwrite, rw, randrw, or mixed if the order is unknown",
	"bs":                "block size, 4k",
	"iodepth":           "operations in flight per job, as measured",
	"requested_iodepth": "the requested queue depth",
	"jobs":              "how many jobs ran at once",
	"direct":            "1 or 0: whether the page cache was bypassed",
	"sync":              "1, 0, dsync, fsync or fdatasync: how writes were made durable",
	"fsync":             "fio: number of writes between fsync calls",
	"fdatasync":         "fio: number of writes between fdatasync calls",
	"size":              "bytes of the file",
	"file":              "the file that was measured",
	"source":            "what was written: zero, random, repeated",
	"cache":             "cold, warm or not dropped: the state of the page cache",
	"layout":            "how the file was created",
	"written_before":    "bytes of the file already written before this run",
	"runtime":           "how long the tool was told to run, s",
	"ramp_time":         "seconds omitted at the start",
	"rate":              "rate limit of the tool",
	"thinktime":         "a pause between operations",
	"offset_increment":  "delay between the starts of the jobs",
	"fs":                "the file system, or none for a raw device",
	"target":            "file or device: whether there was a file system",
	"zfs_sync":          "sync of the dataset: standard, always, disabled",
	"replicas":          "copies of each byte",
	"job":               "a name for the run",
	"threads":           "threads of the tool",
	"block":             "sysbench memory: bytes of the buffer",
	"total":             "sysbench memory: total bytes to move",
	"scope":             "sysbench memory: global or local; cache if the cache is being measured",
	"limit":             "sysbench cpu: the prime limit",
	"cpu":               "the processor",
	"drive":             "the drive",
	"model":             "its model",
	"capacity":          "its size",
	"tbw":               "rated bytes written over its life",
	"cooling":           "how it is cooled",
	"link":              "the network link",
	"protocol":          "tcp or udp",
	"streams":           "parallel connections",
	"direction":         "forward, reverse or both",
	"side":              "sender or receiver: which end reported the figure",
	"from":              "the host that sends",
	"to":                "the host that receives",
	"clients":           "number of concurrent client machines or programs",
	"concurrency":       "requests in flight",
	"op":                "write, seq, rand; put, get",
	"object_size":       "bytes of one object",
	"requests":          "how many requests were made",
	"loop":              "closed (the next request waits for the answer) or open",
	"endpoint":          "the object store",
	"qemu_cache":        "cache mode of the virtual disk",
	"device":            "kernel name of a device",
	"samples":           "number of samples behind a spread",
	"level":             "a queue depth",
	"upper":             "upper end of a bucket, s",
	"note":              "any other remark",
	"varies":            "the settings that a comparison varies on purpose",
}

// nearestSetting returns the setting that was probably meant, "" if none is
// near. also lists further valid words.
func nearestSetting(word string, also ...string) string {
	all := slices.Clone(also)
	for name := range settings {
		all = append(all, name)
	}
	slices.Sort(all)
	return nearest.Name(word, all)
}
