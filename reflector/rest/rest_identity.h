// Who a client says it is: a bearer token, given or from a file that rotates; a user name with a
// password; a plugin's token; and whom it wants to be taken for.
//
//   RestIdentity identity(loop, options, log);
//   Task<Result<void>> ready = identity.Prepare(stop);    // may run the plugin
//   if (Result<void> r = co_await ready; !r.ok()) ...
//   const std::string headers = identity.Headers();       // "Authorization: Bearer ...\r\n"
//   const uint64_t version = identity.version();
//   ... 401 ...
//   identity.Refused(version);
//
// A token file is read again after 50 s: client-go holds a token for good for a minute, and asks
// ten seconds early. After a 401 it is read again with the next request, which client-go does not
// do for these; it harms nobody. A file that cannot be read leaves the token that was read last,
// or bearer_token. Belongs to the loop's thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/log.h"
#include "reflector/rest/exec_plugin.h"

namespace relist {

// Headers with which the server acts as if somebody else asked (a right of its own there).
struct Impersonation {
  std::string user;  // empty: nobody; the others need one
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
  bool operator==(const Impersonation&) const = default;
};

struct IdentityOptions {
  std::string bearer_token;
  std::string token_file;  // wins over bearer_token
  std::string username, password;
  std::optional<ExecConfig> exec;  // asked only where there is none of the above
  Impersonation impersonate;
};

class RestIdentity {
 public:
  RestIdentity(Loop& loop, IdentityOptions options, std::shared_ptr<Log> log);

  // Sees that there are credentials; waits for the plugin, which runs once for all who wait.
  Task<Result<void>> Prepare(Signal& stop);
  // Lines of a request that goes out now.
  std::string Headers();
  // Counts the plugin's credentials.
  uint64_t version() const { return plugin_ ? plugin_->version() : 0; }
  // A request with these credentials was answered with 401.
  void Refused(uint64_t version);
  // The plugin's, if there is one: its certificate may have changed.
  const ExecPlugin* plugin() const { return plugin_.get(); }

 private:
  const std::string& Token();

  Loop& loop_;
  const IdentityOptions options_;
  const std::shared_ptr<Log> log_;
  std::unique_ptr<ExecPlugin> plugin_;
  std::string file_token_;
  TimePoint file_token_read_;
  bool read_again_ = true;
};

// A key of Impersonation::extra as it stands in a header's name: what is no token there, and %, as
// %XX.
std::string EscapedHeaderKey(const std::string& key);

}  // namespace relist
