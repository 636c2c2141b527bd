// Tapes for RapidCheck: how they are drawn, and a search among them.
//
//   const std::string failure = SearchLives(params, "", [](const LifeResult&) { return true; });
//   EXPECT_EQ(failure, "");   // tells the smallest bad life, and the command that replays it
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <iosfwd>
#include <string>

#include "scenarios/lives/life.h"
#include "scenarios/lives/tape.h"

namespace relist {

// Four streams of bytes. The shrinker shortens them and makes their bytes smaller, and 0 is boring.
rc::Gen<Tape> AnyTape();

// How RapidCheck prints one.
void showValue(const Tape& tape, std::ostream& out);

// Runs lives by chance, with this bug planted ("": none), until one is bad or there were as many as
// `params` says; "" if all were good. A bad one is shrunk, saved as a file, and told with the
// command that replays it. `each` sees every life; once it says false, shrinking ends.
std::string SearchLives(const rc::detail::TestParams& params, const std::string& planted_bug,
                        const std::function<bool(const LifeResult& life)>& each);

// Writes the tape into the temporary folder, under a name made of its bytes; the path.
std::string SaveTape(const Tape& tape);

// Lives that one test runs: RELIST_LIVES, or `standard`.
int LivesToRun(int standard);

}  // namespace relist
