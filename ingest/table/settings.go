package table

import (
	"slices"

	"assay/internal/nearest"
)

// settings are the words that say how a figure was measured. They become
// labels as they are written.
var settings = map[string]string{
	"tool":              "the program that measured",
	"version":           "its version",
	"engine":            "fio's ioengine",
	"pattern":           "read, write, randread, randwrite, rw or randrw",
	"bs":                "block size, 4k",
	"iodepth":           "operations in flight of one job, as it happened",
	"requested_iodepth": "the depth that was asked for",
	"jobs":              "how many jobs ran at once",
	"direct":            "1 or 0: past the page cache",
	"sync":              "1, 0, dsync, fsync or fdatasync: how writes were made durable",
	"fsync":             "fio: an fsync after so many writes",
	"fdatasync":         "fio: an fdatasync after so many writes",
	"size":              "bytes of the file",
	"file":              "the file that was measured",
	"source":            "what was written: zero, random, repeated",
	"cache":             "cold, warm, not dropped: what was known of the page cache",
	"layout":            "how the file was made",
	"written_before":    "bytes of the file that were written before this run",
	"runtime":           "how long the tool was told to run, s",
	"ramp_time":         "seconds that were left out at the start",
	"rate":              "a rate that the tool held back to",
	"thinktime":         "a pause between operations",
	"offset_increment":  "how far apart the jobs start",
	"fs":                "the file system, or none for a raw device",
	"target":            "file or device: whether there was a file system at all",
	"zfs_sync":          "sync of the dataset: standard, always, disabled",
	"replicas":          "copies of each byte",
	"job":               "a name for the run",
	"threads":           "threads of the tool",
	"block":             "sysbench memory: bytes of the buffer",
	"total":             "sysbench memory: bytes to move in all",
	"scope":             "sysbench memory: global or local; cache where the cache is meant",
	"limit":             "sysbench cpu: the prime limit",
	"cpu":               "the processor",
	"drive":             "the drive",
	"model":             "its model",
	"capacity":          "its size",
	"tbw":               "bytes that it may take over its life",
	"cooling":           "how it is cooled",
	"link":              "the network link",
	"protocol":          "tcp or udp",
	"streams":           "parallel connections",
	"direction":         "forward, reverse or both",
	"side":              "sender or receiver: whose figure it is",
	"from":              "the host that sends",
	"to":                "the host that receives",
	"clients":           "machines or programs that ask at once",
	"concurrency":       "requests in flight",
	"op":                "write, seq, rand; put, get",
	"object_size":       "bytes of one object",
	"requests":          "how many requests were made",
	"loop":              "closed: the next request waits for the answer; open",
	"endpoint":          "the object store",
	"qemu_cache":        "cache mode of the virtual disk",
	"device":            "kernel name of a device",
	"samples":           "how many samples a spread is over",
	"level":             "a queue depth",
	"upper":             "upper end of a bucket, s",
	"note":              "what else was said",
	"varies":            "the settings in which a comparison's rows differ on purpose",
}

// nearestSetting is the setting that somebody probably meant, "" where none is
// near. also are further words that could stand there.
func nearestSetting(word string, also ...string) string {
	all := slices.Clone(also)
	for name := range settings {
		all = append(all, name)
	}
	slices.Sort(all)
	return nearest.Name(word, all)
}
