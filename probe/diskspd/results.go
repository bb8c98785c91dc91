package diskspd

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// results is DiskSpd's XML. Its structure is that of XmlResultParser.cpp and
// Common.cpp in microsoft/diskspd, from 2.0.20 to 2.3: elements were added and none
// moved.
type results struct {
	XMLName xml.Name `xml:"Results"`
	Version string   `xml:"System>Tool>Version"`
	Asked   []asked  `xml:"Profile>TimeSpans>TimeSpan"`
	Spans   []span   `xml:"TimeSpan"`
}

// asked is the workload requested of DiskSpd.
type asked struct {
	Duration    string   `xml:"Duration"`
	ThreadCount string   `xml:"ThreadCount"` // of -F: threads for all targets together
	RandomData  string   `xml:"RandomWriteData"`
	Targets     []target `xml:"Targets>Target"`
}

type target struct {
	BlockSize       string   `xml:"BlockSize"`
	DisableAllCache string   `xml:"DisableAllCache"` // before 2.0.17, and when an old profile is read
	DisableOSCache  string   `xml:"DisableOSCache"`
	WriteThrough    string   `xml:"WriteThrough"`
	Content         string   `xml:"WriteBufferContent>Pattern"`
	Random          *string  `xml:"Random"`
	RandomRatio     string   `xml:"RandomRatio"`
	RequestCount    string   `xml:"RequestCount"`
	WriteRatio      string   `xml:"WriteRatio"`
	Throughput      throttle `xml:"Throughput"`
}

type throttle struct {
	Unit  string `xml:"unit,attr"` // IOPS, else bytes per millisecond
	Value string `xml:",chardata"`
}

// span is one measured time span.
type span struct {
	Error       string   `xml:"Error"`
	Seconds     number   `xml:"TestTimeSeconds"`
	ThreadCount number   `xml:"ThreadCount"`
	Busy        number   `xml:"CpuUtilization>Average>UsagePercent"`
	ReadMean    number   `xml:"Latency>AverageReadMilliseconds"`
	ReadStdDev  number   `xml:"Latency>ReadLatencyStdev"`
	WriteMean   number   `xml:"Latency>AverageWriteMilliseconds"`
	WriteStdDev number   `xml:"Latency>WriteLatencyStdev"`
	Centiles    []centil `xml:"Latency>Bucket"`
	ReadRates   number   `xml:"Iops>ReadIopsStdDev"`
	WriteRates  number   `xml:"Iops>WriteIopsStdDev"`
	Samples     []sample `xml:"Iops>Bucket"`
	Moved       []moved  `xml:"Thread>Target"`
}

// centil is a percentile; 0 is the minimum and 100 the maximum.
type centil struct {
	Percent number `xml:"Percentile"`
	Read    number `xml:"ReadMilliseconds"`
	Write   number `xml:"WriteMilliseconds"`
}

// sample holds the rates per second from the previous sample until a moment.
type sample struct {
	Until amount `xml:"SampleMillisecond,attr"`
	Read  amount `xml:"Read,attr"`
	Write amount `xml:"Write,attr"`
}

// moved is what one thread did on one target.
type moved struct {
	Path       string `xml:"Path"`
	FileSize   number `xml:"FileSize"`
	ReadBytes  number `xml:"ReadBytes"`
	ReadCount  number `xml:"ReadCount"`
	WriteBytes number `xml:"WriteBytes"`
	WriteCount number `xml:"WriteCount"`
}

// number is the text of an element, with its line in the XML.
type number struct {
	v    float64
	set  bool
	line int
}

// UnmarshalXML implements xml.Unmarshaler.
func (n *number) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	n.line, _ = d.InputPos()
	var text string
	if err := d.DecodeElement(&text, &start); err != nil {
		return err
	}
	v, err := quantity(text)
	if err != nil {
		return fmt.Errorf("%s: %w", start.Name.Local, err)
	}
	n.v, n.set = v, true
	return nil
}

// amount is the text of an attribute.
type amount float64

// UnmarshalXMLAttr implements xml.UnmarshalerAttr.
func (a *amount) UnmarshalXMLAttr(attr xml.Attr) error {
	v, err := quantity(attr.Value)
	if err != nil {
		return fmt.Errorf("%s: %w", attr.Name.Local, err)
	}
	*a = amount(v)
	return nil
}

// quantity parses a count or a measured amount.
func quantity(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 1e18 {
		return 0, fmt.Errorf("%.40q is not an amount", text)
	}
	return v, nil
}

var opening, closing = []byte("<Results>"), []byte("</Results>")

// readResults parses DiskSpd's output: its XML, with any text before and after it. File names
// are in it unescaped, in a Windows code page and possibly with &. The second result is the
// line before the XML's first.
func readResults(stdout []byte) (r results, before int, err error) {
	from := bytes.Index(stdout, opening)
	if from < 0 {
		return r, 0, fmt.Errorf("no results of DiskSpd: %w", assay.ErrNoOutput)
	}
	text := stdout[from:]
	to := bytes.LastIndex(text, closing)
	if to < 0 {
		return r, 0, fmt.Errorf("DiskSpd's results end before their end: %w", assay.ErrNoOutput)
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(text[:to+len(closing)], []byte("?"))))
	d.Strict = false
	if err := d.Decode(&r); err != nil {
		return r, 0, fmt.Errorf("DiskSpd's results: %w", err)
	}
	return r, bytes.Count(stdout[:from], []byte("\n")), nil
}
