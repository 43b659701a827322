package order

var natural = Named{
	Name:      "natural",
	Reason:    "the variables by number, as the problem was written down: row-major on a board",
	variables: ByNumber,
}
