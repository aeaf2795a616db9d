module zs.invalid/host

go 1.19

require zs.invalid/zs v0.0.0

replace zs.invalid/zs => ../../bindings/go
