package robdd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"maps"
	"math/bits"
	"os"
	"slices"
	"strings"
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
// A number has one form, the shortest. A reader allocates only as input arrives, whatever
// the header claims: at most 40 bytes per byte of input. It checks all that Diagram.Check
// does, level by level as they come, and the checksum at the end: the diagram that it
// returns is sound, and the one that was written. If the checksum is recomputed over a
// changed file, the diagram is still sound, but may be of another function, in another
// order or of another kind, which only the checksum can detect.

var fileMagic = [8]byte{0x89, 'r', 'o', 'b', 'd', 'd', '\r', '\n'}

const (
	fileVersion = 2
	maxMeta     = 1 << 10 // entries
	maxMetaText = 1 << 16 // bytes of a key or a value
)

// newChecksum returns the checksum of a file, CRC-64/XZ.
func newChecksum() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }

// Meta is what a file says about its diagram, free for the caller's use: for
// example the board size, the order's name and the construction.
type Meta map[string]string

// Write writes a diagram in the saved form.
func (d *Diagram) Write(w io.Writer, meta Meta) error {
	if len(meta) > maxMeta {
		return fmt.Errorf("robdd: writing a diagram: %d metadata entries: at most %d", len(meta), maxMeta)
	}
	sum := newChecksum()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	buf := append(fileMagic[:], fileVersion, byte(d.kind))
	buf = binary.AppendUvarint(buf, uint64(len(d.order)))
	buf = binary.AppendUvarint(buf, uint64(len(d.nodes)))
	buf = binary.AppendUvarint(buf, uint64(d.root))
	buf = binary.AppendUvarint(buf, uint64(len(meta)))
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		for _, text := range [2]string{key, meta[key]} {
			if len(text) > maxMetaText {
				return fmt.Errorf("robdd: writing a diagram: metadata %.40q: %d bytes: at most %d", key, len(text),
					maxMetaText)
			}
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
			if _, err := out.Write(buf); err != nil {
				return fmt.Errorf("robdd: writing a diagram: %w", err)
			}
			buf = buf[:0]
		}
	}
	_, err := out.Write(buf)
	if err == nil {
		err = out.Flush()
	}
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

// FileError says why input is not a saved diagram.
type FileError struct {
	Offset int64 // bytes read when it was detected
	Reason string
}

// Error says what is wrong and where.
func (e *FileError) Error() string {
	return fmt.Sprintf("not a saved diagram: %s (at byte %d)", e.Reason, e.Offset)
}

// Load reads a diagram from a file.
func Load(ctx context.Context, path string) (*Diagram, Meta, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("robdd: loading a diagram: %w", err)
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	d, meta, err := read(ctx, f, size)
	if err != nil {
		return nil, nil, fmt.Errorf("robdd: loading a diagram from %s: %w", path, err)
	}
	return d, meta, nil
}

// read reads a diagram in the saved form. Input that is truncated, damaged or of another
// format is a [FileError], as are bytes after the diagram. It takes the input's size, if
// known, to allocate all nodes at once.
func read(ctx context.Context, r io.Reader, size int64) (*Diagram, Meta, error) {
	return newInput(r, size).diagram(ctx, size)
}

// input decodes what it reads, block by block.
type input struct {
	r      io.Reader
	block  []byte
	buf    []byte    // the part of the block that has been read
	pos    int       // of the next byte in it
	offset int64     // of buf[0]
	sum    hash.Hash // of everything before buf
}

const blockSize = 1 << 16

// newInput takes the input's size in bytes, or 0 if it is not known.
func newInput(r io.Reader, size int64) *input {
	if size <= 0 || size > blockSize {
		size = blockSize
	}
	return &input{r: r, block: make([]byte, size), sum: newChecksum()}
}

func (in *input) fail(format string, args ...any) error {
	return &FileError{Offset: in.offset + int64(in.pos), Reason: fmt.Sprintf(format, args...)}
}

// fill reads the next block, at least one byte of it. The current one has been decoded to
// its end.
func (in *input) fill() error {
	in.sum.Write(in.buf)
	in.offset += int64(len(in.buf))
	n, err := io.ReadAtLeast(in.r, in.block, 1)
	in.buf, in.pos = in.block[:n], 0
	if errors.Is(err, io.EOF) {
		return in.fail("it ends too early")
	}
	return err
}

func (in *input) byte() (byte, error) {
	if in.pos == len(in.buf) {
		if err := in.fill(); err != nil {
			return 0, err
		}
	}
	in.pos++
	return in.buf[in.pos-1], nil
}

// number reads a uvarint of at most limit.
func (in *input) number(what string, limit uint64) (uint64, error) {
	var n uint64
	for shift := 0; ; shift += 7 {
		b, err := in.byte()
		if err != nil {
			return 0, err
		}
		if shift == 63 && b > 1 {
			return 0, in.fail("%s does not fit in 64 bits", what)
		}
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, in.fail("%s is written in more bytes than it needs", what)
			}
			break
		}
	}
	if n > limit {
		return 0, in.fail("%s %d: at most %d", what, n, limit)
	}
	return n, nil
}

