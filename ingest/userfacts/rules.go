package userfacts

import "strings"

// deciding maps a rule's id to the words that decide it. A rule that is not
// listed is decided by what the tool printed, or not at all.
var deciding = map[string][]string{
	"pcie-ceiling":        {"pcie"},
	"sata-usb-ceiling":    {"sata"},
	"sd-emmc-ceiling":     {"sd"},
	"rated-exceeded":      {"model", "size"},
	"nic-ceiling":         {"nic", "mtu"},
	"nic-underuse":        {"nic", "mtu"},
	"nic-slot":            {"nic", "slot"},
	"lacp-single-flow":    {"nic", "bond"},
	"bdp-window":          {"nic", "mtu", "rtt"},
	"retransmits":         {"mtu"},
	"pairs-missing":       {"nodes"},
	"dram-ceiling":        {"dram"},
	"mem-working-set":     {"llc"},
	"direct-not-honoured": {"fs"},
	"file-lt-ram":         {"ram"},
	"cache-state":         {"available"},
	"compressible":        {"fs"},
	"extent-state":        {"fs"},
	"flush-too-fast":      {"rotational", "plp"},
	"no-plp":              {"write_cache"},
	"turbo-window":        {"turbo_window"},
	"governor":            {"governor"},
	"ceph-ceiling":        {"nic", "nodes", "osds", "replicas", "drive_read", "drive_write"},
	"drbd-floor":          {"protocol", "rtt", "local_latency"},
	"s3-floor":            {"rtt", "nic"},
	"endurance":           {"model", "size"},
}

// For returns the flag that decides a rule whose facts are missing, with
// example values to replace: "--fact pcie=gen3x4". It is "" if no given fact
// decides it.
func For(rule string) string {
	var examples []string
	for _, name := range deciding[rule] {
		examples = append(examples, word(name).Example)
	}
	if examples == nil {
		return ""
	}
	return "--fact " + strings.Join(examples, ",")
}
