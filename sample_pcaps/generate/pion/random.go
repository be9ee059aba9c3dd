// SPDX-License-Identifier: BSD-2-Clause

// What is random for pion: its verification tags and initial TSN come from here.
package pionhost

import (
	"math/rand"
	_ "unsafe" // for linkname

	"github.com/pion/randutil"
)

// pion has no option for its generator.
//
//go:linkname pionRandom github.com/pion/sctp.globalMathRandomGenerator
var pionRandom randutil.MathRandomGenerator

type seeded struct {
	*rand.Rand
	initialTSN uint32 // 0: any
}

func (s *seeded) Uint32() uint32 {
	if tsn := s.initialTSN; tsn != 0 { // pion draws its initial TSN first
		s.initialTSN = 0

		return tsn
	}

	return s.Rand.Uint32()
}

func (s *seeded) GenerateString(n int, runes string) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = runes[s.Intn(len(runes))]
	}

	return string(text)
}

func seedPion(seed int64, initialTSN uint32) {
	pionRandom = &seeded{rand.New(rand.NewSource(seed)), initialTSN}
}
