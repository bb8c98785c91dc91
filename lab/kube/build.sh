#!/bin/sh
# usage: build.sh [JOBS]
# Builds Kubernetes from its Go modules into the user's cache, once, and prints
# the directory that holds the programs: 13 minutes of one processor. What else a
# cluster needs is installed from Debian.
set -eu
version=1.33.13
cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay-lab
root=$cache/kube-$version
programs="kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl"
"$(dirname "$0")"/../../scripts/need etcd:etcd-server containerd:containerd runc:runc \
	/usr/lib/cni/bridge:containernetworking-plugins fio:fio iperf3:iperf3 \
	ping:iputils-ping smartctl:smartmontools \
	ip:iproute2 losetup:mount nsenter:util-linux mkfs.ext4:e2fsprogs
if [ -x "$root/bin/kubectl" ]; then
	echo "$root/bin"
	exit 0
fi
export GOTOOLCHAIN="${GOTOOLCHAIN:-local}" GOFLAGS= CGO_ENABLED=0 GOWORK=off
# A module of its own: k8s.io/kubernetes cannot be required as it is, for what is
# developed with it is named there by directories that its module does not hold.
# Those are published as modules too, v0.N for v1.N.
module=$root.build
mkdir -p "$module" "$root"
cd "$module"
their=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",$/\1/p')
sed -e 's/^module .*/module lab/' \
	-e "s|=> \./staging/src/\(k8s.io/.*\)|=> \1 v0.${version#*.}|" "$their" >go.mod
printf '\nrequire k8s.io/kubernetes v%s\n' "$version" >>go.mod
stamp="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
	stamp="$stamp -X $package.gitVersion=v$version -X $package.gitMajor=1 -X $package.gitMinor=$(echo $version | cut -d. -f2)"
done
packages=
for program in $programs; do packages="$packages k8s.io/kubernetes/cmd/$program@v$version"; done
# Hundreds of modules: a proxy that fails once has not failed.
for try in 1 2 3; do
	# shellcheck disable=SC2086 # the words of $packages are separate packages
	if go get $packages >&2; then break; fi
	[ $try -lt 3 ] || exit 1
done
# One after the other, kubectl last: it says that all are here.
for program in $programs; do
	nice -n 19 go build -p "${1:-1}" -trimpath -ldflags "$stamp" -o "$root/bin/$program" "k8s.io/kubernetes/cmd/$program" >&2
done
rm -rf "$module"
echo "$root/bin"
