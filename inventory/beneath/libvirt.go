package beneath

import (
	"cmp"
	"encoding/xml"
	"fmt"

	"assay"
)

// domain is the part of a domain's XML that is used.
type domain struct {
	XMLName xml.Name `xml:"domain"`
	CPU     struct {
		Mode  string `xml:"mode,attr"`
		Model string `xml:"model"`
	} `xml:"cpu"`
	OS struct {
		Type struct {
			Machine string `xml:"machine,attr"`
		} `xml:"type"`
	} `xml:"os"`
	Disks []struct {
		Device string `xml:"device,attr"`
		Driver struct {
			Cache    string `xml:"cache,attr"`
			IO       string `xml:"io,attr"`
			IOThread string `xml:"iothread,attr"`
		} `xml:"driver"`
		Source struct {
			File string `xml:"file,attr"`
			Dev  string `xml:"dev,attr"`
			Name string `xml:"name,attr"` // of an image in a pool
			Pool string `xml:"pool,attr"`
			Vol  string `xml:"volume,attr"`
		} `xml:"source"`
		Target struct {
			Dev string `xml:"dev,attr"`
			Bus string `xml:"bus,attr"`
		} `xml:"target"`
		Serial string `xml:"serial"`
	} `xml:"devices>disk"`
}

// Libvirt parses a domain's XML, as printed by virsh dumpxml. If no cache mode is set,
// QEMU uses writeback.
func Libvirt(text []byte) (assay.GuestFacts, error) {
	var d domain
	if err := xml.Unmarshal(text, &d); err != nil {
		return assay.GuestFacts{}, fmt.Errorf("not the XML of a domain: %w", err)
	}
	f := assay.GuestFacts{CPU: cmp.Or(d.CPU.Mode, d.CPU.Model), Machine: d.OS.Type.Machine}
	if d.CPU.Mode == "custom" {
		f.CPU = d.CPU.Model
	}
	for _, k := range d.Disks {
		if k.Device != "" && k.Device != "disk" && k.Device != "lun" {
			continue
		}
		cache := k.Driver.Cache
		if cache == "" || cache == "default" {
			cache = "writeback"
		}
		f.Disks = append(f.Disks, assay.GuestDisk{
			Name: k.Target.Dev, Bus: k.Target.Bus, Serial: k.Serial, Cache: cache, AIO: k.Driver.IO, IOThread: k.Driver.IOThread != "",
			Storage: k.Source.Pool, Source: cmp.Or(k.Source.File, k.Source.Dev, k.Source.Name, k.Source.Vol),
		})
	}
	return f, nil
}
