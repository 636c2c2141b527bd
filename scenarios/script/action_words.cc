#include "scenarios/script/action_words.h"

#include <array>

namespace relist {
namespace {

// In the order of StepSpec::Kind.
constexpr std::array<std::string_view, 16> kSteps = {
    "an object is created, or replaced",
    "a merge patch on an object",
    "an object is deleted",
    "etcd's floor moves to now; learned: exact lists and continue tokens from before expire",
    "the watch windows start empty: older watches expire",
    "the apiserver restarts: watches end, connections close, windows start empty",
    "a bookmark to everybody who asked for bookmarks",
    "connections are refused for a while",
    "writes do not come to the caches any more",
    "writes come to the caches again, all that were held back",
    "writes come to the caches so much later",
    "the whole status of an object is replaced",
    "what the selectors match is deleted",
    "a client's program ends: its connections close, nothing is kept",
    "another program under a client's name, which knows nothing",
    "a GET by somebody who is no informer, and who hangs up after a while",
};

// In the order of FaultSpec::Kind.
constexpr std::array<std::string_view, 21> kFaults = {
    "this answer instead of the server's",
    "an ERROR line in the stream, then its end",
    "the body ends as it should, early; before any line: the silent expiry",
    "FIN in the middle; without bytes before anything was done",
    "RST in the middle; without bytes before anything was done",
    "nothing more is ever sent, the connection stays open: half-open",
    "a write of its own up to there, then pieces",
    "all of it, later",
    "the rest, later",
    "the line twice (legal: false)",
    "the line is left out (a bookmark: legal; else legal: false)",
    "the line goes behind later ones (legal: false)",
    "the line as another one (legal: false)",
    "a line of its own before it (legal: false)",
    "from there on other chunks than a line each",
    "from there on other line ends (legal: false)",
    "so many bytes a second, from there on",
    "an answer of HTTP/1.0, which ends where the connection does",
    "all is done as asked, a write is committed, and the answer is lost",
    "the answer is whole, the next request on its connection is never read",
    "the body is compressed, though nobody asked (legal: false)",
};

}  // namespace

std::string_view WhatItDoes(StepSpec::Kind kind) {
  return kSteps[static_cast<size_t>(kind)];
}

std::string_view WhatItDoes(FaultSpec::Kind kind) {
  return kFaults[static_cast<size_t>(kind)];
}

}  // namespace relist
