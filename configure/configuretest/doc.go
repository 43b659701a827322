// Package configuretest writes boards for the tests of the packages around configure.
package configuretest
