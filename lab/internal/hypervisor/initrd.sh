# Prints the initial RAM disk of a guest, from the image in $2 and further modules. Its init
# is read from stdin. $1 is a directory to work in.
cd "$1"
image=$2
shift 2
mkdir tree
cd tree
zcat "$image/initrd" | cpio -id --quiet
cat >init
chmod 755 init
kernel=$(debugfs -R 'ls -p /usr/lib/modules' "$image/root.ext4" 2>/dev/null | cut -d / -f 6 | grep '^[0-9]')
for module; do
	debugfs -R "dump /usr/lib/modules/$kernel/kernel/$module.ko modules/${module##*/}.ko" "$image/root.ext4" 2>/dev/null
	echo "${module##*/}.ko" >>modules/order
done
find . | cpio --quiet -o -H newc -R 0:0 | gzip -1
