// Package param describes parameters. A parameter is a field of a struct: its JSON name is the
// parameter's name, its comment is the help, and its type says which values are allowed and which file a
// value pins. Flags, a configuration's schema, records' columns and the page's requests all come from
// this one description, and an invalid value gets the same message everywhere.
//
// The package must never know what is parametrised: neither problems ([queens/encode], [queens/board]) nor
// experiments ([queens/experiments]).
package param
