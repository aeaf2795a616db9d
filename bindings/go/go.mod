module zs.invalid/zs

go 1.19
