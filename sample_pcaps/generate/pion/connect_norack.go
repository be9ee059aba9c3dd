// SPDX-License-Identifier: BSD-2-Clause

//go:build norack

// How an association of pion before RACK is opened; it knows no I-DATA.
package pionhost

import "github.com/pion/sctp"

func connect(s settings) (*sctp.Association, error) {
	config := sctp.Config{NetConn: inOrder{s.conn}, LoggerFactory: s.log, Name: "host", MTU: s.mtu, MaxReceiveBufferSize: s.rcvbuf}
	if s.active {
		return sctp.Client(config)
	}

	return sctp.Server(config)
}
