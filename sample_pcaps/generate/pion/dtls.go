// SPDX-License-Identifier: BSD-2-Clause

//go:build !norack

// SCTP inside DTLS (RFC 8261), as in WebRTC: each packet that SCTP sends is one record.
package pionhost

import (
	"crypto/tls"
	"encoding/hex"
	"net"
	"strings"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
	dtlsnet "github.com/pion/dtls/v3/pkg/net"
)

// secured reports the records that leave, each with the SCTP packet inside it.
type secured struct {
	*dtls.Conn
	inside *string // of the record that is being written, in hexadecimal; empty: one of DTLS itself
}

func (s secured) Write(packet []byte) (int, error) {
	*s.inside = hex.EncodeToString(packet)
	n, err := s.Conn.Write(packet)
	*s.inside = ""

	return n, err
}

// secure returns when the handshake is over. The key log is reported, too.
func secure(wire *conn, active bool, reports *reports) (net.Conn, error) {
	inside := new(string)
	wire.out = func(record []byte) { reports.add("record %s %s", hex.EncodeToString(record), *inside) }
	certificate, err := selfsign.GenerateSelfSigned()
	if err != nil {
		return nil, err
	}
	config := &dtls.Config{
		Certificates: []tls.Certificate{certificate}, InsecureSkipVerify: true, KeyLogWriter: keyLog{reports},
	}
	begin := dtls.Server
	if active {
		begin = dtls.Client
	}
	conn, err := begin(dtlsnet.PacketConnFromConn(wire), wire.RemoteAddr(), config)
	if err != nil {
		return nil, err
	}

	return secured{conn, inside}, conn.Handshake()
}

type keyLog struct{ to *reports }

func (k keyLog) Write(line []byte) (int, error) {
	k.to.add("keys %s", strings.TrimSpace(string(line)))

	return len(line), nil
}
