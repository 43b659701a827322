package robdd

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page on most processors. Where it is larger, part of the
// memory keeps small ones.
const hugePage = 2 << 20

// hugePages asks the system for huge pages in memory that is about to be filled, which
// takes one page fault where small pages take 512. It is a hint: nothing depends on it.
func hugePages(memory []byte) {
	if len(memory) < 2*hugePage {
		return
	}
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % hugePage
	memory = memory[skip:]
	_ = syscall.Madvise(memory[:len(memory)&^(hugePage-1)], syscall.MADV_HUGEPAGE)
}
