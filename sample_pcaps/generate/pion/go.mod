// SPDX-License-Identifier: BSD-2-Clause

module sctp-rack/pionhost

go 1.26

require (
	github.com/pion/dtls/v3 v3.1.15
	github.com/pion/logging v0.2.4
	github.com/pion/randutil v0.1.0
	github.com/pion/sctp v1.12.1
)

require (
	github.com/pion/transport/v5 v5.1.4 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

// pion takes deadlines for writing from it; the version that it names cannot be had from every proxy.
replace github.com/pion/transport/v5 => github.com/pion/transport/v5 v5.0.0
