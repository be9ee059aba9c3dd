// SPDX-License-Identifier: BSD-2-Clause

// Package pionhost: a connection that hands packets to whoever tells the host what happens.
package pionhost

import (
	"io"
	"net"
	"sync"
	"time"
)

type conn struct {
	in   chan []byte
	done chan struct{}
	once sync.Once
	out  func(packet []byte)
}

func newConn(out func(packet []byte)) *conn {
	return &conn{in: make(chan []byte, 1024), done: make(chan struct{}), out: out}
}

func (c *conn) Read(buffer []byte) (int, error) {
	select {
	case packet := <-c.in:
		return copy(buffer, packet), nil
	case <-c.done:
		return 0, io.EOF
	}
}

func (c *conn) Write(packet []byte) (int, error) {
	c.out(packet)

	return len(packet), nil
}

func (c *conn) Close() error {
	c.once.Do(func() { close(c.done) })

	return nil
}

func (c *conn) LocalAddr() net.Addr              { return &net.UDPAddr{} }
func (c *conn) RemoteAddr() net.Addr             { return &net.UDPAddr{} }
func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }
