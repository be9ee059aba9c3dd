// SPDX-License-Identifier: BSD-2-Clause

// What the host says it did, one line each; what pion decides is read from its own log.
package pionhost

import (
	"fmt"
	"strings"
	"sync"

	"github.com/pion/logging"
)

type reports struct {
	mu     sync.Mutex
	lines  []string
	news   chan struct{}   // holds a token while there are lines
	marked map[uint32]bool // TSNs of which it is told that they have their third missing report
}

func newReports() *reports {
	return &reports{news: make(chan struct{}, 1), marked: map[uint32]bool{}}
}

func (r *reports) add(format string, arguments ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, arguments...))
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// missed tells of a TSN once.
func (r *reports) missed(tsn uint32) {
	if !r.marked[tsn] {
		r.marked[tsn] = true
		r.add("mark fast %d", tsn)
	}
}

func (r *reports) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := r.lines
	r.lines = nil
	select {
	case <-r.news:
	default:
	}

	return lines
}

const fast = "resend fast %d"

// What pion's log says, and the report that stands for it: the number is its second argument.
var decisions = []struct{ said, report string }{
	{"[%s] RACK: mark lost tsn=%d", "mark rack %d"},
	{"[%s] RACK timer: mark lost tsn=%d", "mark rack_timer %d"},
	{"[%s] PTO fired: probe tsn=%d", "mark tlp %d"},
	{"[%s] T3-rtx timed out: nRtos=%d", "timeout %d"},
	{"[%s] fast-retransmit: tsn=%d", fast},
	{"[%s] retransmitting tsn=%d", "resend marked %d"},
	{"[%s] DATA: tsn=%d", "handle %d"},
	{"[%s] receive buffer full. dropping DATA with tsn=%d", "discard tsn %d"},
}

type logger struct{ to *reports }

func (l logger) NewLogger(string) logging.LeveledLogger { return l }

func (l logger) Tracef(format string, arguments ...any) {
	for _, decision := range decisions {
		if strings.HasPrefix(format, decision.said) {
			if tsn, known := arguments[1].(uint32); known && decision.report == fast {
				l.to.missed(tsn) // at the feedback that brought the third report it is marked and sent at once
			}
			l.to.add(decision.report, arguments[1])
		}
	}
}

func (l logger) Debugf(format string, arguments ...any) { l.Tracef(format, arguments...) }

func (l logger) Infof(string, ...any)  {}
func (l logger) Warnf(string, ...any)  {}
func (l logger) Errorf(string, ...any) {}
func (l logger) Trace(string)          {}
func (l logger) Debug(string)          {}
func (l logger) Info(string)           {}
func (l logger) Warn(string)           {}
func (l logger) Error(string)          {}
