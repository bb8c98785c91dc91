package read

import "assay/incident"

// cacheSignatures match messages of RAID controllers and their tools about the write cache
// and the battery or capacitors that preserve it.
var cacheSignatures = []signature{
	// HPE Smart Array: ssacli, hpssacli, its log
	{has: "Cache Status: ", kind: incident.RAIDCache, device: nothing, or: []string{"Disabled", "Failed", "Not Configured - "}},
	{has: "Cache Status Details: ", kind: incident.RAIDCache, device: nothing, or: []string{"isabled", "ailed", "replace"}},
	{has: "Cache Disable Reason: ", kind: incident.RAIDCache, device: nothing},
	{has: "Battery/Capacitor Status: ", kind: incident.RAIDCache, device: nothing, not: []string{"Status: OK"}},
	{has: "attery/Capacitor ", kind: incident.RAIDCache, device: nothing, or: []string{"Failed", "Replace"}},
	{has: "posted write cache has been disabled", kind: incident.RAIDCache, device: nothing},
	{has: "ache Accelerator Battery Failure", kind: incident.RAIDCache, device: nothing},
	{has: "Smart Storage Battery", kind: incident.RAIDCache, device: nothing, or: []string{"ailed", "ailure", "exceeded the maximum"}},
	{has: "Accelerator status: Temporarily disabled", kind: incident.RAIDCache, device: nothing},
	{has: "Accelerator status: Permanently disabled", kind: incident.RAIDCache, device: nothing},
	// MegaRAID, PERC, ServeRAID: the driver's events, MegaCli, storcli, omreport
	{has: "disabled; changing WB virtual disks to WT", kind: incident.RAIDCache, device: nothing},
	{has: "Battery Replacement required", kind: incident.RAIDCache, device: nothing, and: ": Yes"},
	{has: "attery needs replacement", kind: incident.RAIDCache, device: nothing, not: []string{"UPS"}},
	{has: "Battery has failed and cannot support data retention", kind: incident.RAIDCache, device: nothing},
	{has: "Battery State", kind: incident.RAIDCache, device: nothing, or: []string{": Failed", ": Degraded", ": Missing", ": Faulty"}},
	{has: "Battery Pack Missing", kind: incident.RAIDCache, device: nothing, and: ": Yes"},
	{has: "Pack is about to fail & should be replaced", kind: incident.RAIDCache, device: nothing, and: ": Yes"},
	{has: "Remaining Capacity Low", kind: incident.RAIDCache, device: nothing, and: ": Yes"},
	{has: "Battery/charger problems detected", kind: incident.RAIDCache, device: nothing},
	{has: "due to memory/battery problems", kind: incident.RAIDCache, device: nothing, and: "ache"},
	{has: "Controller cache pinned for missing", kind: incident.RAIDCache, device: nothing},
	{has: "Unable to recover cache data from", kind: incident.RAIDCache, device: nothing},
	{has: "BBU", kind: incident.RAIDCache, device: nothing, or: []string{"BBU failed", "BBU Failed", "BBU is failed", "BBU replacement", "BBU not present", "BBU removed", "BBU Fault"}},
	{has: "acheVault", kind: incident.RAIDCache, device: nothing, or: []string{"ailed", "egraded", "eplacement required Yes"}},
	{has: "CVPM", kind: incident.RAIDCache, device: nothing, or: []string{" Failed ", " Dgd ", " Degraded"}},
	{has: "Replacement required", kind: incident.RAIDCache, device: nothing, or: []string{"required Yes", "required  Yes"}},
	{has: "attery on Controller", kind: incident.RAIDCache, device: nothing, or: []string{"failed", "Failed", "degraded", "Degraded", "replace"}},
	{has: "ontroller battery", kind: incident.RAIDCache, device: nothing, or: []string{"failed", "degraded", "needs to be replaced", "low"}},
	{has: "PERC", kind: incident.RAIDCache, device: nothing, or: []string{"battery has failed", "Battery: Failed", "battery is low"}},
	{has: "ROMB Battery", kind: incident.RAIDCache, device: nothing, or: []string{"| Failed", "| Low"}},
	// Adaptec, 3ware, Areca
	{has: "Status", kind: incident.RAIDCache, device: nothing, or: []string{"ZMM not installed", "ZMM Failed"}},
	{has: "upercap", kind: incident.RAIDCache, device: nothing, or: []string{"ailed", "Dead", "fault"}},
	{has: "Battery capacity test failed", kind: incident.RAIDCache, device: nothing},
	{has: "Battery is not present", kind: incident.RAIDCache, device: nothing, or: []string{"3w-", "twa", "tws"}},
	{has: "Battery charging fault", kind: incident.RAIDCache, device: nothing},
	{has: "Battery voltage is ", kind: incident.RAIDCache, device: nothing, or: []string{"low", "too low"}},
	{has: "Battery Status", kind: incident.RAIDCache, device: nothing, or: []string{": Failed", ": Not Installed", "Failure"}, not: []string{"UPS"}},
}
