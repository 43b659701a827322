package main

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"queens/lab"
	"queens/ui/web/api"
)

// call is one operation of the API.
type call struct {
	name, summary   string
	request, answer any
}

func calls() []call {
	return []call{
		{"about", "What this server offers: back-ends, variable orders, limits", struct{}{}, api.AboutAnswer{}},
		{
			"board",
			"What follows from a placement: valid and forced cells, and counts",
			api.BoardRequest{},
			api.BoardAnswer{},
		},
		{
			"count",
			"Only the numbers of solutions, for boards that take long to count",
			api.Board{},
			api.CountOutcome{},
		},
		{"explain", "Why a cell can or cannot hold a queen", api.ExplainRequest{}, lab.Walk{}},
		{"solutions", "Some of the completions of a placement", api.SolutionsRequest{}, api.SolutionsAnswer{}},
		{
			"compare",
			"The same valid-cell question to every back-end, with times and work",
			api.Board{},
			lab.Comparison{},
		},
		{"orders", "The diagrams of a board in several variable orders", api.OrdersRequest{}, api.OrdersAnswer{}},
		{"diagram", "A small diagram to draw, with the paths that a placement allows", api.DiagramRequest{}, lab.Drawing{}},
		{
			"build",
			"How a small diagram grows while rules are conjoined, one at a time",
			api.BuildRequest{},
			lab.Construction{},
		},
		{
			"improve",
			"A short search for a variable order with a smaller diagram",
			api.ImproveRequest{},
			lab.Improvement{},
		},
		{
			"race",
			"Every back-end on a board of one size: building, answering, and when the diagram pays",
			api.RaceRequest{},
			lab.Lap{},
		},
		{"quiz", "A question that a lecture can put to a class, with its answer", lab.QuizRequest{}, lab.Quiz{}},
		{"repair", "The course of a local search, to be animated", api.RepairRequest{}, lab.Course{}},
	}
}

type object = map[string]any

// describe returns the OpenAPI document. The schemas come from the Go types and the
// descriptions from the types' comments.
func describe(comments map[string]string) ([]byte, error) {
	reflector := &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, DoNotReference: true, CommentMap: comments,
	}
	schema := func(value any) any {
		s := reflector.ReflectFromType(reflect.TypeOf(value))
		s.Version = ""
		return s
	}
	content := func(value any) object {
		return object{"application/json": object{"schema": schema(value)}}
	}
	failure := func(text string) object { return object{"description": text, "content": content(api.Error{})} }
	paths := object{
		"/healthz": object{
			"get": object{
				"operationId": "healthz",
				"summary":     "Whether the server answers",
				"responses":   object{"200": object{"description": "It does"}},
			},
		},
	}
	for _, c := range calls() {
		paths["/api/v1/"+c.name] = object{"post": object{
			"operationId": c.name,
			"summary":     c.summary,
			"requestBody": object{"required": true, "content": content(c.request)},
			"responses": object{
				"200": object{"description": "The answer", "content": content(c.answer)},
				"400": failure("The request is invalid: the message names the field and what was expected"),
				"413": failure("The body is too large"),
				"415": failure("The body is not application/json"),
				"422": failure(
					"The request is valid, but not supported by this server: board too large, no such back-end " +
						"or order",
				),
				"503": failure("No answer within the time limit, or too many requests at once"),
			},
		}}
	}
	document := object{
		"openapi": "3.1.0",
		"info": object{
			"title":   "N-queens configurator",
			"version": "1",
			"description": "Stateless: a request holds the whole placement. Cells are written as in chess, " +
				"file letter(s) then rank: a1 is row 0, column 0; after z comes aa. Counts are decimal text, " +
				"since they can exceed a float's precision. Unknown fields are refused.",
		},
		"paths": paths,
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return append(text, '\n'), err
}

// commentsOf returns the comments of the API's types and their fields, by qualified name, read
// from the sources of their packages. web is the folder of package web.
func commentsOf(web string) (map[string]string, error) {
	reader := &jsonschema.Reflector{}
	for pkg, dir := range map[string]string{
		"queens/ui/web/api": filepath.Join(web, "api"),
		"queens/lab":        filepath.Join(web, "..", "..", "lab"),
	} {
		if err := reader.AddGoComments(pkg, dir, jsonschema.WithFullComment()); err != nil {
			return nil, fmt.Errorf("reading the comments of %s: %w", dir, err)
		}
	}
	comments := map[string]string{}
	for key, comment := range reader.CommentMap {
		// AddGoComments joins the module's path with the folder's.
		if folder, name, found := strings.Cut(path.Base(key), "."); found {
			key = map[string]string{"api": "queens/ui/web/api.", "lab": "queens/lab."}[folder] + name
		}
		comments[key] = strings.Join(strings.Fields(comment), " ")
	}
	return comments, nil
}
