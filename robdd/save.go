package robdd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"maps"
	"math"
	"math/bits"
	"os"
	"slices"
)

// Saved diagrams: a compact binary file.
//
//	magic    8 bytes: 0x89 "robdd" CR LF; text-mode copies break it visibly
//	version  1 byte: 2
//	kind     1 byte: 0 BDD, 1 ZDD
//	uvarint  number of variables V
//	uvarint  number of nodes N
//	uvarint  root id
//	uvarint  number of metadata entries, then for each, keys ascending:
//	         uvarint length and bytes of the key, the same of the value
//	uvarint  V times: the variable on each level, top level first
//	uvarint  V times: the number of nodes on each level, bottom level first
//	uvarint  2N times: low and high of each node, ids ascending
//	crc      8 bytes, the highest first: CRC-64/XZ of everything before
//
// A child 0 or 1 is written as such; any other as 2 plus the zigzag difference to
// the last such child in the same place (low or high). Neighbouring nodes have
// neighbouring children, so most take one or two bytes.
//
// A number has one form, the shortest. A reader allocates at most 40 bytes per byte of input, whatever
// sizes the header claims. It checks the nodes level by level (sound.go), and the checksum at the end.
// So the diagram that it returns is sound, and is the one that was written. If somebody changes the file
// and recomputes the checksum, the diagram is still sound, but may have another function, order or kind:
// only the checksum can detect that.

var fileMagic = [8]byte{0x89, 'r', 'o', 'b', 'd', 'd', '\r', '\n'}

const fileVersion = 2

// newChecksum returns the checksum of a file, CRC-64/XZ.
func newChecksum() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }

// Meta describes a saved diagram. The caller chooses the keys and values: for example the board size,
// the order's name and the construction.
type Meta map[string]string

// Write writes a diagram and its metadata in the format of saved diagrams.
func (d *Diagram) Write(w io.Writer, meta Meta) error {
	sum := newChecksum()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	buf := append(fileMagic[:], fileVersion, byte(d.kind))
	buf = binary.AppendUvarint(buf, uint64(len(d.order)))
	buf = binary.AppendUvarint(buf, uint64(len(d.nodes)))
	buf = binary.AppendUvarint(buf, uint64(d.root))
	buf = binary.AppendUvarint(buf, uint64(len(meta)))
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		for _, text := range [2]string{key, meta[key]} {
			buf = binary.AppendUvarint(buf, uint64(len(text)))
			buf = append(buf, text...)
		}
	}
	for _, v := range d.order {
		buf = binary.AppendUvarint(buf, uint64(v))
	}
	for h := range d.order {
		buf = binary.AppendUvarint(buf, uint64(d.first[h+1]-d.first[h]))
	}
	var low, high uint32
	for _, e := range d.nodes {
		buf, low = appendChild(buf, e.Low, low)
		buf, high = appendChild(buf, e.High, high)
		if len(buf) > 1<<12 {
			out.Write(buf)
			buf = buf[:0]
		}
	}
	out.Write(buf)
	err := out.Flush() // a bufio.Writer keeps its first error until here
	if err == nil {
		_, err = w.Write(sum.Sum(nil))
	}
	if err != nil {
		return fmt.Errorf("robdd: writing a diagram: %w", err)
	}
	return nil
}

func appendChild(buf []byte, child, last uint32) ([]byte, uint32) {
	if child < 2 {
		return append(buf, byte(child)), last
	}
	diff := int64(child) - int64(last)
	return binary.AppendUvarint(buf, uint64(diff<<1^diff>>63)+2), child
}

// Load reads a diagram from a file. The file and the nodes may take at most maxBytes bytes; 0 means no
// limit. It reads no more of a file than the sizes in its header account for.
func Load(ctx context.Context, path string, maxBytes int64) (*Diagram, Meta, error) {
	file, err := contents(path, maxBytes)
	if err != nil {
		return nil, nil, fmt.Errorf("robdd: loading a diagram: %w", err)
	}
	d, meta, err := read(ctx, file)
	if err != nil {
		return nil, nil, fmt.Errorf("robdd: loading a diagram from %s: %w", path, err)
	}
	return d, meta, nil
}

// maxMeta is the largest size of the metadata in bytes: its longest value has a literal for each
// variable.
const maxMeta = 1 << 20

// contents reads a file, but no more of it than the sizes in its header account for.
func contents(path string, maxBytes int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, len(fileMagic)+2+2*binary.MaxVarintLen64)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	in := &input{file: head[:n]}
	_, vars, nodes := in.sizes()
	if err != nil || in.err != nil {
		return head[:n], nil // the file is complete, or is not a diagram
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size, most := info.Size(), maxMeta+int64(vars+nodes)*2*binary.MaxVarintLen32
	want := min(size, most) + int64(nodes)*8
	if maxBytes > 0 && want > maxBytes && size >= 2*int64(nodes) { // smaller: truncated, an error of read
		return nil, &LimitError{What: "bytes", Limit: maxBytes, Want: want}
	}
	rest, err := io.ReadAll(io.LimitReader(f, most))
	return append(head, rest...), err
}

