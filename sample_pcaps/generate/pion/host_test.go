// SPDX-License-Identifier: BSD-2-Clause

// A host with pion, told line by line what time it is and what happens to it; its answer ends with `now NS`.
//
//	active=1 seed=7 … (environment: HOST)
//	open | run NS | in HEX | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | close | quit
//
// It is a test because virtual time and seeded randomness are there for tests only.
package pionhost

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"
)

func TestHost(t *testing.T) {
	options := options(os.Getenv("HOST"))
	if options == nil {
		t.Skip("this is a host for captures, not a test: HOST says what it is")
	}
	cryptotest.SetGlobalRandom(t, uint64(options["seed"]))
	seedPion(options["seed"], uint32(options["initial_tsn"]))
	synctest.Test(t, func(t *testing.T) { serve(t, options) })
}

func serve(t *testing.T, options map[string]int64) {
	start := time.Now()
	reports := newReports()
	wire := newConn(func(packet []byte) { reports.add("packet %s", hex.EncodeToString(packet)) })
	association := newAssociation(reports)
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		words := strings.Fields(input.Text())
		switch words[0] {
		case "open":
			go association.open(settings{
				active: options["active"] != 0, mtu: uint32(options["mtu"]), rcvbuf: uint32(options["rcvbuf"]),
				interleaving: options["interleaving"] != 0, dtls: options["dtls"] != 0, conn: wire, log: logger{reports},
				most: uint64(options["undelivered"]), low: uint64(options["undelivered_low"]),
			})
		case "run":
			run(start.Add(time.Duration(number(t, words[1]))), reports)
		case "in":
			packet, err := hex.DecodeString(words[1])
			if err != nil {
				t.Fatal(err)
			}
			wire.in <- packet
		case "send":
			send(t, association, words[1:])
		case "read":
			association.reading = words[1] == "1"
		case "window":
			association.tellWindows()
		case "close":
			association.shutDown()
		case "quit":
			for _, line := range association.counters() {
				fmt.Println(line)
			}
			os.Exit(0) // pion's goroutines would keep the bubble alive
		default:
			t.Fatalf("%s?", input.Text())
		}
		synctest.Wait()
		association.read()
		if err := association.sendWaiting(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		reportMisses(association.pion, reports)
		for _, line := range reports.take() {
			fmt.Println(line)
		}
		fmt.Println("now", time.Since(start).Nanoseconds())
	}
}

// run waits for the time, or for the first report before it.
func run(until time.Time, reports *reports) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-reports.news:
	}
}

func send(t *testing.T, association *association, words []string) {
	t.Helper()
	arguments := make([]int, len(words))
	for i, word := range words {
		arguments[i] = int(number(t, word))
	}
	stream, size, unordered, rtxLimit, lifetimeMs := arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]
	association.waiting = append(association.waiting,
		message{uint16(stream), size, unordered != 0, rtxLimit, lifetimeMs})
	if err := association.sendWaiting(); err != nil {
		t.Fatal(err)
	}
}

func options(text string) map[string]int64 {
	var found map[string]int64
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			panic(err)
		}
		if found == nil {
			found = map[string]int64{}
		}
		found[name] = n
	}

	return found
}

func number(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}

	return n
}
