package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"queens/configure/pool"
)

// TestPictures saves pictures of the page at four sizes, light and
// dark, for people to look at: SCREENSHOTS=DIR go test ./ui/web -run Pictures.
func TestPictures(t *testing.T) {
	if os.Getenv("SCREENSHOTS") == "" {
		t.Skip("SCREENSHOTS names no folder for the pictures")
	}
	open := browser(t)
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	const projector, stage = `document.querySelector("#projector").click()`, `document.querySelector("#stage-panel").click()`
	views := []struct{ name, link, act, until string }{
		{"start", "#n=8", `document.querySelector("#welcome").hidden = false`, ""},
		{"tour", "#n=8", `document.querySelector("#welcome-tour").click()`, ""},
		{"tour-end", "#n=8", `document.querySelector("#welcome-tour").click();
			for (let i = 0; i < 5; i++) document.querySelector("#tour-next").click()`, ""},
		{"boards", "#n=8", `document.querySelector("#boards").click()`, ""},
		{"help", "#n=8", `document.querySelector("#help").click()`, ""},
		{"why", "#n=8&q=a1,e8&why=b3", `document.querySelector("#step-3").click()`, ""},
		{"why-hint", "#n=8&q=a1,e8&why=b3", `document.querySelector("#level-hint").click()`, ""},
		{"why-line", "#n=8&q=a1,e8&why=b3", `document.querySelector("#level-line").click()`, ""},
		{"why-end", "#n=8&q=a1,e8&why=b3", `document.querySelector("#step-6").click()`, ""},
		{"why-stage", "#n=8&q=a1,e8&why=b3", `document.querySelector("#step-3").click(); ` + stage, ""},
		{"forced", "#n=8&q=a1,b5", "", ""},
		{"heat", "#n=8&heat=1", "", ""},
		{"refused", "#n=8&q=c7,d4,a6,h3", "", ""},
		{"solved", "#n=6&q=b1&forced=place", "", ""},
		{"large", "#n=200", "", ""},
		{"board-stage", "#n=8&q=a1,b5", `document.querySelector("#stage-board").click()`, ""},
		{"solutions", "#n=8&q=a1&tab=solutions", `document.querySelector("#solution-next").click()`, ""},
		{"compare", "#n=8&q=a1&tab=compare", "", ""},
		{"orders", "#n=8&q=a1&tab=orders", "", ""},
		{"orders-own", "#n=6&tab=orders", `document.querySelector("#order-paint").click()`, ""},
		{"orders-search", "#n=6&tab=orders", `document.querySelector("#order-search").click()`,
			`document.querySelector("#live").textContent.includes("The search stops")`},
		{"orders-stage", "#n=6&tab=orders", stage, ""},
		{"diagram", "#n=4&q=b1&tab=diagram", "", ""},
		{"diagram-5", "#n=5&tab=diagram", "", ""},
		{"diagram-5-stage", "#n=5&tab=diagram", stage, ""},
		{"build", "#n=4&tab=build", `document.querySelector("#build-next").click();
			setTimeout(() => document.querySelector("#build-next").click(), 400)`, `document.querySelector(".vanished")`},
		{"build-5", "#n=5&tab=build", `document.querySelector("#build-play").click()`, built},
		{"build-stage", "#n=4&tab=build", stage + `; document.querySelector("#build-next").click()`, ""},
		{"build-5-stage", "#n=5&tab=build", stage + `; document.querySelector("#build-play").click()`, built},
		{"diagram-8", "#n=8&q=a1&tab=diagram", "", ""},
		{"repair", "#n=8&tab=repair", `document.querySelector("#repair-step").click()`, ""},
		{"repair-stage", "#n=8&tab=repair", `document.querySelector("#repair-step").click(); ` + stage, ""},
		{"quiz", "#n=8&tab=quiz&ask=cell-medium-2", `document.querySelector("#quiz-show").click()`, ""},
		{"sweep", "#n=4&q=b1&tab=diagram", `for (let i = 0; i < 24; i++) document.querySelector("#sweep-next").click()`, ""},
		{"banner", "#n=8&q=a1,z9&forced=maybe", "", ""},
	}
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1920, 1080}, {"laptop", 1280, 720}, {"projector", 1280, 720}, {"phone", 390, 844}, {"landscape", 844, 390}} {
		for _, theme := range []string{"light", "dark"} {
			for _, v := range views {
				name := fmt.Sprintf("%s-%s-%s", size.name, theme, v.name)
				t.Run(name, func(t *testing.T) {
					p := open(t, s.URL, v.link)
					if size.name == "phone" || size.name == "landscape" {
						p.do(chromedp.EmulateViewport(size.width, size.height, chromedp.EmulateMobile, chromedp.EmulateTouch))
					} else {
						p.do(chromedp.EmulateViewport(size.width, size.height))
					}
					p.js(`document.querySelector("#welcome").hidden = true; 1`)
					p.js(
						fmt.Sprintf(
							`while (document.documentElement.dataset.theme !== %q) document.querySelector("#theme").click(); 1`,
							theme,
						),
					)
					if size.name == "projector" {
						p.js(projector + `; localStorage.removeItem("projector"); 1`) // the next page is back to normal
					}
					p.rest()
					if v.act != "" {
						p.js(v.act + "; 1")
					}
					if v.until != "" {
						p.waitFor(v.until)
					}
					p.rest()
					p.shoot(name)
				})
			}
		}
	}
}

const (
	built = `document.querySelector("#build-next")?.disabled && !document.querySelector("#build-undo").disabled`
)
