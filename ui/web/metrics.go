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
	gauge := func(name, help string, value func(engines.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value(pool.Stats()) },
		)
	}
	for name, l := range map[string]*lane{"fast": fast, "slow": slow} {
		labels := prometheus.Labels{"lane": name}
		m.registry.MustRegister(
			prometheus.NewGaugeFunc(
				prometheus.GaugeOpts{
					Name:        "queens_waiting",
					Help:        "Questions waiting for a place.",
					ConstLabels: labels,
				},
				func() float64 { return float64(l.waiting.Load()) },
			),
			prometheus.NewGaugeFunc(
				prometheus.GaugeOpts{Name: "queens_working", Help: "Questions being answered.", ConstLabels: labels},
				func() float64 { return float64(l.busy()) },
			),
		)
	}
	m.registry.MustRegister(
		m.requests,
		m.duration,
		gauge(
			"queens_diagrams",
			"Diagrams held, compiled and loaded.",
			func(s engines.Stats) float64 { return float64(s.Diagrams) },
		),
		gauge(
			"queens_diagram_bytes",
			"Bytes of diagrams held.",
			func(s engines.Stats) float64 { return float64(s.DiagramBytes) },
		),
		gauge(
			"queens_idle_backends",
			"Idle back-ends, ready for use.",
			func(s engines.Stats) float64 { return float64(s.Idle) },
		),
		gauge(
			"queens_idle_bytes",
			"Bytes that idle back-ends may hold, approximately.",
			func(s engines.Stats) float64 { return float64(s.IdleBytes) },
		),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
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
