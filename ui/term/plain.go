package term

import (
	"os"
	"strings"
)

// plainSigns replaces the characters beyond ASCII that screens and tables use.
var plainSigns = strings.NewReplacer("µ", "u", "×", "x", "…", "...", "–", "-", "⊤", "T", "⊥", "F", "·", ".", "≡", "=",
	"│", "|", "─", "-", "┌", "+", "┬", "+", "┐", "+", "├", "+", "┼", "+", "┤", "+", "└", "+", "┴", "+", "┘", "+")

// Plain returns a text in ASCII if the environment says that the terminal knows no other characters, as LC_ALL=C
// does. Letters in names stay.
func Plain(text string) string {
	if asciiOnly() {
		return plainSigns.Replace(text)
	}
	return text
}

// asciiOnly reports whether the environment says that the terminal knows no other characters.
func asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value == "C" || value == "POSIX"
		}
	}
	return false
}
