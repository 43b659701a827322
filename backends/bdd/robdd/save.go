package robdd

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Saved diagrams: a compact binary file.
//
//	magic    8 bytes: 0x89 "robdd" CR LF; text-mode copies break it visibly
//	version  1 byte: 1
//	kind     1 byte: 0 BDD, 1 ZDD
//	uvarint  number of variables V
//	uvarint  number of nodes N
//	uvarint  root id
//	uvarint  number of metadata entries, then for each, keys ascending:
//	         uvarint length and bytes of the key, the same of the value
//	uvarint  V times: the variable on each level, top level first
//	uvarint  V times: the number of nodes on each level, bottom level first
//	uvarint  2N times: low and high of each node, ids ascending
//	sha256   32 bytes over everything before
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
	fileVersion = 1
	maxMeta     = 1 << 10 // entries
	maxMetaText = 1 << 16 // bytes of a key or a value
)

// Meta is what a file says about its diagram, free for the caller's use: for
// example the board size, the order's name and the construction.
type Meta map[string]string

// Write writes a diagram in the saved form.
func (d *Diagram) Write(w io.Writer, meta Meta) error {
	if len(meta) > maxMeta {
		return fmt.Errorf("robdd: writing a diagram: %d metadata entries: at most %d", len(meta), maxMeta)
	}
	sum := sha256.New()
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

// Save writes a diagram to a file: first to a temporary file next to it, which is
// then renamed, so that a crash leaves either the old file or the new one, complete.
func (d *Diagram) Save(path string, meta Meta) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("robdd: saving a diagram to %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("robdd: saving a diagram to %s: %w", path, err)
		}
	}()
	if err := d.Write(f, meta); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	// The new name must survive a crash too. Some file systems cannot sync a folder;
	// the file itself is complete even then.
	if folder, err := os.Open(dir); err == nil {
		_ = folder.Sync()
		folder.Close()
	}
	return nil
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

// Read reads a diagram in the saved form. Input that is truncated, damaged or of another
// format is a [FileError], as are bytes after the diagram. If the reader reports its
// remaining bytes by Len, nodes need not be moved as more arrive.
func Read(ctx context.Context, r io.Reader) (*Diagram, Meta, error) {
	size := int64(0)
	if sized, tells := r.(interface{ Len() int }); tells {
		size = int64(sized.Len())
	}
	d, meta, err := read(ctx, r, size)
	if err != nil {
		return nil, nil, fmt.Errorf("robdd: reading a diagram: %w", err)
	}
	return d, meta, nil
}

// read takes the input's size, if known, to allocate all nodes at once.
func read(ctx context.Context, r io.Reader, size int64) (*Diagram, Meta, error) {
	in := newInput(r)
	defer in.stop()
	return in.diagram(ctx, size)
}

// input decodes what it reads, block by block; another goroutine adds the decoded blocks
// to the checksum, which takes a quarter of the time.
type input struct {
	r      io.Reader
	buf    []byte // the current block
	pos    int    // of the next byte in it
	offset int64  // of buf[0]

	free    chan []byte // blocks to read into
	decoded chan []byte // their parts that enter the checksum
	sum     chan [sha256.Size]byte
}

const (
	blockSize = 1 << 16
	blocks    = 3 // one is being decoded, one added to the checksum, one waits
)

func newInput(r io.Reader) *input {
	in := &input{
		r: r, free: make(chan []byte, blocks), decoded: make(chan []byte, blocks), sum: make(chan [sha256.Size]byte, 1),
	}
	for range blocks {
		in.free <- nil // allocated when needed
	}
	go sumUp(in.decoded, in.free, in.sum)
	return in
}

func sumUp(decoded <-chan []byte, free chan<- []byte, result chan<- [sha256.Size]byte) {
	sum := sha256.New()
	for part := range decoded {
		sum.Write(part)
		free <- part[:0]
	}
	result <- [sha256.Size]byte(sum.Sum(nil))
}

// stop ends the goroutine that computes the checksum.
func (in *input) stop() {
	if in.decoded != nil {
		close(in.decoded)
		in.decoded = nil
	}
}

func (in *input) fail(format string, args ...any) error {
	return &FileError{Offset: in.offset + int64(in.pos), Reason: fmt.Sprintf(format, args...)}
}

