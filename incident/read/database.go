package read

import (
	"slices"

	"assay/incident"
)

// databaseSignatures returns signatures for messages of databases, metrics and log stores,
// and backups about their own files, the disk they wait for, and each other.
func databaseSignatures() []signature {
	return slices.Concat(
		said(incident.AppDamaged,
			// PostgreSQL
			"invalid page in block ", "could not locate a valid checkpoint record", "invalid primary checkpoint record", "unexpected data beyond EOF in block ", "missing chunk number ", "could not access status of transaction ", "contains unexpected zero page at block", "contains corrupted page at block",
			// InnoDB, MyISAM, Aria
			"is in the future! Current system log sequence number", "InnoDB: Corruption of an index tree", "is marked as crashed and ", "Incorrect key file for table", "with error Data structure corruption", "InnoDB: Your database may be corrupt", "InnoDB: Missing FILE_CHECKPOINT", "Aria recovery failed",
			// SQLite
			"database disk image is malformed", "malformed database schema", "file is not a database", "rename the corrupt database file",
			// bbolt and etcd, LevelDB and RocksDB
			"freepages: failed to get all reachable pages", "failed to read WAL, cannot be repaired", "walpb: crc mismatch", "snap: crc mismatch", "Corruption: block checksum mismatch", "Corruption: not an sstable", "Corruption: Bad table magic number", "Corruption: SST file is ahead of WALs", "Corruption: checksum mismatch",
			// Prometheus, Loki
			"Encountered WAL read error, attempting repair", "corruption in segment ", "Deletion of corrupted mmap chunk files", "Loading on-disk chunks failed",
			// Elasticsearch, OpenSearch
			"checksum failed (hardware problem?)", "CorruptIndexException", "TranslogCorruptedException", "codec footer mismatch (file truncated?)", "misplaced codec footer (file truncated?)",
			// MongoDB, Redis
			"read checksum error for ", "Bad file format reading the append only file", "Wrong signature trying to load DB from file", "Internal error in RDB reading offset", "Short read or OOM loading DB", "Unexpected end of file reading the append only file",
			// backups: Proxmox's, restic, Borg
			"detected chunk with wrong digest", "ciphertext verification failed", "Segment entry checksum mismatch",
		),
		said(incident.AppIO, "drive is faulty", "Operating system error number 5 in a file operation", "fsync() returned EIO"),
		said(incident.SuddenStop,
			"database system was not properly shut down", "database system was interrupted", "InnoDB: Database was not shut", "InnoDB: Starting crash recovery", "Detected unclean shutdown",
		),
		said(incident.SlowSync, "AOF fsync is taking too long"),
		said(incident.NotScheduled, "absolute clock which is above the warn threshold"), // Elasticsearch
		said(incident.NoSpace,
			"FORBIDDEN/12/index read-only", "TOO_MANY_REQUESTS/12/disk usage exceeded", "minimum free drive threshold", "Operating system error number 28 in a file operation", "drive path full", "mysqld: Disk full (",
		),
		said(incident.AppNoMemory, "was terminated by signal 9: Killed", "OOM command not allowed when used memory"),
		said(incident.MemberLost, "WSREP: no nodes coming from prim view", "failed to reach primary view"),
		said(incident.QuorumLost, "no online disks found"), // MinIO
		said(incident.MemberLeft,
			"prober detected unhealthy status", "is unhealthy: failed to commit proposal", "failed to reach the peer URL", "dropped internal Raft message since sending buffer is full", "etcdserver: leader changed", "etcdserver: no leader", // etcd
			"master not discovered", "master node changed {previous", // Elasticsearch
			"terminating walreceiver due to timeout", "terminating walsender process due to replication timeout",
		),
		[]signature{
			{has: "was shutdown cleanly", kind: incident.SuddenStop, device: nothing, and: "could not validate"}, // Home Assistant, about its database
			{has: "could not read block ", kind: incident.AppDamaged, device: nothing, and: ": read only "},      // PostgreSQL, for a file that shrank
			{has: "loose object ", kind: incident.AppDamaged, device: nothing, and: "is corrupt"},                // Git
			{has: "object file ", kind: incident.AppDamaged, device: nothing, and: "is empty"},
			{has: "opening storage failed", kind: incident.AppDamaged, device: nothing, not: []string{"lock", "denied", "space", "read-only"}}, // Prometheus
			{has: "disk I/O error", kind: incident.AppIO, device: nothing, or: []string{"qlite", "SQLITE", "SQLSTATE", "database", "SQL"}},
			{has: "was terminated by signal 11", kind: incident.Segfault, device: before(" (PID")},
			{has: "Semaphore wait has lasted > ", kind: incident.HungTask, device: nothing, and: "hung"},
			{has: "high disk watermark [", kind: incident.NoSpace, device: nothing, and: "exceeded"},
			{has: "offline: unable to write+read", kind: incident.CommandTimeout, device: nothing}, // MinIO
			{has: "waiting for ReadIndex response took too long", kind: incident.SlowSync, device: nothing},
		},
	)
}
