# The targets below install everything that assay needs beyond Debian's base and Go.

SHELL := /bin/bash
.DEFAULT_GOAL := help

BIN     := bin/assay
BUNDLE  := report/html/dist/report.js.gz
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unreleased)
# stdlibjson: minio-go without its own JSON library saves 1 MB. The Kubernetes client and the
# builders of HTML elements are not inlined, which saves 1.4 MB: the first waits for the network
# anyway, and of the others there are thousands of calls, each short.
GOFLAGS := -trimpath -tags stdlibjson -gcflags=k8s.io/...=-l -gcflags=maragu.dev/...=-l
LDFLAGS := -s -w -X main.release=$(VERSION)
WEB     := $(wildcard report/html/web/*.json report/html/web/*.mjs report/html/web/src/*)
LINT    := v2.15.0
FIOPLOT := 1.1.21
ANSIBLE := 2.19.14
BOTO3   := 1.44.5
RCLONE  := v1.76.0
# What some parts of the bench need, built on request: it takes minutes.
S3PEERS := $(if $(findstring s3,$(or $(ONLY),s3)),bin/boto3/bin/python bin/rclone-$(RCLONE))
PEERS   := $(if $(findstring reading,$(or $(ONLY),reading)),bin/fio-plot/bin/python) \
	$(if $(findstring facts,$(or $(ONLY),facts)),bin/ansible/bin/ansible) $(S3PEERS)
FUZZTIME ?= 30s
STRESS  ?= 20
KILLS   ?= 1000
# Many tests wait for a timeout or for a second to pass: run more packages at once than there
# are processors, with a time limit that holds on a busy machine. Linking without symbol
# tables takes a third less time.
TESTFLAGS := -p $(shell echo $$((2 * $$(nproc)))) -timeout 30m -ldflags=-s
# The slowest packages start first, so that none runs alone at the end.
LONGEST := ./cmd/assay ./lab/faults ./run/... ./volume/guard ./store/... ./lab/... ./place/...
# The lab's parts: hosts with an sshd, networks, faults.
LABTOOLS := ip:iproute2 sshd:openssh-server ssh:openssh-client sudo:sudo nft:nftables mkfs.ext4:e2fsprogs \
	iperf3:iperf3 fish:fish tcsh:tcsh mksh:mksh faketime:faketime ping:iputils-ping ethtool:ethtool qemu-ga:qemu-guest-agent socat:socat keepalived:keepalived fsck.fat:dosfstools mcopy:mtools

export CGO_ENABLED = 0

.PHONY: help
help: ## Say what the targets do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Benchmark this machine: table, picture (out/report.html) and verdict
	@$(MAKE) --no-print-directory tools || echo "going on with the tools that are here"
	@mkdir -p out
	@$(BIN) run --report out/report.html; status=$$?; \
	case $$status in \
	3) echo "the audit rejected a number: see the footnotes" ;; \
	5) echo "done in part: see the rows without a number" ;; \
	*) exit $$status ;; \
	esac

.PHONY: build
build: $(BIN) ## Build bin/assay, one static file

# Always run: go itself knows what has changed.
.PHONY: $(BIN)
$(BIN): $(BUNDLE)
	go build $(GOFLAGS) -ldflags '$(LDFLAGS)' -o $@ ./cmd/assay

.PHONY: dist
dist: $(BUNDLE) ## Build assay for each architecture, to lie beside bin/assay: hosts of another one get theirs pushed
	for arch in amd64 arm64; do GOOS=linux GOARCH=$$arch go build $(GOFLAGS) -ldflags '$(LDFLAGS)' -o bin/assay-linux-$$arch ./cmd/assay || exit 1; done

# The plots of the HTML report: ECharts from npm, bundled once.
$(BUNDLE): $(WEB) | node
	cd report/html/web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent build

.PHONY: test
test: build tools test-tools ## Run all tests but those with a heavy lab or much like another
	ASSAY_QUICK_TESTS=1 go test $(TESTFLAGS) $(LONGEST) ./...
	cd report/html/web && npm test --silent
	@scripts/labs left-out

.PHONY: test-lab
test-lab: $(BUNDLE) tools test-tools ## Run the tests with a real Kubernetes, Garage, Ceph and machines in QEMU; builds them first, once
	@scripts/need corosync:corosync pacemakerd:pacemaker crm_attribute:pacemaker-cli-utils ocf-tester:resource-agents
	@scripts/labs test

.PHONY: test-stress
test-stress: build tools test-tools ## Run the tests of make test STRESS (20) times, shuffled, beside hogs of CPU and disk
	@scripts/stress $(STRESS)

.PHONY: test-kill
test-kill: $(BUNDLE) tools test-tools ## Kill runs at KILLS (1000) random moments, and see that the next run finds all in order
	ASSAY_KILLS=$(KILLS) go test -count=1 -timeout 24h -v -run TestKilledAtAnyMoment ./lab/kills

.PHONY: test-race
test-race: $(BUNDLE) tools test-tools ## Run the tests of make test under the race detector
	@scripts/need gcc:gcc
	@# By default a program ends a second late, also a test program that stands in for virsh.
	GORACE=atexit_sleep_ms=0 ASSAY_QUICK_TESTS=1 CGO_ENABLED=1 go test -race ./...

.PHONY: fuzz
fuzz: ## Fuzz every parser for FUZZTIME (default 30s) each
	@scripts/fuzz $(FUZZTIME)

.PHONY: bench
bench: build tools test-tools $(PEERS) ## Measure assay itself, as ratios against the bare tools and its peers (parts: ONLY=facts,memory)
	@$(if $(S3PEERS),lab/garage/build.sh >/dev/null || echo "going on without Garage")
	@go run ./lab/bench -assay $(BIN) -fio-plot bin/fio-plot/bin/python -ansible bin/ansible/bin/ansible \
	-boto3 bin/boto3/bin/python -rclone bin/rclone-$(RCLONE) -only '$(ONLY)' \
	$(if $(filter gate precision,$(ONLY)),-write doc/statistics.md) $(if $(filter s3,$(ONLY)),-write doc/s3.md) \
	$(if $(filter predictions,$(ONLY)),-write doc/layers.md) $(if $(filter diagnosis diagnosis-guests,$(ONLY)),-write doc/diagnosis.md) -kinds '$(KINDS)' -half '$(HALF)' -seed $(or $(SEED),1) -rounds $(or $(ROUNDS),1) -demos $(or $(DEMOS),0)

# Peers to measure against; python3 -m venv alone is not enough on Debian.
bin/fio-plot/bin/python:
	@scripts/need pip3:python3-venv
	python3 -m venv bin/fio-plot
	bin/fio-plot/bin/pip install -q fio-plot==$(FIOPLOT) || { rm -rf bin/fio-plot; exit 1; }

bin/ansible/bin/ansible:
	@scripts/need pip3:python3-venv
	python3 -m venv bin/ansible
	bin/ansible/bin/pip install -q ansible-core==$(ANSIBLE) || { rm -rf bin/ansible; exit 1; }

bin/boto3/bin/python:
	@scripts/need pip3:python3-venv
	python3 -m venv bin/boto3
	bin/boto3/bin/pip install -q boto3==$(BOTO3) || { rm -rf bin/boto3; exit 1; }

bin/rclone-$(RCLONE):
	GOBIN=$(CURDIR)/bin go install github.com/rclone/rclone@$(RCLONE)
	mv bin/rclone $@

.PHONY: verify-stats
verify-stats: ## Show by simulation that intervals hold what they say, in doc/statistics.md
	@go run ./stats/verify -write doc/statistics.md

.PHONY: verify-sampling
verify-sampling: ## Show by simulation what a sample of the links of 1,000 hosts finds, in doc/diagnosis.md
	@go run ./analysis/sampled/verify -write doc/diagnosis.md

.PHONY: lint
lint: bin/golangci-lint-$(LINT) $(BUNDLE) ## Vet, format and layer rules
	$< run

bin/golangci-lint-$(LINT):
	GOBIN=$(CURDIR)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT)
	mv bin/golangci-lint $@

# Tools with versions and checksums pinned in scripts/tools/go.mod and go.sum.
bin/cyclonedx-gomod: scripts/tools/go.mod
	go build -C scripts/tools -o $(CURDIR)/$@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
bin/govulncheck: scripts/tools/go.mod
	go build -C scripts/tools -o $(CURDIR)/$@ golang.org/x/vuln/cmd/govulncheck

.PHONY: sbom
sbom: bin/cyclonedx-gomod $(BUNDLE) ## List what the binary and its report contain, as CycloneDX: out/assay.cdx.json, out/report.cdx.json
	@mkdir -p out
	GOOS=linux bin/cyclonedx-gomod app -json -licenses -main cmd/assay -output out/assay.cdx.json .
	cd report/html/web && npm sbom --sbom-format cyclonedx --omit dev >$(CURDIR)/out/report.cdx.json

.PHONY: audit
audit: bin/govulncheck | node ## Look for known vulnerabilities in what assay contains
	@scripts/vulnerabilities

.PHONY: licences
licences: $(BUNDLE) ## Write the notices of everything in the binary, as assay licences prints them
	go test ./internal/licences -update

.PHONY: demo
demo: build tools test-tools ## A cluster of four hosts on this machine, measured in five minutes (as root)
	@mkdir -p out
	@go build -o bin/lab ./lab/hosts/cmd
	@bin/lab -dir out/lab up && trap 'bin/lab -dir out/lab down' EXIT; \
	$(BIN) run -i out/lab/cluster.yaml --suite cluster --time-budget 5m --report out/cluster.html; status=$$?; \
	test $$status -eq 0 -o $$status -eq 3 -o $$status -eq 5

.PHONY: demo-tiers
demo-tiers: build tools lab-kube lab-garage ## Tiers of storage in a Kubernetes on this machine, measured in ten minutes (as root)
	@mkdir -p out
	@go build -o bin/lab-tiers ./lab/tiers/cmd
	@trap 'bin/lab-tiers -dir out/tiers down' EXIT; bin/lab-tiers -dir out/tiers up && \
	{ $(BIN) run -i out/tiers/cluster.yaml --suite tiers --time-budget 8m --report out/tiers.html; status=$$?; \
	test $$status -eq 0 -o $$status -eq 3 -o $$status -eq 5; }

.PHONY: demo-ceph
demo-ceph: build tools lab-ceph ## A Ceph on this machine, measured from one to three clients in six minutes (as root)
	@mkdir -p out
	@go build -o bin/lab-ceph ./lab/ceph/cmd
	@trap 'bin/lab-ceph -dir out/ceph down' EXIT; bin/lab-ceph -dir out/ceph -room 10737418240 up && \
	{ $(BIN) run -i out/ceph/cluster.yaml --suite ceph-quick --report out/ceph.html; status=$$?; \
	test $$status -eq 0 -o $$status -eq 3 -o $$status -eq 5; }

.PHONY: demo-vms
demo-vms: build tools test-tools lab-guest lab-guest-agent ## Disks of VMs with and without their host's cache, a VM that moves, an address that fails over: a quarter of an hour, in emulation (as root)
	@mkdir -p out
	@for lab in failover migration clones; do go test -trimpath ./lab/$$lab -run '^TestDemo$$' -v -count=1 -timeout 60m -args -demo '$(CURDIR)/out' || exit 1; done

.PHONY: demo-incident
demo-incident: build lab-guest lab-guest-iscsi ## A fault of the kernel in two machines in QEMU, chosen at random and diagnosed; ROUNDS=30 scores (as root)
	@go build -o bin/lab-incidents ./lab/incidents/cmd
	@bin/lab-incidents -assay $(BIN) -seed $(or $(SEED),0) -kind '$(KINDS)' $(if $(ROUNDS),-rounds $(ROUNDS) -write doc/diagnose.md)

.PHONY: demo-layers
demo-layers: build lab-uml $(if $(ROUNDS),,lab-guest-zfs) ## DRBD between two machines: a slow flush and a slow link, found; ROUNDS=1 scores (as root)
	@mkdir -p out
	@go build -o bin/lab-delays ./lab/delays/cmd
	@bin/lab-delays -assay $(BIN) $(if $(ROUNDS),-rounds $(ROUNDS) -write doc/layers.md)

.PHONY: tools
tools: ## Install what the suites measure with, where it is missing
	@scripts/need fio:fio sysbench:sysbench smartctl:smartmontools dmidecode:dmidecode

.PHONY: test-tools
test-tools:
	@scripts/need chromium:chromium busybox:busybox jq:jq zstd:zstd promtool:prometheus amtool:prometheus-alertmanager systemd-analyze:systemd $(LABTOOLS)
	@scripts/postgresql

.PHONY: lab-garage
lab-garage: ## Build Garage, an object store, for the tests of S3: once, in some ten minutes
	@lab/garage/build.sh

.PHONY: lab-ceph
lab-ceph: ## Install Ceph for the tests of it: once, in about a minute (as root)
	@lab/ceph/build.sh

.PHONY: lab-guest
lab-guest: ## Make the image of machines in QEMU, for the tests of raw devices: once, in some three minutes (as root)
	@lab/guest/build.sh

.PHONY: lab-guest-zfs
lab-guest-zfs: ## Build OpenZFS for machines in QEMU: once, some fifteen minutes of one processor (as root)
	@lab/guest/zfs.sh

.PHONY: lab-guest-tools
lab-guest-tools: ## Make the disk with what machines in QEMU are measured with: once, in a minute (as root)
	@lab/guest/tools.sh

.PHONY: lab-guest-ceph
lab-guest-ceph: ## Make the disk with which machines in QEMU are clients of Ceph: once, in a minute (as root)
	@lab/guest/tools.sh ceph

.PHONY: lab-guest-agent
lab-guest-agent: ## Make the disk with the guest agent for clones of a machine in QEMU: once, in a minute (as root)
	@lab/guest/tools.sh agent

.PHONY: lab-guest-iscsi
lab-guest-iscsi: ## Make the disk with which machines in QEMU have disks over iSCSI: once, in a minute (as root)
	@lab/guest/tools.sh iscsi

.PHONY: lab-guest-cloud
lab-guest-cloud: ## Make a cloud image with cloud-init, which libvirt boots in QEMU: once, in two minutes (as root)
	@lab/guest/cloud.sh

.PHONY: lab-uml
lab-uml: ## Make the disks of machines in User Mode Linux, and install it: once, in some five minutes (as root)
	@scripts/need linux.uml:user-mode-linux qemu-storage-daemon:qemu-system-common
	@lab/guest/tools.sh
	@lab/guest/tools.sh drbd

.PHONY: lab-kube
lab-kube: ## Build Kubernetes, for the tests of runs in a cluster: once, 13 minutes of one processor
	@lab/kube/build.sh

.PHONY: node
node:
	@scripts/need node:nodejs npm:npm

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin out report/html/web/node_modules $(BUNDLE) report/html/dist/report.js report/html/dist/licences.txt