// fill reads the next block, at least one byte of it. The current one has been decoded to
// its end.
func (in *input) fill() error {
	if in.buf != nil {
		in.offset += int64(len(in.buf))
		in.decoded <- in.buf
		in.buf, in.pos = nil, 0
	}
	block := <-in.free
	if block == nil {
		block = make([]byte, blockSize)
	}
	n, err := io.ReadAtLeast(in.r, block[:blockSize], 1)
	in.buf = block[:n]
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

// shortNumber reads a uvarint of up to four bytes if they are in the block; otherwise
// it reads nothing.
func (in *input) shortNumber() (uint64, bool) {
	if in.pos+4 > len(in.buf) {
		return 0, false
	}
	word := binary.LittleEndian.Uint32(in.buf[in.pos:])
	ends := ^word & 0x80808080 // of the last byte
	if ends == 0 {
		return 0, false
	}
	last := bits.TrailingZeros32(ends) >> 3
	word &= ends ^ (ends - 1) // nothing after it
	if last > 0 && word>>(8*last) == 0 {
		return 0, false // too long: number reports it
	}
	in.pos += last + 1
	return uint64(word&0x7f | word>>1&0x3f80 | word>>2&0x1fc000 | word>>3&0xfe00000), true
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

// edges reads the children of count nodes, at most nodesAtOnce.
func (in *input) edges(d *Diagram, count uint32, last *Edges) error {
	from := len(d.nodes)
	d.nodes = slices.Grow(d.nodes, int(count))[:from+int(count)]
	nodes := d.nodes[from:]
	buf, pos, low, high := in.buf, in.pos, last.Low, last.High
	for i := range nodes {
		if pos+2 <= len(buf) && (buf[pos]|buf[pos+1]) < 0x80 {
			// One byte each, as for most nodes.
			a, b := int32(buf[pos]), int32(buf[pos+1])
			pos += 2
			e := Edges{uint32(a), uint32(b)}
			if a >= 2 {
				low += uint32((a-2)>>1 ^ -(a & 1))
				e.Low = low
			}
			if b >= 2 {
				high += uint32((b-2)>>1 ^ -(b & 1))
				e.High = high
			}
			// One that went below 0 is now too large, which the check of the level finds.
			if a >= 2 && low < 2 || b >= 2 && high < 2 {
				in.pos = pos
				return in.fail("child %d or %d is not a node", low, high)
			}
			nodes[i] = e
			continue
		}
		in.pos = pos
		var err error
		if nodes[i].Low, err = in.child(&low); err != nil {
			return err
		}
		if nodes[i].High, err = in.child(&high); err != nil {
			return err
		}
		buf, pos = in.buf, in.pos
	}
	in.pos, last.Low, last.High = pos, low, high
	return nil
}

// nodesAtOnce is how many nodes room is made for before they are read.
const nodesAtOnce = 1 << 13

// child reads a child of a node; last is the last one in the same place that was a node.
func (in *input) child(last *uint32) (uint32, error) {
	n, ok := in.shortNumber()
	if !ok {
		var err error
		if n, err = in.number("child", 1<<33+2); err != nil {
			return 0, err
		}
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
	vars, err := in.number("number of variables", maxLevels)
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
	var order []Var
	for range vars {
		v, err := in.number("variable", vars)
		if err != nil {
			return nil, nil, err
		}
		order = append(order, Var(v))
	}
	first := []uint32{2}
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
	d.lowest = make([]uint32, len(d.order))
	read, checked := make(chan level, levelsAhead), make(chan error, 1)
	go func() { checked <- checkLevels(d, read) }()
	unread := in.levels(ctx, d, read, checked)
	close(read)
	// An error on a level that was read takes precedence over a reading error.
	if err := <-checked; err != nil {
		return err
	}
	return unread
}

// level is a level that has been read: its height, all nodes up to it, and where in the
// file it ends.
type level struct {
	h     int
	nodes []Edges
	end   int64
}

// levelsAhead is how many levels may wait to be checked.
const levelsAhead = 64

// levels reads the nodes and passes each level on, until a checked level proves wrong.
func (in *input) levels(ctx context.Context, d *Diagram, read chan<- level, checked chan error) error {
	var last Edges // the last child in each place that was a node
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
		select {
		case read <- level{h, d.nodes, in.offset + int64(in.pos)}:
		case err := <-checked:
			checked <- err
			return nil
		}
	}
	return nil
}

// checkLevels checks levels as they are read, and records the lowest child of each.
func checkLevels(d *Diagram, read <-chan level) (err error) {
	check := soundness{kind: d.kind, order: d.order}
	var last level
	for last = range read {
		if d.lowest[last.h], err = check.level(last.h, last.nodes, d.first[last.h]); err != nil {
			return &FileError{Offset: last.end, Reason: err.Error()}
		}
	}
	if last.h+1 < len(d.order) {
		return nil // the rest could not be read
	}
	if err := check.reachable(len(last.nodes)); err != nil {
		return &FileError{Offset: last.end, Reason: err.Error()}
	}
	return nil
}

// end checks what comes after the nodes.
func (in *input) end() error {
	rest := bytes.Clone(in.buf[in.pos:])
	in.decoded <- in.buf[:in.pos]
	in.offset += int64(in.pos)
	in.buf, in.pos = nil, 0
	in.stop()
	sum := <-in.sum
	// One byte more than there should be.
	r := io.LimitReader(io.MultiReader(bytes.NewReader(rest), in.r), sha256.Size+1)
	tail, err := io.ReadAll(r)
	switch {
	case err != nil:
		return err
	case len(tail) < sha256.Size:
		return in.fail("it ends too early")
	case !bytes.Equal(tail[:sha256.Size], sum[:]):
		return in.fail("its checksum does not match its content: it is damaged")
	case len(tail) > sha256.Size:
		return in.fail("there is more after its end")
	}
	return nil
}