// read decodes a file. The error is the context's, or says how the file is truncated, damaged or of
// another format.
func read(ctx context.Context, file []byte) (*Diagram, Meta, error) {
	sum := make(chan []byte, 1)
	go func() {
		of := newChecksum()
		of.Write(file[:max(0, len(file)-of.Size())])
		sum <- of.Sum(nil)
	}()
	in := &input{file: file}
	d, meta := in.header()
	if in.err == nil {
		in.nodes(ctx, d)
	}
	if in.err == nil {
		in.end(<-sum)
	}
	if in.err != nil {
		return nil, nil, in.err
	}
	return d, meta, nil
}

// input is a file that is being decoded. It keeps the first error: all later numbers are 0.
type input struct {
	file []byte
	pos  int // of the next byte
	err  error
}

func (in *input) fail(format string, args ...any) {
	if in.err == nil {
		in.err = fmt.Errorf("not a saved diagram: %s (at byte %d)", fmt.Sprintf(format, args...), in.pos)
	}
}

// has reports whether the given number of bytes remain; if not, it sets the error.
func (in *input) has(bytes uint64) bool {
	if bytes > uint64(len(in.file)-in.pos) {
		in.pos = len(in.file)
		in.fail("it ends too early")
	}
	return in.err == nil
}

// number reads a uvarint; one above limit is an error.
func (in *input) number(what string, limit uint64) uint64 {
	n, size := binary.Uvarint(in.file[in.pos:])
	switch {
	case size == 0:
		in.has(math.MaxUint64)
	case size < 0:
		in.fail("%s does not fit in 64 bits", what)
	case size > 1 && in.file[in.pos+size-1] == 0:
		in.fail("%s is written in more bytes than it needs", what)
	case n > limit:
		in.fail("%s %d: at most %d", what, n, limit)
	}
	if in.err != nil {
		return 0
	}
	in.pos += size
	return n
}

func (in *input) text(what string) string {
	n := in.number(what+" length", math.MaxUint64)
	if !in.has(n) {
		return ""
	}
	in.pos += int(n)
	return string(in.file[in.pos-int(n) : in.pos])
}

// child reads a child of a node; last is the previous child in the same place that was a node.
func (in *input) child(last *uint32) uint32 {
	n := in.number("child", 1<<33+2)
	if n < 2 {
		return uint32(n)
	}
	n -= 2
	child := int64(*last) + (int64(n>>1) ^ -int64(n&1))
	if child < 2 || child > 1<<32-1 {
		in.fail("child %d is not a node", child)
		return 0
	}
	*last = uint32(child)
	return *last
}

// sizes reads the part of the header before the root.
func (in *input) sizes() (kind Kind, vars, nodes uint64) {
	if !bytes.HasPrefix(in.file, fileMagic[:]) {
		in.fail("it begins with %.8q: want %q", in.file, fileMagic)
		return 0, 0, 0
	}
	in.pos = len(fileMagic)
	if version := in.number("version", math.MaxUint64); version != fileVersion {
		in.fail("version %d: this program reads version %d", version, fileVersion)
	}
	kind = Kind(in.number("kind", 1))
	return kind, in.number("number of variables", MaxVars), in.number("number of nodes", maxNodes)
}

// header reads everything before the nodes, and allocates the nodes.
func (in *input) header() (*Diagram, Meta) {
	kind, vars, count := in.sizes()
	if in.err != nil {
		return nil, nil
	}
	root := uint32(in.number("root", count+1))
	meta, lastKey := Meta{}, ""
	for i := range in.number("number of metadata entries", uint64(len(in.file))) {
		key := in.text("metadata key")
		if i > 0 && key <= lastKey {
			in.fail("metadata key %.40q after %.40q: want ascending keys", key, lastKey)
		}
		meta[key], lastKey = in.text("metadata value"), key
	}
	if !in.has(2*vars + 2*count) { // a number takes at least a byte
		return nil, nil
	}
	d := &Diagram{
		kind: kind, root: root, order: make([]Var, vars), first: make([]uint32, vars+1), nodes: make([]Node, count),
	}
	for level := range d.order {
		d.order[level] = Var(in.number("variable", vars))
	}
	d.first[0] = 2
	for h := range d.order {
		d.first[h+1] = d.first[h] + uint32(in.number("nodes on a level", count+2-uint64(d.first[h])))
	}
	levels, err := levelsOf(d.order)
	switch end := d.first[vars]; {
	case err != nil:
		in.fail("%v", err)
	case uint64(end) != count+2:
		in.fail("its levels have %d nodes, its header says %d", end-2, count)
	case count > 0 && root != end-1:
		in.fail("root %d of %d nodes: want the last id %d", root, count, end-1)
	}
	d.levels = levels
	return d, meta
}

