package param

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Flatten returns the fields of a struct, or of one encoded as JSON, as text, by JSON name: numbers
// unrounded, lists joined with semicolons, nil pointers empty.
func Flatten(v any) (map[string]string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := DecodeJSON(data, &m); err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(m))
	for name, v := range m {
		texts[name] = Text(v)
	}
	return texts, nil
}

// DecodeJSON decodes JSON and keeps numbers as they are written: 1000000, not 1e+06.
func DecodeJSON(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}

// Text formats a decoded JSON value as a record shows it.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = Text(w)
		}
		return strings.Join(words, ";")
	default:
		return fmt.Sprint(v)
	}
}

// CompareValues orders values: numbers by size, and before any text.
func CompareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
