// How steps of cases name objects, and what they are to be.
//
//   Place("configmaps:ns/a").Path();             // /api/v1/namespaces/ns/configmaps/a
//   Attributes({"label:app=x", "node=n1"});      //
//   {"metadata":{"labels":{"app":"x"}},"spec":{...}}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace relist::fakeapi {

// "pods:ns/name", "ns/name", "ns", "*": of pods unless it says so.
struct Place {
  std::string plural = "pods";
  std::string ns, name;

  explicit Place(std::string text);
  std::string Collection() const;
  std::string Path() const { return Collection() + "/" + name; }
};

// JSON to be merged into an object. A word that is none is a failed CHECK.
nlohmann::ordered_json Attributes(const std::vector<std::string>& words);

}  // namespace relist::fakeapi
