// What cases remember, and what they compare answers and watches with.
//
//   Kept kept;  kept.Keep("bar", body_of_an_answer);
//   CheckAnswer(response, kept.Fill("200 items=bar rv=$bar"), kept);
//   CheckWatch(session, now, {"ADDED:bar", "BOOKMARK-END@7"}, kept);
//
// Differences are gtest failures. Words: README.md beside this.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/time.h"
#include "fakeapi/api/request_handler.h"

namespace relist::fakeapi {

// An object as it was written: without kind and apiVersion, as lists show it.
struct KeptObject {
  std::string text;
  std::string revision;
  std::string uid;
};

class Kept {
 public:
  void Keep(const std::string& name, const std::string& body);
  const KeptObject& At(const std::string& name) const;
  // "$bar" is its resourceVersion, "$bar+1" one more, "$bar.uid" its uid, "$token" the continue
  // token of the last list, "{bar:ns/x\0}" one made up.
  std::string Fill(const std::string& text) const;
  // "a,p0..p2": a p0 p1 p2.
  static std::vector<std::string> Names(const std::string& list);

  std::string token;

 private:
  std::map<std::string, KeptObject> objects_;
};

// `wanted`: filled in. Remembers the continue token.
void CheckAnswer(const Response& response, const std::string& wanted, Kept* kept);

// All that the watch says now is these words, and nothing else.
void CheckWatch(WatchSession& watch, TimePoint now, const std::vector<std::string>& wanted,
                const Kept& kept);

}  // namespace relist::fakeapi
