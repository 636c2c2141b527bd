// Compares answers with recorded ones: what varies from run to run has a name in a recording, and
// the same name must be the same value throughout a chapter. For tests only.
//
//   RecordingComparer comparer;
//   std::vector<std::string> differences = comparer.Compare(step, answer);   // empty: equal
//
// The rules are written down beside the recordings (testdata/real/README.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace relist::fakeapi {

struct RecordedAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string text;                            // of a watch: its lines
  std::string ended;                           // "last chunk" of a watch, else "content-length"
  double took_s = 0;
};

class RecordingComparer {
 public:
  using Differences = std::vector<std::string>;

  // ${L}, ${L+100000}, ${x*60000} in a request's path (percent-encoded) or body.
  std::string Fill(const std::string& text, bool for_path) const;
  // Keeps what step.save names of the answer.
  void Save(const nlohmann::json& step, const std::string& answer);
  Differences Compare(const nlohmann::json& step, const RecordedAnswer& got);

 private:
  Differences Same(const nlohmann::json& want, const nlohmann::json& got, const std::string& where,
                   bool is_pod);
  Differences SameText(const std::string& want, const nlohmann::json& got,
                       const std::string& where);
  Differences Bind(const std::string& name, const nlohmann::json& value, const std::string& where);
  Differences SameEvents(const nlohmann::json& step, const RecordedAnswer& got);
  Differences SameBody(const nlohmann::json& step, const RecordedAnswer& got);
  Differences Position(const nlohmann::json& step, const nlohmann::json& body);

  std::map<std::string, std::string> saved_;
  std::map<std::string, std::string> bound_;     // name to value
  std::map<std::string, std::string> used_;      // value to name
  std::map<std::string, std::string> token_rv_;  // continue token to its list's revision
};

}  // namespace relist::fakeapi
