// SPDX-License-Identifier: BSD-2-Clause

//go:build !norack

// How an association of pion with RACK is opened, on the wire or in DTLS.
package pionhost

import (
	"net"

	"github.com/pion/sctp"
)

func connect(s settings) (*sctp.Association, error) {
	wire := net.Conn(s.conn)
	if s.dtls {
		secured, err := secure(s.conn, s.active, s.log.to)
		if err != nil {
			return nil, err
		}
		wire = secured
	}
	options := []sctp.AssociationOption{
		sctp.WithNetConn(inOrder{wire}), sctp.WithLoggerFactory(s.log), sctp.WithName("host"), sctp.WithMTU(s.mtu),
		sctp.WithEnableInterleaving(s.interleaving),
	}
	if s.rcvbuf != 0 {
		options = append(options, sctp.WithMaxReceiveBufferSize(s.rcvbuf))
	}
	if s.active {
		return sctp.ClientWithOptions(clientOptions(options)...)
	}

	return sctp.ServerWithOptions(serverOptions(options)...)
}

func clientOptions(options []sctp.AssociationOption) []sctp.ClientOption {
	client := make([]sctp.ClientOption, len(options))
	for i, option := range options {
		client[i] = option
	}

	return client
}

func serverOptions(options []sctp.AssociationOption) []sctp.ServerOption {
	server := make([]sctp.ServerOption, len(options))
	for i, option := range options {
		server[i] = option
	}

	return server
}
