// Tapes for RapidCheck: how they are drawn, and what a failure prints.
//
//   rc::check("...", [] {
//     const Tape tape = *AnyTape();
//     ExpectGood(RunLife(tape), tape);
//   });
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <string>

#include "scenarios/life.h"
#include "scenarios/tape.h"

namespace relist {

// Four streams of bytes. The shrinker shortens them and makes their bytes smaller, and 0 is boring.
rc::Gen<Tape> AnyTape();

// How RapidCheck prints one.
void showValue(const Tape& tape, std::ostream& out);

// Where a property broke in the life of `tape`, RapidCheck is told, with the tape and the command
// that replays it.
void ExpectGood(const LifeResult& life, const Tape& tape);

// Writes the tape into the temporary folder, under a name made of its bytes; the path.
std::string SaveTape(const Tape& tape);

// Lives that one test runs: RELIST_LIVES, or `standard`.
int LivesToRun(int standard);

}  // namespace relist
