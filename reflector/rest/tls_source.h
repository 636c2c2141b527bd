// The TLS context of one cluster and user, made anew when the files that it came from change
// (client-go: cert_rotation.go, ca_rotation.go).
//
//   TlsSource tls(settings, made_at_start, log);
//   tls.CheckAuthorities(now);           // before a request
//   endpoint.tls = tls.Context(now);     // for a new connection
//   if (tls.CheckCertificate(now)) ...   // each five minutes: connections have to go
//
// When files are read, as in client-go: the client's certificate and key for each new connection,
// at most once a second, and every five minutes; the authorities with a request, at most every five
// minutes. What cannot be read, or is no certificate, is said in the log and changes nothing; there
// a new connection of client-go's would fail. Belongs to the loop's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/net/tls.h"
#include "core/time.h"
#include "reflector/log.h"

namespace relist {

// What a context is made of. Where a file is named, what `pem` has in its place is what it held
// when it was read first; data that was given as data has no file, and never changes.
struct TlsSettings {
  TlsClientOptions pem;
  std::string ca_file, cert_file, key_file;
};

// The context, with files read; the Error names the file that is bad.
Result<std::shared_ptr<TlsClientContext>> MakeTlsContext(TlsSettings* settings);

class TlsSource {
 public:
  static constexpr Duration kCheckPeriod = Seconds(300);
  static constexpr Duration kHandshakePeriod = Seconds(1);

  // `context` may be null: none of ours. `now`: when the files were read.
  TlsSource(TlsSettings settings, std::shared_ptr<TlsClientContext> context, TimePoint now,
            std::shared_ptr<Log> log);

  std::shared_ptr<TlsClientContext> Context(TimePoint now);
  // True if the authorities changed: no connection made before shall be used for another request.
  bool CheckAuthorities(TimePoint now);
  // True if the client's certificate or key changed: no connection made before shall live.
  bool CheckCertificate(TimePoint now);
  // A certificate that a plugin gave; "" for none. True if it is another one.
  Result<bool> UseCertificate(const std::string& cert_pem, const std::string& key_pem);
  bool has_certificate_files() const { return !settings_.cert_file.empty(); }
  // The certificate changed when a new connection was made; asking forgets it.
  bool TakeRotated() { return std::exchange(rotated_, false); }

 private:
  bool Remake(const TlsClientOptions& pem, const char* what);

  TlsSettings settings_;
  std::shared_ptr<TlsClientContext> context_;
  std::shared_ptr<Log> log_;
  TimePoint authorities_read_, certificate_read_;
  bool rotated_ = false;
};

// All of a file, or nothing; a device that never ends is no file.
std::optional<std::string> ReadWholeFile(const std::string& path);

}  // namespace relist