// nodesAtOnce is the least number of nodes that are passed on for checking: passing on fewer costs more
// than checking them.
const nodesAtOnce = 1 << 13

// nodes reads the nodes, while another goroutine checks the complete levels: reading and checking take
// about equally long.
func (in *input) nodes(ctx context.Context, d *Diagram) {
	read, checked := make(chan int, len(d.order)), make(chan error, 1)
	go func() { checked <- checkLevels(d, read) }()
	var last Node // the last child in each place that was a node
	passedOn := d.first[0]
	for h, lo := range d.first[:len(d.order)] {
		hi := d.first[h+1]
		in.edges(d.nodes[lo-2:hi-2], &last)
		if in.err == nil {
			in.err = ctx.Err()
		}
		if in.err != nil {
			break
		}
		if hi-passedOn >= nodesAtOnce || h+1 == len(d.order) {
			read <- h + 1
			passedOn = hi
		}
	}
	close(read)
	// An error on a level that was passed on takes precedence over a reading error.
	if err := <-checked; err != nil {
		in.err = nil
		in.fail("%v", err)
	}
}

// checkLevels checks levels as they are read: it receives the number of complete levels from read.
func checkLevels(d *Diagram, read <-chan int) error {
	check := soundness{kind: d.kind, order: d.order}
	h := 0
	for complete := range read {
		for ; h < complete; h++ {
			if err := check.level(h, d.nodes[:d.first[h+1]-2], d.first[h]); err != nil {
				return err
			}
		}
	}
	if h < len(d.order) {
		return nil // the rest could not be read
	}
	return check.reachable(len(d.nodes))
}

// edges reads the children of nodes. Decoding without branches saves a sixth to a quarter of the CPU
// time of a command on a saved diagram: valid at n = 13 0.022 -> 0.019 s, at n = 14 0.056 -> 0.046 s.
func (in *input) edges(nodes []Node, last *Node) {
	low, high := last.Low, last.High
	for i := range nodes {
		a, b, size := uint32(0), uint32(0), 0
		if in.pos+8 <= len(in.file) {
			a, b, size = twoNumbers(binary.LittleEndian.Uint64(in.file[in.pos:]))
		}
		if size == 0 {
			nodes[i] = Node{in.child(&low), in.child(&high)}
			continue
		}
		in.pos += size
		// All ones where the child is not a terminal.
		aNode, bNode := -((1 - a) >> 31), -((1 - b) >> 31)
		low += ((a-2)>>1 ^ -(a & 1)) & aNode
		high += ((b-2)>>1 ^ -(b & 1)) & bNode
		nodes[i] = Node{low&aNode | a&^aNode, high&bNode | b&^bNode}
		// A child that went below 0 is now too large, which the check of the level finds.
		if low < 2 && a >= 2 || high < 2 && b >= 2 {
			in.fail("child %d or %d is not a node", low, high)
		}
	}
	*last = Node{low, high}
}

// twoNumbers decodes the two uvarints at the start of a word, and returns how many bytes they take
// together. It returns 0 if one takes more than four, or is not in its shortest form. No branch depends
// on their lengths.
func twoNumbers(word uint64) (a, b uint32, size int) {
	const ones, highest = 0x0101010101010101, 0x8080808080808080 // in each byte
	ends := ^word & highest                                      // the top bit of each number's last byte
	second := ends & (ends - 1)
	first, both := bits.TrailingZeros64(ends)+1, bits.TrailingZeros64(second)+1
	zeros := (word - ones) & ends // bytes that are 0; after one, perhaps also those that are 1
	if first > 32 || both > first+32 || zeros&(word<<8) != 0 {
		return 0, 0, 0
	}
	x := word&(ends^(ends-1)) | word&(second^(second-1))>>first<<32 // one in each half
	x = x&0x0000007f0000007f | x>>1&0x00003f8000003f80 | x>>2&0x001fc000001fc000 | x>>3&0x0fe000000fe00000
	return uint32(x), uint32(x >> 32), both / 8
}

// end checks that the file's checksum comes after the nodes, and nothing else.
func (in *input) end(sum []byte) {
	switch {
	case !in.has(uint64(len(sum))):
	case len(in.file) > in.pos+len(sum):
		in.fail("there is more after its end")
	case !bytes.Equal(in.file[in.pos:], sum):
		in.fail("its checksum does not match its content: it is damaged")
	}
}
