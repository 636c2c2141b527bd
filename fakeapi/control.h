// The control endpoints: what a test does to the server, over the same HTTP as everything else.
//
//   ControlHandler handler(server, {.history = &history});
//   handler.Handle({"POST", "/relist/v1/evict", {}, ""}, now, now);
//
// ControlEndpoints() lists them, with what each takes; GET /relist/v1/openapi.json tells the same.
// A body is a JSON object of those keys, or empty: anything else is 400, and nothing is done; a
// length of time is a week at most, a name 253 bytes.
// Actions answer {"action":"evict","revision":"12"}. Every other path is the ApiServer's, or that
// of one of its replicas. A server with a token wants it here, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/history.h"
#include "fakeapi/api_server.h"

namespace relist::fakeapi {

// Of what is named here, as of an object.
inline constexpr size_t kControlNameBytesMax = 253;

struct ControlKey {
  enum class Type { kBool, kRevision, kReplica, kDuration, kName, kList };
  const char* name;
  Type type;
  const char* about;
  bool required = false;
};

struct ControlEndpoint {
  const char* name;    // behind /relist/v1/
  const char* method;  // "GET", "POST" or "DELETE"; a name may have several
  const char* about;
  std::vector<ControlKey> keys;
};
const std::vector<ControlEndpoint>& ControlEndpoints();
// The OpenAPI document of them.
std::string ControlOpenApi();

// What one inject brought.
struct Injected {
  std::string name;  // "inject-2", of the second: never given again
  int faults = 0;
};

struct ControlOptions {
  History* history = nullptr;  // null: none is kept
  // Takes the body of an inject; the Error says what is wrong with it. Empty: 501.
  std::function<Result<Injected>(const std::string& body)> inject;
  // Ends what an inject of this name brought, or with "" all; how many faults that were. The Error
  // says that there is none of that name.
  std::function<Result<int>(const std::string& name)> end_injected;
  // What is in force of all injects, for the state.
  std::function<std::vector<Injected>()> injected;
  // Called before a reset, which empties the history and ends what was injected.
  std::function<void()> before_reset;
};

class ControlHandler : public RequestHandler {
 public:
  // All outlive the handler.
  ControlHandler(ApiServer& server, ControlOptions options, size_t replica = 0)
      : server_(server), front_(server.Front(replica)), options_(std::move(options)) {}

  Reply Handle(const Request& request, TimePoint received, TimePoint now) override;
  uint64_t change_count() const override { return front_.change_count(); }
  uint64_t incarnation() const override { return front_.incarnation(); }
  TimePoint NextDeadline() const override { return front_.NextDeadline(); }
  void Tick(TimePoint now) override { front_.Tick(now); }

 private:
  struct Asked;
  Result<Asked> ReadBody(const ControlEndpoint& endpoint, const std::string& text) const;
  Response Control(const Request& request, std::string_view name, TimePoint now);
  Response Read(std::string_view name, TimePoint now) const;
  std::string StateText(TimePoint now) const;
  Result<std::string> Do(const ControlEndpoint& endpoint, const Asked& asked,
                         const std::string& body, TimePoint now);
  Result<std::string> Inject(const std::string& body);
  Result<std::string> EndInjected(const std::string& name);
  Result<std::string> Reset(const std::string& snapshot, TimePoint now);

  ApiServer& server_;
  RequestHandler& front_;
  const ControlOptions options_;
};

}  // namespace relist::fakeapi
