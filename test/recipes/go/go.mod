module example/payroll

go 1.22

require github.com/testcontainers/testcontainers-go v0.34.0
