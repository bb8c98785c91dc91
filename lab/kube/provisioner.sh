# Makes and removes the volumes of the storage classes of provisioner
# lab.assay/disk, for the claims whose first pod comes to this node. A volume is
# an image of exactly the size that was asked for, on the node's disk: a file
# system that is mounted, or a block device. It gets
#
#   LAB_NODE  the node's name
#   LAB_MARK  what the names of its loop devices begin with
set -u
PATH=/opt/lab:/usr/sbin:/usr/bin:/sbin:/bin
KUBECONFIG=/etc/lab/provisioner.kubeconfig
export PATH KUBECONFIG
volumes=/var/lib/lab/volumes

annotation() { printf '{{with .metadata.annotations}}{{or (index . "%s") "-"}}{{else}}-{{end}}' "$1"; }
claim="{{.metadata.namespace}} {{.metadata.name}} {{.metadata.uid}} {{or .spec.volumeName \"-\"}} \
{{.spec.storageClassName}} {{or .spec.volumeMode \"Filesystem\"}} {{index .spec.accessModes 0}} \
{{.spec.resources.requests.storage}} \
$(annotation volume.kubernetes.io/storage-provisioner) $(annotation volume.kubernetes.io/selected-node)
"
volume="{{.metadata.name}} {{.status.phase}} {{.spec.persistentVolumeReclaimPolicy}} \
$(annotation pv.kubernetes.io/provisioned-by) $(annotation lab.assay/node)
"

# make makes a volume, or does nothing where it is there.
make() {
	image=$volumes/$LAB_MARK-$1.img
	[ ! -e "$image" ] || return 0
	bytes=$(echo "$3" | tr k K | numfmt --from=auto) || return
	truncate -s "$bytes" "$image.new" || return
	case $2 in
	Block)
		mv "$image.new" "$image" || return
		loop=$(losetup --find --show "$image") || return
		mknod -m 660 "/dev/$LAB_MARK-$1" b 7 "${loop#/dev/loop}"
		;;
	*)
		mkfs.ext4 -q -F -m 0 "$image.new" && mv "$image.new" "$image" || return
		mkdir -p "/mnt/lab/$1" && mount -o loop "$image" "/mnt/lab/$1"
		;;
	esac
}

remove() {
	if [ -e "/dev/$LAB_MARK-$1" ]; then
		losetup --detach "/dev/$LAB_MARK-$1"
		rm "/dev/$LAB_MARK-$1"
	fi
	if mountpoint -q "/mnt/lab/$1"; then umount "/mnt/lab/$1"; fi
	if [ -d "/mnt/lab/$1" ]; then rmdir "/mnt/lab/$1"; fi
	rm -f "$volumes/$LAB_MARK-$1.img"
}

# publish tells the API server of a volume.
publish() {
	kubectl create -f - <<-END
		apiVersion: v1
		kind: PersistentVolume
		metadata:
		  name: $pv
		  annotations: {pv.kubernetes.io/provisioned-by: lab.assay/disk, lab.assay/node: $LAB_NODE}
		spec:
		  capacity: {storage: "$size"}
		  accessModes: [$access]
		  volumeMode: $mode
		  storageClassName: $class
		  persistentVolumeReclaimPolicy: $policy
		  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: $namespace, name: $name, uid: $uid}
		  local: {path: $path}
		  nodeAffinity:
		    required:
		      nodeSelectorTerms:
		      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [$LAB_NODE]}]
	END
}

claims() {
	kubectl get persistentvolumeclaims -A --watch -o go-template="$claim" |
		while read -r namespace name uid bound class mode access size provisioner node; do
			[ "$provisioner $node $bound" = "lab.assay/disk $LAB_NODE -" ] || continue
			pv=pvc-$uid
			case $mode in Block) path=/dev/$LAB_MARK-$pv ;; *) path=/mnt/lab/$pv ;; esac
			policy=$(kubectl get storageclass "$class" -o 'jsonpath={.reclaimPolicy}') </dev/null || continue
			echo "make $pv for $namespace/$name: $mode, $size"
			make "$pv" "$mode" "$size" && publish
		done
}

released() {
	kubectl get persistentvolumes --watch -o go-template="$volume" |
		while read -r name phase policy provisioner node; do
			[ "$phase $policy $provisioner $node" = "Released Delete lab.assay/disk $LAB_NODE" ] || continue
			echo "remove $name"
			remove "$name"
			kubectl delete persistentvolume "$name" --wait=false </dev/null
		done
}

# A watch ends now and then, and when the API server does.
while :; do claims; sleep 1; done &
while :; do released; sleep 1; done
