// The readers of histories and of clients' logs, and all that judges them, under bytes of any kind.
// The input is a history up to the first line that is "--", and a log from there. What can be read
// can be written, and read again as the same; what it is joined to is judged, whatever it says.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "scenarios/checkers/checkers.h"
#include "scenarios/histories/joined_history.h"
#include "scenarios/histories/unjudged.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace relist;
  if (size > 1 << 16) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t between = bytes.find("\n--\n");
  const std::string server(bytes.substr(0, between));
  const std::string log(between == std::string_view::npos ? "" : bytes.substr(between + 4));
  const Result<History> history = History::Parse(server, "h");
  const Result<ClientLog> client = ClientLog::Parse(log, "c");
  Require(history.ok() || history.error().message().starts_with("h:"));
  Require(client.ok() || client.error().message().starts_with("c:"));
  if (!history.ok() || !client.ok()) return 0;
  const Result<History> again = History::Parse(history->ToText());
  Require(again.ok() && again->ToText() == history->ToText());
  std::vector<NamedLog> logs;
  if (!client->lines.empty()) logs.push_back({std::nullopt, *client});
  const Result<History> joined = JoinHistory(&*history, logs);
  if (!joined.ok()) return 0;
  for (const Violation& violation : CheckAll(*joined)) Describe(*joined, violation, "");
  Unjudged(HistoryView(*joined), false);
  return 0;
}
