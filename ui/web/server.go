package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"queens/configure"
	"queens/configure/pool"
	"queens/ui/web/api"
)

//go:embed page/dist
var dist embed.FS

const maxBody = 64 << 10 // bytes of a request

// Config sets a Server's other limits. Zero values mean the defaults.
type Config struct {
	Clients  int                // connections at a time; 1024
	Queue    int                // requests waiting in each lane before others are refused; 256
	Time     time.Duration      // limit for one request; 5 s
	Patience time.Duration      // limit for a client to send its request; 10 s
	Hosts    []string           // names by which the server may be reached, in addition to addresses and localhost
	Log      *slog.Logger       // nil: none
	Options  *configure.Options // of the problem that the page configures; nil: boards
}

// Server answers over HTTP. It is an http.Handler; create it with [New].
type Server struct {
	config  Config
	service *api.Service
	mux     *http.ServeMux
	fast    *lane
	slow    *lane
	answers writings
}

// New returns a Server that asks the pool's back-ends.
func New(warm *pool.Pool, config Config) *Server {
	config.Clients = cmp.Or(config.Clients, 1024)
	config.Queue = cmp.Or(config.Queue, 256)
	config.Time = cmp.Or(config.Time, 5*time.Second)
	config.Patience = cmp.Or(config.Patience, 10*time.Second)
	config.Log = cmp.Or(config.Log, slog.New(slog.DiscardHandler))
	workers := runtime.GOMAXPROCS(0) // more questions at a time would only share the processors
	s := &Server{
		config: config, service: api.New(warm, config.Options, config.Time),
		mux:     http.NewServeMux(),
		answers: writings{most: heldAnswers},
		fast:    newLane(workers, config.Queue), slow: newLane(max(1, workers/2), config.Queue),
	}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"status":"ok"}`+"\n")
	})
	s.mux.Handle("GET /api/openapi.json", asset("openapi.json", api.OpenAPI))
	s.mux.HandleFunc("POST /api/v1/{operation}", s.answer)
	s.mux.HandleFunc("/api/", s.noSuchCall)
	files, err := dist.ReadDir("page/dist")
	if err != nil {
		panic(err) // cannot fail: the folder is embedded above
	}
	for _, file := range files {
		text, _ := dist.ReadFile("page/dist/" + file.Name())
		s.mux.Handle("GET /"+strings.Replace(file.Name(), "index.html", "{$}", 1), asset(file.Name(), text))
	}
	return s
}

// noSuchCall answers requests for unknown calls, in JSON like the rest of the API.
func (s *Server) noSuchCall(w http.ResponseWriter, r *http.Request) {
	status, message := http.StatusNotFound, fmt.Sprintf("%s: no such call; see /api/openapi.json", r.URL.Path)
	if strings.HasPrefix(r.URL.Path, "/api/v1/") && r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		status, message = http.StatusMethodNotAllowed, fmt.Sprintf("%s: expected POST with a JSON object", r.Method)
	}
	s.fail(w, status, message)
}

// asset serves one file from memory, compressed if the browser accepts that. The library compares tags,
// and tells a browser if its copy is still valid.
func asset(name string, text []byte) http.Handler {
	sum := sha256.Sum256(text)
	tag := hex.EncodeToString(sum[:12])
	var packed bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	zip.Write(text)
	zip.Close()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-cache") // ask each time, and compare tags
		h.Set("Vary", "Accept-Encoding")
		h.Set("ETag", `"`+tag+`"`)
		body := text
		if packed.Len() < len(text) && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", `"`+tag+`-gzip"`) // different bytes need a different tag
			body = packed.Bytes()
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// securityPolicy allows what the page needs and nothing else: its own script, style and API. Style
// attributes are not allowed and not needed: shapes use SVG attributes and classes.
const securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", securityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	if status, message := s.admit(r); status != 0 {
		s.fail(w, status, message)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// answer passes one request to the service.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	name := r.PathValue("operation")
	status := s.serve(w, r, name)
	s.config.Log.Debug("answered", "operation", name, "status", status, "seconds", time.Since(start).Seconds())
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, name string) (status int) {
	// A foreign page cannot send this type without a preflight request, which is refused. So no other
	// site can use this server's time.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return s.fail(w, http.StatusUnsupportedMediaType, "Content-Type: expected application/json")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		message := fmt.Sprintf("request body: more than %d bytes", maxBody)
		return s.fail(w, http.StatusRequestEntityTooLarge, message)
	case err != nil:
		return s.fail(w, http.StatusBadRequest, "request body: "+err.Error())
	}
	question, err := s.service.Read(name, body)
	if err != nil {
		return s.reply(w, nil, err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.Time)
	defer cancel()
	value, err := s.ask(ctx, question)
	if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
		err = api.TooLate(name, s.config.Time)
	}
	return s.reply(w, value, err)
}

// ask answers a question in the lane where it belongs.
func (s *Server) ask(ctx context.Context, q *api.Call) (any, error) {
	if !q.Slow {
		if err := s.fast.enter(ctx); err != nil {
			return nil, err
		}
		under, stop := context.WithCancel(ctx)
		defer stop()
		answered := begin(under, q)
		select {
		case a := <-answered:
			s.fast.leave()
			return a.value, a.err
		case <-time.After(slice):
		}
		if s.slow.try() {
			s.fast.leave()
			defer s.slow.leave()
			a := <-answered
			return a.value, a.err
		}
		stop()
		a := <-answered
		s.fast.leave()
		if !errors.Is(a.err, context.Canceled) { // it ended before it was stopped
			return a.value, a.err
		}
	}
	if err := s.slow.enter(ctx); err != nil {
		return nil, err
	}
	defer s.slow.leave()
	return q.Answer(ctx)
}

// answer is a value or an error.
type answer struct {
	value any
	err   error
}

// begin answers a question in a goroutine of its own. It passes a panic on, so that net/http ends only
// that request.
func begin(ctx context.Context, q *api.Call) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			done <- a
		}()
		a.value, a.err = q.Answer(ctx)
	}()
	return done
}

// reply writes an answer, or the error if there is one, and returns the status.
func (s *Server) reply(w http.ResponseWriter, value any, err error) (status int) {
	status, answer := api.Encode(value, err)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(answer)))
	w.WriteHeader(status)
	s.answers.write(w, answer)
	return status
}

func (s *Server) fail(w http.ResponseWriter, status int, message string) int {
	return s.reply(w, nil, &api.Error{Status: status, Message: message})
}

// Serve answers on a listener until the context ends. Then it finishes the requests in progress, waiting
// at most about as long as one request may take.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	clients := &connections{most: s.config.Clients, open: map[net.Conn]bool{}}
	server := &http.Server{
		Handler:           s,
		ConnState:         clients.changed,
		ReadHeaderTimeout: s.config.Patience / 2,
		ReadTimeout:       s.config.Patience,
		WriteTimeout:      2*s.config.Time + 10*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Time+time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("shutting down: %w", err)
	}
	return nil
}
