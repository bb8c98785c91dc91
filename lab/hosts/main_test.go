package hosts

import (
	"os"
	"testing"

	"assay/internal/patient"
)

func TestMain(m *testing.M) { os.Exit(patient.Run(m, 4)) }
