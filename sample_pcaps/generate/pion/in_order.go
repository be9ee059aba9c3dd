// SPDX-License-Identifier: BSD-2-Clause

// Puts the streams of a FORWARD-TSN in order: pion lists them as it finds them in a Go map, each time otherwise.
package pionhost

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"net"
	"slices"
)

const (
	commonHeader = 12
	streamsAt    = 8 // in the chunk, behind its header and the new cumulative TSN
)

// A stream with its SSN (RFC 3758 section 3.2), with its MID (RFC 8260 section 2.3.1).
var streamBytes = map[byte]int{192: 4, 194: 8}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// inOrder is between pion and the wire, or DTLS.
type inOrder struct{ net.Conn }

func (c inOrder) Write(packet []byte) (int, error) {
	return c.Conn.Write(withStreamsInOrder(packet))
}

// withStreamsInOrder returns the packet as pion might have made it, with the checksum that belongs to it.
func withStreamsInOrder(packet []byte) []byte {
	ordered := slices.Clone(packet)
	for at := commonHeader; at+4 <= len(ordered); {
		length := int(binary.BigEndian.Uint16(ordered[at+2:]))
		if length < 4 || at+length > len(ordered) {
			break
		}
		if each, listed := streamBytes[ordered[at]]; listed && length > streamsAt {
			streams := slices.SortedFunc(slices.Chunk(slices.Clone(ordered[at+streamsAt:at+length]), each), bytes.Compare)
			copy(ordered[at+streamsAt:], bytes.Join(streams, nil))
		}
		at += (length + 3) &^ 3
	}
	if bytes.Equal(ordered, packet) {
		return packet
	}
	clear(ordered[8:commonHeader])
	binary.LittleEndian.PutUint32(ordered[8:], crc32.Checksum(ordered, castagnoli))

	return ordered
}
