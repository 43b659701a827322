package ddnnf

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// memo finds the node of a component by its key. It takes about 12 bytes for each beside the key: half of a map's, and
// nothing in it is for the garbage collector to follow.
type memo struct {
	blocks [][]byte // keys, each after its length; none goes over the end of a block
	last   int      // the block that takes the next key
	slots  []slot   // at most three quarters full
	used   int
	size   int64 // bytes of keys
	seed   maphash.Seed
}

type slot struct {
	at   uint32 // 1 + where the key begins: its block, and the place in that; 0 for no key
	node int32
}

const (
	blockBits = 20 // of the size of a block
	blockSize = 1 << blockBits
)

func newMemo() *memo { return &memo{slots: make([]slot, 1<<8), seed: maphash.MakeSeed()} }

// forget empties the memo, and returns it. New keys use its memory, which would be garbage of a third of the limit.
func (m *memo) forget() *memo {
	for i := range m.blocks {
		m.blocks[i] = m.blocks[i][:0]
	}
	clear(m.slots)
	m.last, m.used, m.size = 0, 0, 0
	return m
}

// bytes returns the bytes in use, and held those allocated.
func (m *memo) bytes() int64 { return m.size + 8*int64(len(m.slots)) }

func (m *memo) held() (bytes int64) {
	for _, block := range m.blocks {
		bytes += int64(cap(block))
	}
	return bytes + 8*int64(len(m.slots))
}

// key returns the key that begins at a place.
func (m *memo) key(at uint32) []byte {
	block := m.blocks[(at-1)>>blockBits][(at-1)&(blockSize-1):]
	length, n := binary.Uvarint(block)
	return block[n : n+int(length)]
}

// find returns the slot of a key, or an empty one.
func (m *memo) find(key []byte) *slot {
	for i := maphash.Bytes(m.seed, key); ; i++ {
		s := &m.slots[i&uint64(len(m.slots)-1)]
		if s.at == 0 || bytes.Equal(m.key(s.at), key) {
			return s
		}
	}
}

// of returns the node of a key.
func (m *memo) of(key []byte) (node int32, has bool) {
	s := m.find(key)
	return s.node, s.at != 0
}

// keep adds a key that it does not have, unless it is as long as a block, or there are 4 GiB of keys.
func (m *memo) keep(key []byte, node int32) {
	if 4*m.used >= 3*len(m.slots) {
		old := m.slots
		m.slots = make([]slot, 2*len(old))
		for _, s := range old {
			if s.at != 0 {
				*m.find(m.key(s.at)) = s
			}
		}
	}
	room := len(key) + binary.MaxVarintLen64
	switch next := m.last + 1; {
	case room > blockSize:
		return
	case len(m.blocks) == 0:
		m.blocks = append(m.blocks, nil)
	case len(m.blocks[m.last])+room <= blockSize:
	case next == 1<<(32-blockBits)-1:
		return
	default:
		if m.last = next; next == len(m.blocks) {
			m.blocks = append(m.blocks, nil)
		}
	}
	block := &m.blocks[m.last]
	*m.find(key) = slot{uint32(m.last<<blockBits+len(*block)) + 1, node}
	*block = append(binary.AppendUvarint(*block, uint64(len(key))), key...)
	m.used++
	m.size += int64(len(key)) + 2
}
