package web

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"html"
	"image"
	"image/png"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/configure/pool"
)

const pictures = "../../docs/pictures/"

// TestDocumentPictures holds the pictures in documents to the program. Beside each is a file with the words in it: the
// program must still show these words, and the picture must look like what it shows. With UPDATE_DOCS=1, as make
// generate sets it, both are made again.
func TestDocumentPictures(t *testing.T) {
	conformance.Long(t)
	open := browser(t)
	t.Run("page", func(t *testing.T) {
		s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
		defer s.Close()
		p := open(t, s.URL, "#n=8&q=d1,c4,f6&why=a8")
		p.do(chromedp.EmulateViewport(1280, 880))
		p.waitFor(`document.querySelector("#step-2")`)
		p.js(`document.querySelector("#welcome").hidden = true; document.querySelector("#step-2").click(); 1`)
		p.rest()
		p.js(`document.querySelectorAll("option:not(:checked)").forEach((e) => e.remove()); 1`) // they are not in sight
		p.compare("page", p.js("document.body.innerText"))
	})
	program := filepath.Join(t.TempDir(), "harness")
	out, err := exec.Command("go", "build", "-o", program, "queens/cmd/harness").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, forms := range map[string]string{"forms-4": "bdd zdd mdd ddnnf", "forms-5": "zdd mdd ddnnf"} {
		t.Run(name, func(t *testing.T) {
			_, missing := exec.LookPath("dot")
			need(t, "Graphviz", "apt-get install graphviz", missing != nil)
			var text, shown strings.Builder
			for form := range strings.FieldsSeq(forms) {
				drawn, err := exec.Command(program, "export", "-n", name[len("forms-"):], "--diagram", form, "--format", "dot").Output()
				require.NoError(t, err)
				text.Write(drawn)
				cmd := exec.Command("dot", "-Tsvg")
				cmd.Stdin = bytes.NewReader(drawn)
				drawn, err = cmd.Output()
				require.NoError(t, err)
				fmt.Fprintf(&shown, "<figure>%s<figcaption>%s</figcaption></figure>", drawn[bytes.Index(drawn, []byte("<svg")):], form)
			}
			p := open(t, "about:blank", "")
			p.do(chromedp.Navigate("data:text/html;charset=utf-8," + url.PathEscape(`<!doctype html><title>forms</title><style>
				body { display: flex; gap: 24px; margin: 0; align-items: flex-start; justify-content: space-between; width: 1200px; height: 520px }
				figure { margin: 0; font: 22px sans-serif; text-align: center } svg { max-width: 100%; height: 480px }</style>`+shown.String())))
			p.do(chromedp.EmulateViewport(1200, 520, chromedp.EmulateScale(2)))
			p.compare(name, text.String())
		})
	}
	t.Run("terminal", func(t *testing.T) {
		var text, shown strings.Builder
		for _, line := range []string{"valid -n 8 --place d1,c4", "explain -n 8 --place d1,c4,f6 a8", "compile -n 12 --order snake",
			"count -n 14"} {
			out, err := exec.Command(program, strings.Fields(line)...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			fmt.Fprintf(&text, "$ harness %s\n%s", line, out)
			fmt.Fprintf(&shown, "<b>$ harness %s</b>\n%s", line, html.EscapeString(ansi.Wrap(string(out), 95, "")))
		}
		p := open(t, "about:blank", "")
		p.do(chromedp.Navigate("data:text/html;charset=utf-8," + url.PathEscape(`<!doctype html><title>terminal</title><style>
			body { margin: 0; background: #16181d } b { color: #7fd1a8 } pre { margin: 0; padding: 18px 22px; color: #d8dbe2;
			font: 15px/1.32 "DejaVu Sans Mono", monospace }</style><pre>`+shown.String()+`</pre>`)))
		p.do(chromedp.EmulateViewport(900, 20*int64(strings.Count(shown.String(), "\n")+2)))
		p.compare("terminal", text.String())
	})
}

// measured matches what differs from run to run.
var measured = regexp.MustCompile(`[\d.,]+ ?(ns|µs|ms|s|KiB|MiB)\b`)

// compare compares a picture in the documents, and the words in it, with what is shown, or makes both.
func (p *page) compare(name, words string) {
	words = measured.ReplaceAllString(strings.TrimSpace(words), "(measured)") + "\n"
	shown, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	file := pictures + name
	want, _ := os.ReadFile(file + ".txt") // a new picture has neither yet
	picture, _ := os.ReadFile(file + ".png")
	sum, rest, _ := strings.Cut(string(want), "\n")
	stale := ""
	switch {
	case sum != fmt.Sprintf("%x", sha256.Sum256(picture)):
		stale = "is another picture than that of " + file + ".txt"
	case rest != words:
		stale = fmt.Sprintf("shows %q, not %q", rest, words)
	case differing(p.t, picture, shown) >= .06:
		stale = "looks different"
	}
	if stale != "" && os.Getenv("UPDATE_DOCS") == "1" { // one that still holds stays, though its times are others
		require.NoError(p.t, os.WriteFile(file+".png", shown, 0o644))
		require.NoError(p.t, os.WriteFile(file+".txt", []byte(fmt.Sprintf("%x\n", sha256.Sum256(shown))+words), 0o644))
		return
	}
	assert.Empty(p.t, stale, "make generate renews %s.png", file)
}

// differing returns which part of two pictures' pixels differs clearly; times that were measured differ always, and
// fonts from system to system.
func differing(t *testing.T, files ...[]byte) float64 {
	var both [2]image.Image
	for i, file := range files {
		var err error
		both[i], err = png.Decode(bytes.NewReader(file))
		require.NoError(t, err)
	}
	size := both[0].Bounds()
	if size != both[1].Bounds() {
		return 1
	}
	different := 0
	for y := range size.Dy() {
		for x := range size.Dx() {
			r0, g0, b0, _ := both[0].At(x, y).RGBA()
			r1, g1, b1, _ := both[1].At(x, y).RGBA()
			if max(r0, r1)-min(r0, r1)+max(g0, g1)-min(g0, g1)+max(b0, b1)-min(b0, b1) > 1<<15 {
				different++
			}
		}
	}
	return float64(different) / float64(size.Dx()*size.Dy())
}
