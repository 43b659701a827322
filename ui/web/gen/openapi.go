package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"queens/ask"
	"queens/configure/pool"
	"queens/internal/param"
	"queens/ui/web/api"
)

// calls lists the operations of the API.
func calls() []api.Operation {
	return api.New(pool.New(pool.Limits{}), nil, 0).Operations()
}

type object = map[string]any

// describe returns the OpenAPI document. The schemas come from the Go types and the
// descriptions from the types' comments.
func describe(comments map[string]string) ([]byte, error) {
	reflector := &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, DoNotReference: true, CommentMap: comments,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if isText(t) {
				return &jsonschema.Schema{Type: "string"}
			}
			return nil
		},
	}
	schema := func(t reflect.Type) any {
		s := reflector.ReflectFromType(t)
		s.Version = ""
		if t.Kind() == reflect.Struct {
			if _, chooses := t.FieldByName("Choice"); chooses { // all of which may be left out
				s.Required = slices.DeleteFunc(s.Required, func(name string) bool {
					return slices.ContainsFunc(param.Fields(ask.Choice{}), func(f param.Field) bool { return f.Name == name })
				})
			}
		}
		return s
	}
	content := func(t reflect.Type) object { return object{"application/json": object{"schema": schema(t)}} }
	failure := func(text string) object {
		return object{"description": text, "content": content(reflect.TypeFor[api.Error]())}
	}
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
		paths["/api/v1/"+c.Name] = object{"post": object{
			"operationId": c.Name,
			"summary":     c.Doc,
			"requestBody": object{"required": true, "content": content(c.Request)},
			"responses": object{
				"200": object{"description": "The answer", "content": content(c.Answer)},
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

// commentsOf returns the comments of types and of their fields, by qualified name, read from the sources
// in some folders.
func commentsOf(folders ...string) (map[string]string, error) {
	comments := map[string]string{}
	for _, folder := range folders {
		reader := &jsonschema.Reflector{}
		if err := reader.AddGoComments("queens/ui/web", folder, jsonschema.WithFullComment()); err != nil {
			return nil, fmt.Errorf("reading the comments of %s: %w", folder, err)
		}
		for name, comment := range reader.CommentMap {
			comments[name] = strings.Join(strings.Fields(comment), " ")
		}
	}
	return comments, nil
}
