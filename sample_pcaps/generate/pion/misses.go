// SPDX-License-Identifier: BSD-2-Clause

// Which chunks have their third missing report: pion says only when it sends them, so its flight is looked at.
package pionhost

import (
	"reflect"

	"github.com/pion/sctp"
)

const misses = 3 // RFC 9260 section 7.2.4

// reportMisses is called when pion has come to rest. What was sent again is not marked by a miss any more.
func reportMisses(pion *sctp.Association, reports *reports) {
	if pion == nil {
		return
	}
	flight := reflect.ValueOf(pion).Elem().FieldByName("inflightQueue").Elem().FieldByName("chunks").Elem()
	ring, head := flight.FieldByName("buf"), int(flight.FieldByName("head").Int())
	for i := range int(flight.FieldByName("count").Int()) {
		chunk := ring.Index((head + i) % ring.Len()).Elem()
		missed := chunk.FieldByName("missIndicator").Uint() == misses && chunk.FieldByName("nSent").Uint() == 1
		if missed && !chunk.FieldByName("acked").Bool() {
			reports.missed(uint32(chunk.FieldByName("tsn").Uint()))
		}
	}
}
