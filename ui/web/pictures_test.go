package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"queens/configure/engines"
)

// Pictures of the page at desktop, projector and phone size, light and dark, for people
// to look at: SCREENSHOTS=DIR go test ./ui/web -run Pictures.
func TestPictures(t *testing.T) {
	if os.Getenv("SCREENSHOTS") == "" {
		t.Skip("SCREENSHOTS names no folder for the pictures")
	}
	open := browser(t)
	s := httptest.NewServer(New(engines.New(engines.Limits{}), Config{}))
	defer s.Close()
	views := []struct{ name, link, act string }{
		{"start", "#n=8", ""},
		{"why", "#n=8&q=a1,e8&why=b3", `document.querySelector("#step-3").click()`},
		{"solutions", "#n=8&q=a1&tab=solutions", `document.querySelector("#solution-next").click()`},
		{"compare", "#n=8&q=a1&tab=compare", ""},
		{"race", "#n=6&q=b1&tab=compare", `document.querySelector("#race-start").click()`},
		{"orders", "#n=8&q=a1&tab=orders", ""},
		{"diagram", "#n=4&q=b1&tab=diagram", ""},
		{
			"build",
			"#n=4&tab=build",
			`document.querySelector("#build-next").click();
				setTimeout(() => document.querySelector("#build-next").click(), 400)`,
		},
		{
			"stage",
			"#n=5&tab=build",
			`document.querySelector("#stage-panel").click(); document.querySelector("#build-play").click()`,
		},
		{"repair", "#n=8&tab=repair", `document.querySelector("#repair-step").click()`},
		{"solved", "#n=6&q=b1&forced=place", ""},
		{"large", "#n=200", ""},
		{"refused", "#n=8&q=c7,d4,a6,h3", ""},
	}
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1440, 900}, {"projector", 1280, 720}, {"phone", 390, 844}} {
		for _, theme := range []string{"light", "dark"} {
			for _, v := range views {
				p := open(t, s.URL, v.link)
				p.do(chromedp.EmulateViewport(size.width, size.height))
				if v.name != "start" {
					p.js(`localStorage.setItem("welcome", "seen"); document.querySelector("#welcome").hidden = true; 1`)
				} else {
					p.js(`document.querySelector("#welcome").hidden = false; 1`)
				}
				p.js(
					fmt.Sprintf(
						`while (document.documentElement.dataset.theme !== %q) document.querySelector("#theme").click(); 1`,
						theme,
					),
				)
				p.js(fmt.Sprintf(`document.documentElement.toggleAttribute("data-projector", %v)`, size.name == "projector"))
				time.Sleep(500 * time.Millisecond)
				if v.act != "" {
					p.js(v.act + "; 1")
				}
				time.Sleep(1100 * time.Millisecond)
				p.shoot(fmt.Sprintf("%s-%s-%s", size.name, theme, v.name))
			}
		}
	}
}
