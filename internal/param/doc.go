// Package param describes parameters. A struct's field is a parameter: its JSON name is the name, its
// comment the help, and its type says which values are allowed and which file a value pins. Flags, a
// configuration's schema, records' columns and the page's requests are made from this one
// description, and a wrong value gets the same message everywhere.
//
// The package must never know what is parametrised: neither problems ([queens/encode], [queens/board]) nor
// experiments ([queens/experiments]).
package param
