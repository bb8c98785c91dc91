package userfacts

import "strings"

// deciding are the words that decide a rule, by the rule's id. A rule that
// stands not here is decided by what the tool printed, or not at all.
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

// For returns the flag that decides a rule where its facts are missing, with
// values that are to be replaced: "--fact pcie=gen3x4". It is "" where no given
// fact does.
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
