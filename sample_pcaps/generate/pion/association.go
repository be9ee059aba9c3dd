// SPDX-License-Identifier: BSD-2-Clause

// One association of pion: what the application sends on it and reads from it.
package pionhost

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/pion/sctp"
)

const largestMessage = 65536

type settings struct {
	active       bool
	mtu, rcvbuf  uint32 // 0: pion's own choice
	interleaving bool
	dtls         bool   // with RACK only
	most, low    uint64 // bytes of a stream above which its application waits, and until when; 0: it does not
	conn         *conn
	log          logger
}

type association struct {
	reports  *reports
	pion     *sctp.Association
	reading  bool
	waiting  []message // for the stream to have fewer bytes under way
	full     bool
	settings settings

	mu      sync.Mutex
	streams map[uint16]*sctp.Stream
}

func newAssociation(reports *reports) *association {
	return &association{reports: reports, reading: true, streams: map[uint16]*sctp.Stream{}}
}

// open returns when the association is over, so it runs beside the rest.
func (a *association) open(s settings) {
	a.settings = s
	pion, err := connect(s)
	if err != nil {
		a.reports.add("down")

		return
	}
	a.pion = pion
	a.reports.add("up")
	for {
		stream, err := pion.AcceptStream()
		if err != nil {
			a.reports.add("down")

			return
		}
		a.keep(stream)
	}
}

// keep makes reads from the stream return at once where there is nothing: its deadline is over.
func (a *association) keep(stream *sctp.Stream) {
	_ = stream.SetReadDeadline(time.Now())
	a.mu.Lock()
	defer a.mu.Unlock()
	a.streams[stream.StreamIdentifier()] = stream
}

func (a *association) stream(id uint16) (*sctp.Stream, error) {
	a.mu.Lock()
	stream, known := a.streams[id]
	a.mu.Unlock()
	if known {
		return stream, nil
	}
	stream, err := a.pion.OpenStream(id, sctp.PayloadTypeWebRTCBinary)
	if err == nil {
		a.keep(stream)
	}

	return stream, err
}

type message struct {
	stream               uint16
	size                 int
	unordered            bool
	rtxLimit, lifetimeMs int
}

// sendWaiting goes on as an application does that OnBufferedAmountLow calls: pion's example
// data-channels-flow-control.
func (a *association) sendWaiting() error {
	for len(a.waiting) > 0 {
		stream, err := a.stream(a.waiting[0].stream)
		if err != nil {
			return err
		}
		a.full = a.full && stream.BufferedAmount() > a.settings.low
		if a.full {
			return nil
		}
		if err := a.write(stream, a.waiting[0]); err != nil {
			return err
		}
		a.full = a.settings.most > 0 && stream.BufferedAmount() > a.settings.most
		a.waiting = a.waiting[1:]
	}

	return nil
}

func (a *association) write(stream *sctp.Stream, m message) error {
	switch {
	case m.rtxLimit >= 0:
		stream.SetReliabilityParams(m.unordered, sctp.ReliabilityTypeRexmit, uint32(m.rtxLimit))
	case m.lifetimeMs >= 0:
		stream.SetReliabilityParams(m.unordered, sctp.ReliabilityTypeTimed, uint32(m.lifetimeMs))
	default:
		stream.SetReliabilityParams(m.unordered, sctp.ReliabilityTypeReliable, 0)
	}
	_, err := stream.WriteSCTP(make([]byte, m.size), sctp.PayloadTypeWebRTCBinary)

	return err
}

// read takes all that can be read, stream by stream. It is called when pion has come to rest, so that
// a SACK never depends on whether the application was faster than pion.
func (a *association) read() {
	if !a.reading {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	buffer := make([]byte, largestMessage)
	for _, id := range slices.Sorted(maps.Keys(a.streams)) {
		for {
			n, _, err := a.streams[id].ReadSCTP(buffer)
			if err != nil {
				break
			}
			a.reports.add("message %d", n)
		}
	}
}

// tellWindows tells the congestion window, what is left of the peer's, and what the application did not write yet;
// nothing limits its bursts but in a repair (TLR).
func (a *association) tellWindows() {
	if a.pion != nil {
		waiting := 0
		for _, m := range a.waiting {
			waiting += m.size
		}
		a.reports.add("window %d %d %d 0", a.pion.CWND(), a.pion.RWND(), waiting)
	}
}

func (a *association) shutDown() {
	go func() {
		_ = a.pion.Shutdown(context.Background())
	}()
}

// counters reads pion's own, which it shows to nobody but its log.
func (a *association) counters() []string {
	if a.pion == nil {
		return nil
	}
	stats := reflect.ValueOf(a.pion).Elem().FieldByName("stats").Elem()
	lines := make([]string, stats.NumField())
	for i := range lines {
		lines[i] = fmt.Sprintf("counter %s %d", stats.Type().Field(i).Name, stats.Field(i).Uint())
	}

	return lines
}
