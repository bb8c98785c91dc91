package rados

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay"
	"assay/internal/jsondoc"
)

// document finds the JSON document of --format in an output: the line "hints =
// 1" may precede it. It returns nil if the output is text.
func document(text []byte) (doc []byte, first int, err error) {
	at := 0
	for at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := bytes.TrimSpace(text[at : at+end])
		if bytes.HasPrefix(line, []byte("{")) {
			break
		}
		if len(line) > 0 && !bytes.HasPrefix(line, []byte("hints = ")) {
			return nil, 0, nil
		}
		at += end + 1
	}
	if at >= len(text) {
		return nil, 0, nil
	}
	first = 1 + bytes.Count(text[:at], []byte("\n"))
	var raw json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(text[at:])).Decode(&raw); err != nil {
		return nil, 0, assay.WithHint("keep standard error out of the output: 2>/dev/null", "rados bench's line %d: broken or truncated JSON", first)
	}
	return raw, first, nil
}

// keys are those of the summary. Some versions write "max_latency:".
var keys = []struct {
	word  word
	names []string
	op    string
}{
	{totalTime, []string{"total_time_run"}, ""},
	{opsMade, []string{"total_writes_made"}, "write"}, {opsMade, []string{"total_reads_made"}, "read"},
	{opSize, []string{"write_size"}, "write"}, {opSize, []string{"read_size"}, "read"},
	{objectSize, []string{"object_size"}, ""},
	{bandwidth, []string{"bandwidth"}, ""}, {bandwidthStddev, []string{"stddev_bandwidth"}, "write"},
	{bandwidthMax, []string{"max_bandwidth"}, "write"}, {bandwidthMin, []string{"min_bandwidth"}, "write"},
	{iops, []string{"average_iops"}, ""}, {iopsStddev, []string{"stddev_iops"}, ""},
	{iopsMax, []string{"max_iops"}, ""}, {iopsMin, []string{"min_iops"}, ""},
	{latency, []string{"average_latency"}, ""}, {latencyStddev, []string{"stddev_latency"}, "write"},
	{latencyMax, []string{"max_latency", "max_latency:"}, ""}, {latencyMin, []string{"min_latency"}, ""},
}

func readJSON(text []byte, first int) ([]printed, error) {
	n, err := jsondoc.Parse(text, first)
	if err != nil {
		return nil, fmt.Errorf("rados bench: %w", err)
	}
	var head printed
	column := make([]printed, 1)
	for _, k := range keys {
		for _, name := range k.names {
			v := n.At(name)
			if !v.Exists() {
				continue
			}
			if k.word == iopsStddev && !strings.Contains(v.Text(), ".") {
				continue // a memory address, printed as a whole number
			}
			text := v.Text()
			if x, ok := v.Number(); ok && text == "" {
				text = fmt.Sprint(x)
			}
			if err := put(column, summary{word: k.word, op: k.op, text: name, values: []string{text}}, v.Line()); err != nil {
				return nil, err
			}
		}
	}
	positive := func(key string) string {
		if v, ok := n.At(key).Number(); ok && v > 0 && v < mostPrinted {
			return whole(v)
		}
		return ""
	}
	head.threads, head.opSize, head.objectSize = positive("concurrent_ios"), positive("op_size"), positive("object_size")
	if head.threads != "" {
		head.op = "write"
	}
	head.prefix = n.At("object_prefix").Text()
	for _, d := range n.At("datas").List() {
		if r, ok := jsonRow(d); ok {
			head.rows = append(head.rows, r)
		}
	}
	return merged(head, column)
}

func jsonRow(d jsondoc.Node) (row, bool) {
	r := row{line: d.Line()}
	for key, to := range map[string]*float64{
		"sec": &r.second, "finished": &r.finished, "avg_bw": &r.average, "cur_bw": &r.current, "avg_lat": &r.latency,
	} {
		v, ok := d.At(key).Number()
		if !ok || !(v >= -1 && v < mostPrinted) {
			return row{}, false
		}
		*to = v
	}
	return r, true
}
