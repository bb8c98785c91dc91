package read

import (
	"slices"

	"assay/incident"
)

// refusedDaemon returns signatures for systemd, package managers, boot loaders, databases
// and drivers complaining about something set wrong, left out or unfinished.
func refusedDaemon() []signature {
	return slices.Concat(
		said(incident.Refused,
			// systemd
			"status=203/EXEC", "status=217/USER", "status=216/GROUP", "status=226/NAMESPACE", "status=200/CHDIR", "status=218/CAPABILITIES", "status=209/STDOUT", "status=238/STATE_DIRECTORY", "has a bad unit file setting", "ailed to load environment files", "lacks both ExecStart=", "Found ordering cycle on ",
			"Job is destructive", "code=exited, status=78/CONFIG",
			// packages
			"dpkg: error processing ", "have unmet dependencies", "held broken packages", "Could not get lock /var/lib/dpkg/lock", "Could not get lock /var/lib/apt", "Transaction check error", "requires a newer version of", "no longer has a Release file",
			// boot
			"bad shim signature", "Security Violation", "SBAT self-check failed", "has invalid signature", "you need to load the kernel first", "/etc/kernel/proxmox-boot-uuids does not exist", "No /etc/kernel/proxmox-boot-uuids found", "no ESP configured", "EFI variables are not supported on this system",
			"/boot/initrd.img does not exist", "update-initramfs: failed for", "grub-install: error: ", "embedding is not possible", "cannot find EFI directory",
			// host networking
			"RTNETLINK answers: File exists", "RTNETLINK answers: Operation not supported", "RTNETLINK answers: Invalid argument", "RTNETLINK answers: Numerical result out of range", "Cannot find device \"", "rror changing net interface name", "interface not recognized", "ifup: unknown interface", "ifup: couldn't read interfaces file",
			"unknown interface ", "is not a bridge", "is already a member of a bridge", "Error: Device does not allow enslaving", "can't enslave", "bonding mode to 802.3ad because",
			// names and logins
			"bad ownership or modes", "UNPROTECTED PRIVATE KEY FILE", "no matching host key type found", "no matching key exchange method found", "no matching cipher found", "Bad configuration option", "Host key verification failed", "PAM unable to dlopen", "is not in the sudoers file", "account is locked",
			"kinit: ", "KDC has no support for encryption type", "Preauthentication failed",
			// databases and mail
			"database files are incompatible with server", "was initialized by PostgreSQL version", "has wrong ownership", "has group or world access", "no pg_hba.conf entry for", "lock file \"postmaster.pid\" already exists", "unknown variable '", "Unable to lock ./ibdata1", "Upgrade after a crash is not supported", "Invalid MySQL server downgrade", "Invalid MySQL server upgrade",
			"Cannot upgrade server earlier than", "Wrong data dictionary version", "remaining connection slots are reserved", "too many clients already", "could not create shared memory segment", "password authentication failed for user", "Fatal error, can't open config file", "FATAL CONFIG FILE ERROR", "UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion",
			"IncompatibleServerVersion", "vm.max_map_count [65530] is too low", "max virtual memory areas vm.max_map_count", "Can't handle RDB format version", "failed to obtain node locks", "cannot downgrade a node from version", "cannot upgrade a node from version",
			// settings of the kernel and of software built for it
			"Invalid module format", "version magic '", "Unknown symbol in module", "not allowed while in lockdown", "sysctl: cannot stat",
			"Kernel configuration is invalid", "no kernel headers", "Your kernel headers for kernel", "NVRM: API mismatch", "Driver/library version mismatch", "Failed to initialize NVML", "nvidia-container-cli: initialization error",
			// what keeps a program from starting again
			"pidfile exists", "already running with PID", "is another instance running", "Lock file exists", "stale lock", "Unable to acquire lock", "already locked by", "lock is held by", "error acquiring the state lock", "unable to create lock",
			"another copy is running", "Another instance of", "daemon already running", "lockfile exists",
		),
		[]signature{
			{has: "error: symbol `", kind: incident.Refused, device: nothing, and: "' not found"}, // GRUB, of a version that does not fit
			{has: "error: file `", kind: incident.Refused, device: nothing, and: "' not found"},
			{has: "Unit ", kind: incident.Refused, device: nothing, and: " is masked"},
			{has: "bridge port ", kind: incident.Refused, device: nothing, or: []string{"does not exist", "not found"}},
			{has: "are too open", kind: incident.Refused, device: nothing, and: "Permissions "},
			{has: ": permission denied", kind: incident.Refused, device: nothing, or: []string{"open /", "mkdir /", "unlink", "chown /", "chmod /", "stat /", "exec", "create", "write"}},
			{has: "Permission denied", kind: incident.Refused, device: nothing, or: []string{"initdb: ", "ould not open", "ould not access file", "annot open", "annot create", "an't open", "an't create", "touch: ", "mkdir: ", "chown: ", "chmod: ", "Errno 13", "(13)", "errno: 13", "rsync: "}},
			{has: "hown: changing ownership of", kind: incident.Refused, device: nothing, and: "not permitted"},
			{has: "apt-", kind: incident.Refused, device: nothing, or: []string{"unmet dependencies", "not fully installed"}},
			{has: "firmware", kind: incident.Refused, device: nothing, or: []string{"no suitable firmware found", "an't load firmware", "ailed to load firmware chunk", "ailed to load firmware image", "irmware file not found", "irmware file missing", "irmware version mismatch", "irmware is too old", "requires firmware version", "irmware not found", "firmware-linux-nonfree", "make sure the firmware", "please install firmware"}},
		},
	)
}