func (in *input) text(what string) (string, error) {
	n, err := in.number(what+" length", maxMetaText)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for range n {
		b, err := in.byte()
		if err != nil {
			return "", err
		}
		text.WriteByte(b)
	}
	return text.String(), nil
}

// edges reads the children of count nodes, at most nodesAtOnce. Decoding without branches gains a
// sixth to a quarter of a command on a saved diagram of n = 14: valid 0.085 -> 0.07 s, count
// 0.08 -> 0.06 s, of CPU time.
func (in *input) edges(d *Diagram, count uint32, last *Edges) error {
	from := len(d.nodes)
	d.nodes = slices.Grow(d.nodes, int(count))[:from+int(count)]
	nodes := d.nodes[from:]
	buf, pos, low, high := in.buf, in.pos, last.Low, last.High
	for i := range nodes {
		a, b, size := uint32(0), uint32(0), 0
		if pos+8 <= len(buf) {
			word := binary.LittleEndian.Uint64(buf[pos:])
			if word&0x8080 == 0 { // one byte each, as for most nodes of an ROBDD
				a, b, size = uint32(word&0x7f), uint32(word>>8&0x7f), 2
			} else {
				a, b, size = twoNumbers(word)
			}
		}
		if size == 0 {
			in.pos = pos
			var err error
			if nodes[i].Low, err = in.child(&low); err != nil {
				return err
			}
			if nodes[i].High, err = in.child(&high); err != nil {
				return err
			}
			buf, pos = in.buf, in.pos
			continue
		}
		pos += size
		// All ones where the child is not a terminal.
		aNode, bNode := -((1 - a) >> 31), -((1 - b) >> 31)
		low += ((a-2)>>1 ^ -(a & 1)) & aNode
		high += ((b-2)>>1 ^ -(b & 1)) & bNode
		nodes[i] = Edges{low&aNode | a&^aNode, high&bNode | b&^bNode}
		// One that went below 0 is now too large, which the check of the level finds.
		if low < 2 && a >= 2 || high < 2 && b >= 2 {
			in.pos = pos
			return in.fail("child %d or %d is not a node", low, high)
		}
	}
	in.pos, last.Low, last.High = pos, low, high
	return nil
}

