package smart

import (
	"errors"
	"fmt"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// smartctl's exit status is a bit mask, see "EXIT STATUS" in smartctl(8). The
// low three bits mean that the command failed, the others describe the disk.
const (
	notParsed     = 1 << 0 // the command line did not parse
	notOpened     = 1 << 1 // the device could not be opened or did not identify itself
	commandFailed = 1 << 2 // a command to the disk failed, or a checksum was wrong
	diskFailing   = 1 << 3

	prefailAtThreshold = 1 << 4
	onceAtThreshold    = 1 << 5
	logHasErrors       = 1 << 6
)

var news = []struct {
	bit  int
	text string
}{
	{commandFailed, "a SMART command failed"},
	{diskFailing, "disk failing"},
	{prefailAtThreshold, "a prefail attribute is at its threshold"},
	{onceAtThreshold, "an attribute was at its threshold in the past"},
	{logHasErrors, "the error log has entries"},
	{1 << 7, "a self-test failed"},
}

// errAsleep is in the error chain if smartctl did not wake the drive, as
// requested.
var errAsleep = errors.New("it was not woken up")

// lowPower matches the message of smartctl -n when it leaves a drive alone.
var lowPower = lazyregexp.New(`Device is in ([A-Z_]+( \(OS\))?) mode, exit\(`)

// lowPowerMode returns the mode in which smartctl left the drive alone:
// standby, sleep; "" if it did not.
func lowPowerMode(out []byte) string {
	match := lowPower.FindSubmatch(out)
	if match == nil {
		return ""
	}
	return strings.ToLower(string(match[1]))
}

func wakeHint(device string) string {
	if device == "" {
		device = "/dev/sdX"
	}
	return "wake it up first, for example with: dd if=" + device + " of=/dev/null count=1 iflag=direct"
}

// newsOf describes the bits that are about the disk.
func newsOf(status int) string {
	var words []string
	for _, n := range news {
		if status&n.bit != 0 {
			words = append(words, n.text)
		}
	}
	return strings.Join(words, ", ")
}

// exitStatus returns the mask, and an error if the disk was not queried at all.
// The document's own field takes precedence: a pasted document has no other.
func exitStatus(doc node, exit int) (int, error) {
	if !doc.at("smartctl").exists() && !doc.at("device").exists() {
		return 0, fmt.Errorf("not a document of smartctl: %w", assay.ErrNoOutput)
	}
	status := exit
	if s, ok := doc.at("smartctl", "exit_status").number(); ok && s >= 0 && s < 256 {
		status = int(s)
	}
	if status&(notParsed|notOpened) != 0 {
		return status, complaint(doc, status)
	}
	return status, nil
}

// complaint returns smartctl's own messages of severity error, with a hint.
func complaint(doc node, status int) error {
	text := messages(doc)
	if text == "" {
		text = fmt.Sprintf("exit status %d", status)
	}
	return assay.WithHint(hintFor(text), "smartctl: %s", text)
}

func messages(doc node) string {
	var texts []string
	for _, m := range doc.at("smartctl", "messages").list() {
		if text := m.at("string").text(); text != "" && m.at("severity").text() == "error" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

func hintFor(text string) string {
	switch {
	case strings.Contains(text, "Permission denied"):
		return "run assay as root or with sudo"
	case strings.Contains(text, "Unable to detect device type"):
		return "a virtual disk has no SMART data of its own: check on the hypervisor"
	case strings.Contains(text, "Unknown USB bridge"), strings.Contains(text, "-d option"):
		return "smartctl --scan-open lists the matching device types"
	}
	return ""
}

// whyNothing explains why a document has no figures.
func whyNothing(doc node, status int) error {
	if supported, known := doc.at("smart_support", "available").truth(); known && !supported {
		return fmt.Errorf("the drive reports no SMART support: %w", assay.ErrNoOutput)
	}
	if enabled, known := doc.at("smart_support", "enabled").truth(); known && !enabled {
		return assay.WithHint("enable it with smartctl -s on DEVICE", "SMART is disabled on the drive: %w", assay.ErrNoOutput)
	}
	if text := messages(doc); text != "" {
		return complaint(doc, status)
	}
	return fmt.Errorf("smartctl reached the drive and found no SMART data (exit status %d): %w", status, assay.ErrNoOutput)
}
