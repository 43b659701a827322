// A module of its own, so that the product never depends on another BDD package.
module queens/bench

go 1.26.0

require (
	github.com/dalzilio/rudd v1.1.1-0.20230806153452-9e08a6ea8170
	queens v0.0.0
)

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/ebitengine/purego v0.11.2 // indirect
	github.com/go-air/gini v1.0.4 // indirect
	github.com/go-ole/go-ole v1.2.6 // indirect
	github.com/lufia/plan9stats v0.0.0-20211012122336-39d0f177ccd0 // indirect
	github.com/power-devops/perfstat v0.0.0-20260805114148-88456608a4f6 // indirect
	github.com/shirou/gopsutil/v4 v4.26.10 // indirect
	github.com/tklauser/go-sysconf v0.4.0 // indirect
	github.com/tklauser/numcpus v0.12.0 // indirect
	github.com/yusufpapurcu/wmi v1.2.4 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace queens => ../