// twoNumbers decodes the two uvarints at the start of a word, and returns how many bytes they
// have: 0 if one has more than four, or more than it needs. No branch depends on how many.
func twoNumbers(word uint64) (a, b uint32, size int) {
	const ones, highest = 0x0101010101010101, 0x8080808080808080 // in each byte
	ends := ^word & highest                                      // of the last byte of a number
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

// nodesAtOnce and levelsAtOnce are how many room is made for before they are read.
const (
	nodesAtOnce  = 1 << 13
	levelsAtOnce = 1 << 10
)

// child reads a child of a node; last is the last one in the same place that was a node.
func (in *input) child(last *uint32) (uint32, error) {
	n, err := in.number("child", 1<<33+2)
	if err != nil {
		return 0, err
	}
	if n < 2 {
		return uint32(n), nil
	}
	n -= 2
	child := int64(*last) + (int64(n>>1) ^ -int64(n&1))
	if child < 2 || child > 1<<32-1 {
		return 0, in.fail("child %d is not a node", child)
	}
	*last = uint32(child)
	return *last, nil
}

func (in *input) diagram(ctx context.Context, size int64) (*Diagram, Meta, error) {
	for i, want := range fileMagic {
		b, err := in.byte()
		if err != nil {
			return nil, nil, err
		}
		if b != want {
			in.pos--
			return nil, nil, in.fail("byte %d of its first eight is %#02x: want %#02x", i, b, want)
		}
	}
	version, err := in.byte()
	if err != nil {
		return nil, nil, err
	}
	if version != fileVersion {
		return nil, nil, in.fail("version %d: this program reads version %d", version, fileVersion)
	}
	kind, err := in.number("kind", 1)
	if err != nil {
		return nil, nil, err
	}
	vars, err := in.number("number of variables", MaxVars)
	if err != nil {
		return nil, nil, err
	}
	count, err := in.number("number of nodes", 1<<32-3)
	if err != nil {
		return nil, nil, err
	}
	root, err := in.number("root", count+1)
	if err != nil {
		return nil, nil, err
	}
	entries, err := in.number("number of metadata entries", maxMeta)
	if err != nil {
		return nil, nil, err
	}
	meta, err := in.meta(entries)
	if err != nil {
		return nil, nil, err
	}
	order := make([]Var, 0, min(vars, levelsAtOnce))
	for range vars {
		v, err := in.number("variable", vars)
		if err != nil {
			return nil, nil, err
		}
		order = append(order, Var(v))
	}
	first := append(make([]uint32, 0, min(vars, levelsAtOnce)+1), 2)
	for h := range int(vars) {
		left := count + 2 - uint64(first[h])
		width, err := in.number("nodes on a level", left)
		if err != nil {
			return nil, nil, err
		}
		first = append(first, first[h]+uint32(width))
	}
	if uint64(first[vars]) != count+2 {
		return nil, nil, in.fail("its levels have %d nodes, its header says %d", first[vars]-2, count)
	}
	d := &Diagram{kind: Kind(kind), root: uint32(root), order: order, first: first}
	if d.levels, err = levelsOf(order); err != nil {
		return nil, nil, in.fail("%v", err)
	}
	if err := in.nodes(ctx, d, size); err != nil {
		return nil, nil, err
	}
	if err := d.checkShape(); err != nil {
		return nil, nil, in.fail("%v", err)
	}
	if err := in.end(); err != nil {
		return nil, nil, err
	}
	return d, meta, nil
}

// meta reads the given number of metadata entries.
func (in *input) meta(entries uint64) (Meta, error) {
	meta, lastKey := Meta{}, ""
	for i := range entries {
		key, err := in.text("metadata key")
		if err != nil {
			return nil, err
		}
		if i > 0 && key <= lastKey {
			return nil, in.fail("metadata key %.40q after %.40q: want ascending keys", key, lastKey)
		}
		lastKey = key
		if meta[key], err = in.text("metadata value"); err != nil {
			return nil, err
		}
	}
	return meta, nil
}

// nodes reads the nodes, while another goroutine checks the levels that are complete: the
// two take about equally long.
func (in *input) nodes(ctx context.Context, d *Diagram, size int64) error {
	count := d.first[len(d.order)] - 2
	if int64(count) <= size/2 { // a node takes at least two bytes
		d.nodes = make([]Edges, 0, count)
	}
	read, checked := make(chan levels, levelsAhead), make(chan error, 1)
	ends := make([]int64, len(d.order))
	go func() { checked <- checkLevels(d, read, ends) }()
	unread := in.levels(ctx, d, read, ends, checked)
	close(read)
	// An error on a level that was passed on takes precedence over a reading error.
	if err := <-checked; err != nil {
		return err
	}
	return unread
}

// levels are those that have been read: how many, and their nodes.
type levels struct {
	count int
	nodes []Edges
}

// levelsAhead is how often levels may be passed on before they are checked.
const levelsAhead = 64

// levels reads the nodes and where each level ends in the file. It passes levels on, small
// ones together, until a checked one proves wrong.
func (in *input) levels(ctx context.Context, d *Diagram, read chan<- levels, ends []int64, checked chan error) error {
	var last Edges // the last child in each place that was a node
	passedOn := 0
	for h := range d.order {
		for from, hi := d.first[h], d.first[h+1]; from < hi; {
			if err := ctx.Err(); err != nil {
				return err
			}
			upTo := hi
			if hi-from > nodesAtOnce {
				upTo = from + nodesAtOnce
			}
			if err := in.edges(d, upTo-from, &last); err != nil {
				return err
			}
			from = upTo
		}
		ends[h] = in.offset + int64(in.pos)
		if len(d.nodes) < passedOn+nodesAtOnce && h+1 < len(d.order) {
			continue
		}
		passedOn = len(d.nodes)
		select {
		case read <- levels{h + 1, d.nodes}:
		case err := <-checked:
			checked <- err
			return nil
		}
	}
	return nil
}

// checkLevels checks levels as they are read.
func checkLevels(d *Diagram, read <-chan levels, ends []int64) (err error) {
	check := soundness{kind: d.kind, order: d.order}
	h := 0
	for some := range read {
		for ; h < some.count; h++ {
			err = check.level(h, some.nodes[:d.first[h+1]-2], d.first[h])
			if err != nil {
				return &FileError{Offset: ends[h], Reason: err.Error()}
			}
		}
	}
	if h < len(d.order) {
		return nil // the rest could not be read
	}
	if err := check.reachable(int(d.first[h]) - 2); err != nil {
		return &FileError{Offset: ends[h-1], Reason: err.Error()}
	}
	return nil
}

// end checks what comes after the nodes.
func (in *input) end() error {
	in.sum.Write(in.buf[:in.pos])
	sum := in.sum.Sum(nil)
	// One byte more than there should be.
	rest := io.LimitReader(io.MultiReader(bytes.NewReader(in.buf[in.pos:]), in.r), int64(len(sum)+1))
	tail, err := io.ReadAll(rest)
	switch {
	case err != nil:
		return err
	case len(tail) < len(sum):
		return in.fail("it ends too early")
	case !bytes.Equal(tail[:len(sum)], sum):
		return in.fail("its checksum does not match its content: it is damaged")
	case len(tail) > len(sum):
		return in.fail("there is more after its end")
	}
	return nil
}
