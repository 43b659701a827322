package robdd

// The node store: where nodes live, and the memory they take.
//
// Nodes live in chunks of 2^16, so that the store grows without copying and
// without a moment at which old and new exist together. A node takes 8 bytes for
// its children and 2 for its level. Each level owns pages of 2^8 consecutive ids
// and takes its new nodes from there: nodes of one level lie together in memory,
// which is what a sweep over a level wants.

const (
	chunkBits = 16
	chunkSize = 1 << chunkBits
	pageBits  = 8
	pageSize  = 1 << pageBits

	levelFree = 0xffff // level of an id that holds no node
)

type chunk struct {
	edges [chunkSize]Edges
	level [chunkSize]uint16
}

const chunkBytes = chunkSize * 10

type store struct {
	chunks []*chunk
	tables []table
	next   uint32 // first id of no page yet
	live   int    // nodes in use
}

func (s *store) init(levels int) {
	s.tables = make([]table, levels)
	s.chunks = []*chunk{new(chunk)}
	for i := range s.chunks[0].level[:pageSize] {
		s.chunks[0].level[i] = levelFree
	}
	s.chunks[0].level[0] = uint16(levels)
	s.chunks[0].level[1] = uint16(levels)
	s.next = pageSize
}

// at returns the children of a node.
func (s *store) at(id uint32) Edges { return s.chunks[id>>chunkBits].edges[id&(chunkSize-1)] }

// levelOf returns a node's level; terminals are on the level below all.
func (s *store) levelOf(id uint32) uint32 {
	return uint32(s.chunks[id>>chunkBits].level[id&(chunkSize-1)])
}

func (s *store) bytes() int64 {
	n := int64(len(s.chunks)) * chunkBytes
	for i := range s.tables {
		n += int64(len(s.tables[i].slots)) * 4
	}
	return n
}
