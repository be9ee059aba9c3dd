// SPDX-License-Identifier: BSD-2-Clause

// The last pion without RACK: go -modfile=norack.mod -tags=norack.
module sctp-rack/pionhost

go 1.26

require (
	github.com/pion/logging v0.2.4
	github.com/pion/randutil v0.1.0
	github.com/pion/sctp v1.8.41
)

require github.com/pion/transport/v3 v3.1.1 // indirect
