#include "reflector/rest/tls_source.h"

#include <fmt/core.h>

#include <array>
#include <fstream>
#include <tuple>
#include <utility>

namespace relist {
namespace {

constexpr size_t kFileMax = size_t{16} << 20;

Error CannotRead(const char* key, const std::string& path) {
  return Error::Net(Transport::kOther, fmt::format("{}: cannot read {}", key, path));
}

}  // namespace

std::optional<std::string> ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 65536> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<size_t>(file.gcount()));
    if (text.size() > kFileMax) return std::nullopt;
  }
  if (file.bad()) return std::nullopt;
  return text;
}

Result<std::shared_ptr<TlsClientContext>> MakeTlsContext(TlsSettings* settings) {
  const std::tuple<const char*, const std::string*, std::string*> parts[] = {
      {"certificate-authority", &settings->ca_file, &settings->pem.ca_pem},
      {"client-certificate", &settings->cert_file, &settings->pem.cert_pem},
      {"client-key", &settings->key_file, &settings->pem.key_pem},
  };
  for (const auto& [key, file, into] : parts) {
    if (file->empty()) continue;
    std::optional<std::string> text = ReadWholeFile(*file);
    if (!text) return CannotRead(key, *file);
    if (text->empty())
      return Error::Net(Transport::kTls, fmt::format("{}: {} is empty", key, *file));
    *into = std::move(*text);
  }
  return TlsClientContext::Make(settings->pem);
}

TlsSource::TlsSource(TlsSettings settings, std::shared_ptr<TlsClientContext> context, TimePoint now,
                     std::shared_ptr<Log> log)
    : settings_(std::move(settings)),
      context_(std::move(context)),
      log_(std::move(log)),
      authorities_read_(now),
      certificate_read_(now) {}

// False, with a line in the log, where it cannot be made.
bool TlsSource::Remake(const TlsClientOptions& pem, const char* what) {
  Result<std::shared_ptr<TlsClientContext>> made = TlsClientContext::Make(pem);
  if (!made.ok()) {
    Say(log_, LogLevel::kError,
        fmt::format("the changed {} is not used: {}", what, made.error().message()));
    return false;
  }
  settings_.pem = pem;
  context_ = std::move(*made);
  Say(log_, LogLevel::kInfo, fmt::format("the {} has changed: new connections use it", what));
  return true;
}

// client-go: tryRefreshTransportLocked
bool TlsSource::CheckAuthorities(TimePoint now) {
  if (settings_.ca_file.empty() || now - authorities_read_ < kCheckPeriod) return false;
  authorities_read_ = now;
  const std::optional<std::string> text = ReadWholeFile(settings_.ca_file);
  if (!text || text->empty()) {
    Say(log_, LogLevel::kError,
        fmt::format("certificate-authority: {} {}", settings_.ca_file,
                    text ? "is empty" : "cannot be read"));
    return false;
  }
  if (*text == settings_.pem.ca_pem) return false;
  TlsClientOptions pem = settings_.pem;
  pem.ca_pem = *text;
  return Remake(pem, "certificate authority");
}

// client-go: loadClientCert
bool TlsSource::CheckCertificate(TimePoint now) {
  if (settings_.cert_file.empty()) return false;
  certificate_read_ = now;
  TlsClientOptions pem = settings_.pem;
  const std::optional<std::string> cert = ReadWholeFile(settings_.cert_file);
  const std::optional<std::string> key = ReadWholeFile(settings_.key_file);
  if (!cert || !key) {
    Say(log_, LogLevel::kError,
        fmt::format("Loading client cert failed: cannot read {}",
                    cert ? settings_.key_file : settings_.cert_file));
    return false;
  }
  if (*cert == pem.cert_pem && *key == pem.key_pem) return false;
  pem.cert_pem = *cert;
  pem.key_pem = *key;
  return Remake(pem, "client certificate");
}

std::shared_ptr<TlsClientContext> TlsSource::Context(TimePoint now) {
  if (now - certificate_read_ > kHandshakePeriod && CheckCertificate(now)) rotated_ = true;
  return context_;
}

Result<bool> TlsSource::UseCertificate(const std::string& cert_pem, const std::string& key_pem) {
  if (cert_pem == settings_.pem.cert_pem && key_pem == settings_.pem.key_pem) return false;
  TlsClientOptions pem = settings_.pem;
  pem.cert_pem = cert_pem;
  pem.key_pem = key_pem;
  Result<std::shared_ptr<TlsClientContext>> made = TlsClientContext::Make(pem);
  if (!made.ok()) return made.error();
  settings_.pem = std::move(pem);
  context_ = std::move(*made);
  return true;
}

}  // namespace relist
