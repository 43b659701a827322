package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"queens/configure/engines"
)

// metrics is what Prometheus reads, in the server's own registry.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics(pool *engines.Pool, fast, slow *lane) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "queens_requests_total", Help: "Requests answered, by operation and status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "queens_request_seconds", Help: "Time from reading a request's first byte to writing its answer.",
			Buckets: []float64{.0005, .001, .002, .004, .008, .016, .033, .05, .1, .25, .5, 1, 2.5, 5},
		}, []string{"operation"}),
	}
	gauge := func(name, help string, labels prometheus.Labels, value func() float64) {
		options := prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}
		m.registry.MustRegister(prometheus.NewGaugeFunc(options, value))
	}
	for name, l := range map[string]*lane{"fast": fast, "slow": slow} {
		labels := prometheus.Labels{"lane": name}
		gauge("queens_waiting", "Questions waiting for a place.", labels,
			func() float64 { return float64(l.waiting.Load()) })
		gauge("queens_working", "Questions being answered.", labels, func() float64 { return float64(l.busy()) })
	}
	gauge("queens_diagrams", "Diagrams held, compiled and loaded.", nil,
		func() float64 { return float64(pool.Stats().Diagrams) })
	gauge("queens_diagram_bytes", "Bytes of diagrams held.", nil,
		func() float64 { return float64(pool.Stats().DiagramBytes) })
	gauge("queens_idle_backends", "Idle back-ends, ready for use.", nil,
		func() float64 { return float64(pool.Stats().Idle) })
	gauge("queens_idle_bytes", "Bytes that idle back-ends may hold, approximately.", nil,
		func() float64 { return float64(pool.Stats().IdleBytes) })
	m.registry.MustRegister(m.requests, m.duration, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// observe counts a request. All unknown operations are one series, since callers must not
// be able to create new ones.
func (m *metrics) observe(operation string, status int, took time.Duration, known []string) {
	if !slices.Contains(known, operation) {
		operation = "unknown"
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(operation).Observe(took.Seconds())
}
