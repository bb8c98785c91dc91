package zfs

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Device is a device of a pool, as the kernel sees it.
type Device struct {
	Path   string
	Name   string // kernel name
	Disk   string // kernel name of the disk, or of the disk it is on
	Sector int64  // B, physical
}

// DeviceColumns are the columns that ReadDevices parses: lsblk --pairs --nodeps
// --output DeviceColumns.
const DeviceColumns = "PATH,KNAME,PKNAME,PHY-SEC"

// Some versions of lsblk print PHY_SEC.
var pair = lazyregexp.New(`([A-Z_-]+)="([^"]*)"`)

// ReadDevices parses lsblk --pairs --nodeps --output DeviceColumns.
func ReadDevices(text []byte) ([]Device, error) {
	var all []Device
	for line := range strings.Lines(string(text)) {
		values := map[string]string{}
		for _, m := range pair.FindAllStringSubmatch(line, -1) {
			values[strings.ReplaceAll(m[1], "_", "-")] = m[2]
		}
		d := Device{Path: values["PATH"], Name: values["KNAME"], Disk: values["PKNAME"]}
		if d.Path == "" || d.Name == "" {
			continue
		}
		if d.Disk == "" {
			d.Disk = d.Name
		}
		d.Sector, _ = strconv.ParseInt(values["PHY-SEC"], 10, 64)
		all = append(all, d)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("lsblk: %w", assay.ErrNoOutput)
	}
	return all, nil
}
