// SPDX-License-Identifier: BSD-2-Clause

// One association of pion: what the application sends on it and reads from it.
package pionhost

import (
	"context"
	"sync"

	"github.com/pion/sctp"
)

const largestMessage = 65536

type settings struct {
	active       bool
	mtu, rcvbuf  uint32 // 0: pion's own choice
	interleaving bool
	conn         *conn
	log          logger
}

type association struct {
	reports *reports
	pion    *sctp.Association
	streams map[uint16]*sctp.Stream

	mu      sync.Mutex
	reading *sync.Cond
	paused  bool
}

func newAssociation(reports *reports) *association {
	a := &association{reports: reports, streams: map[uint16]*sctp.Stream{}}
	a.reading = sync.NewCond(&a.mu)

	return a
}

// open returns when the handshake is over, so it runs beside the rest.
func (a *association) open(s settings) {
	pion, err := connect(s)
	if err != nil {
		a.reports.add("down")

		return
	}
	a.mu.Lock()
	a.pion = pion
	a.mu.Unlock()
	a.reports.add("up")
	for {
		stream, err := pion.AcceptStream()
		if err != nil {
			a.reports.add("down")

			return
		}
		go a.read(stream)
	}
}

func (a *association) send(id uint16, size int, unordered bool, rtxLimit, lifetimeMs int) error {
	stream, known := a.streams[id]
	if !known {
		var err error
		if stream, err = a.pion.OpenStream(id, sctp.PayloadTypeWebRTCBinary); err != nil {
			return err
		}
		a.streams[id] = stream
		go a.read(stream)
	}
	switch {
	case rtxLimit >= 0:
		stream.SetReliabilityParams(unordered, sctp.ReliabilityTypeRexmit, uint32(rtxLimit))
	case lifetimeMs >= 0:
		stream.SetReliabilityParams(unordered, sctp.ReliabilityTypeTimed, uint32(lifetimeMs))
	default:
		stream.SetReliabilityParams(unordered, sctp.ReliabilityTypeReliable, 0)
	}
	_, err := stream.WriteSCTP(make([]byte, size), sctp.PayloadTypeWebRTCBinary)

	return err
}

func (a *association) read(stream *sctp.Stream) {
	buffer := make([]byte, largestMessage)
	for {
		a.mu.Lock()
		for a.paused {
			a.reading.Wait()
		}
		a.mu.Unlock()
		n, _, err := stream.ReadSCTP(buffer)
		if err != nil {
			return
		}
		a.reports.add("message %d", n)
	}
}

func (a *association) setReading(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = !on
	a.reading.Broadcast()
}

func (a *association) shutDown() {
	go func() {
		_ = a.pion.Shutdown(context.Background())
	}()
}
