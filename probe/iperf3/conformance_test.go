package iperf3_test

import (
	"testing"

	"assay/plan/suite"
	"assay/probe/iperf3"
	"assay/probe/probetest"
)

func TestConformance(t *testing.T) {
	s, err := suite.Load("network")
	if err != nil {
		t.Fatal(err)
	}
	probetest.Test(t, iperf3.New(), s.Cases)
	probetest.TestReader(t, iperf3.New())
}
