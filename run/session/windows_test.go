package session

import (
	"testing"

	"assay"
	"assay/probe/fio"
	"assay/probe/sysbench"
)

// A guest of Windows lacks no tool that nothing measures it with.
func TestToolsOfWindows(t *testing.T) {
	s := &Session{probes: []assay.Probe{sysbench.New(), fio.New()}}
	tools := s.toolsOn(assay.Facts{OS: assay.OSFacts{Windows: true}})
	if len(tools) != 1 || tools[0].Tool != "fio" || tools[0].State != "missing" {
		t.Errorf("%+v", tools)
	}
	if tools := s.toolsOn(assay.Facts{}); len(tools) != 2 {
		t.Errorf("on Linux: %+v", tools)
	}
}
