// Package changes says what differs between two looks at the same machines,
// such that figures from before and after could not be put together: another
// kernel, drive or MTU, a host that is gone.
//
// What changes by itself between two looks never counts: load, free memory and
// space, temperatures, counters, the order of kernel names where there are
// better ones, what guests bring and take (virtual interfaces, loop devices,
// mappings), sticks that nothing is measured on. Nor does what is not known both
// times: that is no change, nor is a host that could not be queried.
//
// Drives and interfaces that are new are told, for somebody opened the machine.
// New directories, networks and tools are not: nothing was measured with them.
//
// It is pure: inventories in, sentences out.
package changes
