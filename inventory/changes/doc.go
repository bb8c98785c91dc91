// Package changes reports differences between two looks at the same machines
// that keep figures from before and after from being combined: another kernel,
// drive or MTU, a host that is gone.
//
// What changes by itself between two looks never counts: load, free memory and
// space, temperatures, counters, the order of kernel names where there are
// better ones, what guests bring and take (virtual interfaces, loop devices,
// mappings), sticks that nothing is measured on. Nor do facts that are not known
// both times, or hosts that could not be queried.
//
// New drives and interfaces are reported, because somebody opened the machine.
// New directories, networks and tools are not: nothing was measured with them.
//
// It is pure: inventories in, sentences out.
package changes
