package zfs

import (
	"fmt"
	"strings"

	"assay"
)

// ReadVersion parses zfs version: the version of the tools, and that of the kernel
// module, "" if it is not loaded.
func ReadVersion(text []byte) (tools, module string, err error) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if v, is := strings.CutPrefix(line, "zfs-kmod-"); is {
			module = strings.TrimPrefix(v, "v")
		} else if v, is := strings.CutPrefix(line, "zfs-"); is && tools == "" {
			tools = v
		}
	}
	if tools == "" {
		return "", "", fmt.Errorf("zfs version: %w", assay.ErrNoOutput)
	}
	return tools, module, nil
}
