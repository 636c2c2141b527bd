#include "reflector/rest/rest_identity.h"

#include <fmt/core.h>

#include <utility>

#include "core/net/proxy_handshake.h"
#include "reflector/rest/tls_source.h"

namespace relist {
namespace {

constexpr Duration kTokenKept = Seconds(50);

std::string TrimmedToken(const std::string& text) {
  static constexpr const char* kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// What would end the header's line is no part of it.
void AddHeader(std::string* out, const std::string& name, const std::string& value) {
  *out += name + ": ";
  for (const char c : value) {
    if (c != '\r' && c != '\n' && c != '\0') *out += c;
  }
  *out += "\r\n";
}

// client-go: headerKeyEscape
bool IsHeaderKeyByte(char c) {
  static constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string EscapedHeaderKey(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (IsHeaderKeyByte(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

RestIdentity::RestIdentity(Loop& loop, IdentityOptions options, std::shared_ptr<Log> log)
    : loop_(loop), options_(std::move(options)), log_(std::move(log)) {
  const bool others = !options_.bearer_token.empty() || !options_.token_file.empty() ||
                      !options_.username.empty() || !options_.password.empty();
  if (options_.exec && !others) plugin_ = std::make_unique<ExecPlugin>(loop_, *options_.exec, log_);
}

Task<Result<void>> RestIdentity::Prepare(Signal& stop) {
  if (!plugin_) co_return Result<void>();
  Task<Result<void>> ready = plugin_->Prepare(stop);
  co_return co_await ready;
}

const std::string& RestIdentity::Token() {
  if (options_.token_file.empty()) return options_.bearer_token;
  const bool asked = std::exchange(read_again_, false);
  if (asked || loop_.Now() - file_token_read_ >= kTokenKept) {
    file_token_read_ = loop_.Now();
    const std::optional<std::string> text = ReadWholeFile(options_.token_file);
    std::string token = text ? TrimmedToken(*text) : "";
    if (token.empty()) {
      Say(log_, LogLevel::kError,
          fmt::format("Unable to rotate token: {} {}", options_.token_file,
                      text ? "is empty" : "cannot be read"));
    } else {
      file_token_ = std::move(token);
    }
  }
  return file_token_.empty() ? options_.bearer_token : file_token_;
}

std::string RestIdentity::Headers() {
  std::string out;
  if (const std::string& token = Token(); !token.empty()) {
    AddHeader(&out, "Authorization", "Bearer " + token);
  } else if (!options_.username.empty() || !options_.password.empty()) {
    AddHeader(&out, "Authorization", BasicAuthorization(options_.username, options_.password));
  } else if (plugin_ && !plugin_->token().empty()) {
    AddHeader(&out, "Authorization", "Bearer " + plugin_->token());
  }
  const Impersonation& other = options_.impersonate;
  if (other.user.empty() && other.uid.empty() && other.groups.empty() && other.extra.empty()) {
    return out;
  }
  AddHeader(&out, "Impersonate-User", other.user);
  if (!other.uid.empty()) AddHeader(&out, "Impersonate-Uid", other.uid);
  for (const std::string& group : other.groups) AddHeader(&out, "Impersonate-Group", group);
  for (const auto& [key, values] : other.extra) {
    for (const std::string& value : values) {
      AddHeader(&out, "Impersonate-Extra-" + EscapedHeaderKey(key), value);
    }
  }
  return out;
}

void RestIdentity::Refused(uint64_t version) {
  read_again_ = true;
  if (plugin_) plugin_->Refused(version);
}

}  // namespace relist
