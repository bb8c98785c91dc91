package exposition

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/oneline"
	"assay/stats"
)

// Influx writes the figures of a run as Influx line protocol: one line per figure, with its
// metric as the measurement and the start of the run as the time. Fields are value (the
// median), low and high (the interval, where there is one), repeats, and rejected.
func Influx(w io.Writer, run assay.Run) error {
	out := bufio.NewWriter(w)
	for _, f := range FiguresOf(run) {
		s := stats.Summarise(f.Values)
		write(out, influxName.Replace(f.Metric))
		tags := map[string]string{"run": run.ID}
		for _, p := range f.identity(run.Suite) {
			tags[p.name] = p.value
		}
		for _, name := range slices.Sorted(maps.Keys(tags)) { // sorted tags are read fastest
			write(out, ",", influxTag.Replace(name), "=", tagValue(tags[name]))
		}
		write(out, " value=", number(s.Center))
		if s.Level > 0 {
			write(out, ",low=", number(s.Low), ",high=", number(s.High))
		}
		write(out, ",repeats=", strconv.Itoa(s.N), "i,rejected=", strconv.FormatBool(f.Rejected), " ", strconv.FormatInt(run.Started.UnixNano(), 10), "\n")
	}
	return out.Flush()
}

var (
	influxName = strings.NewReplacer(",", `\,`, " ", `\ `)
	influxTag  = strings.NewReplacer(",", `\,`, "=", `\=`, " ", `\ `)
)

// tagValue escapes characters that would end a tag. Line protocol cannot express a
// backslash before an escape or at the end, so backslashes become slashes.
func tagValue(text string) string {
	return influxTag.Replace(strings.ReplaceAll(oneline.Clean(text), `\`, "/"))
}
