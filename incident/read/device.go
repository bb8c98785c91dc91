package read

import "strings"

// device returns the first word of a message that names a block device or the port it
// is attached to: sdk, nvme0n1, ata4, md0, mmc0.
func device(text string) string {
	for at := 0; at < len(text); {
		for at < len(text) && !wordByte(text[at]) {
			at++
		}
		end := at
		for end < len(text) && wordByte(text[end]) {
			end++
		}
		if end > at {
			w := strings.TrimRight(text[at:end], "-.")
			if isDevice(w) {
				return w
			}
			// The journal of an ext4 on sdm is "sdm-8", on dm-3 "dm-3-8".
			if cut := strings.LastIndexByte(w, '-'); cut > 0 && isDevice(w[:cut]) && digits(w[cut+1:]) {
				return w[:cut]
			}
		}
		at = end
	}
	return ""
}

func wordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b == '-' || b == '_' || b == '.'
}

// isDevice reports whether w is a kernel name for a block device.
func isDevice(w string) bool {
	if len(w) < 3 || len(w) > 16 {
		return false
	}
	switch {
	case strings.HasPrefix(w, "sd"), strings.HasPrefix(w, "vd"), strings.HasPrefix(w, "hd"):
		return letters(w[2:], 1, 3)
	case strings.HasPrefix(w, "xvd"):
		return letters(w[3:], 1, 2)
	case strings.HasPrefix(w, "nvme"), strings.HasPrefix(w, "mmcblk"), strings.HasPrefix(w, "mmc"), strings.HasPrefix(w, "rbd"),
		strings.HasPrefix(w, "drbd"), strings.HasPrefix(w, "loop"), strings.HasPrefix(w, "nbd"), strings.HasPrefix(w, "md"), strings.HasPrefix(w, "zd"):
		rest := strings.TrimLeft(w, "abcdefghijklmnopqrstuvwxyz")
		return rest != "" && rest[0] >= '0' && rest[0] <= '9' && strings.Trim(rest, "0123456789np") == ""
	case strings.HasPrefix(w, "dm-"):
		return digits(w[3:])
	case strings.HasPrefix(w, "ata"):
		port, _, _ := strings.Cut(w[3:], ".")
		return digits(port)
	}
	return false
}

// letters reports whether s is between least and most letters, then digits or nothing.
func letters(s string, least, most int) bool {
	rest := strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz")
	n := len(s) - len(rest)
	return n >= least && n <= most && (rest == "" || digits(rest) && len(rest) < 4)
}

// blockDevice is device without the device number of an ATA port: ata4 for ata4.00.
func blockDevice(text string) string {
	name := device(text)
	if strings.HasPrefix(name, "ata") {
		name, _, _ = strings.Cut(name, ".")
	}
	return name
}

// after returns the word after a mark, up to a blank or punctuation.
func after(mark string) func(string) string {
	return func(text string) string {
		_, rest, ok := strings.Cut(text, mark)
		if !ok {
			return ""
		}
		return word(rest)
	}
}

// before returns the word before a mark, without a colon.
func before(mark string) func(string) string {
	return func(text string) string {
		head, _, ok := strings.Cut(text, mark)
		if !ok {
			return ""
		}
		fields := strings.Fields(head)
		if len(fields) == 0 {
			return ""
		}
		return word(strings.TrimRight(fields[len(fields)-1], ":,"))
	}
}

func word(s string) string {
	s = strings.TrimLeft(s, " '\"(/")
	end := strings.IndexAny(s, " ,;:)]'\"\t")
	if end >= 0 {
		s = s[:end]
	}
	if len(s) > 64 {
		s = s[:64]
	}
	return s
}

// pci returns the address of a PCI device: 0000:01:00.0.
func pci(text string) string {
	for at := 0; at+12 <= len(text); at++ {
		w := text[at : at+12]
		if w[4] == ':' && w[7] == ':' && w[10] == '.' && hex(w[:4]) && hex(w[5:7]) && hex(w[8:10]) {
			return w
		}
	}
	return ""
}

func hex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// usbPort returns the port or disk in a message: "usb 2-1.4: reset …" and "sd 6:0:0:0:
// [sdb] …".
func usbPort(text string) string {
	if _, rest, ok := strings.Cut(text, "usb "); ok {
		return "usb " + word(rest)
	}
	return blockDevice(text)
}

// iface returns the first word of a message that names a network interface.
func iface(text string) string {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:;()[]'\"", r) }) {
		for _, prefix := range []string{"eth", "enp", "eno", "ens", "enx", "enP", "bond", "ib", "wlan", "wlp", "vmbr", "br", "nic"} {
			if rest, ok := strings.CutPrefix(f, prefix); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' && len(f) <= 20 {
				return f
			}
		}
	}
	return ""
}

// port returns the interface that a driver or systemd-networkd message is about,
// whatever its name.
func port(text string) string {
	if name := iface(text); name != "" {
		return name
	}
	for _, mark := range []string{": NIC Link", ": Link is ", ": Lost carrier", ": Detected Hardware Unit Hang"} {
		if name := before(mark)(text); name != "" {
			return name
		}
	}
	return ""
}

// camDevice returns the drive at the start of a FreeBSD CAM line: ada0 in
// "(ada0:ahcich0:0:0:0): …".
func camDevice(text string) string {
	_, rest, _ := strings.Cut(text, "(")
	return word(rest)
}

// nothing names no device.
func nothing(string) string { return "" }
