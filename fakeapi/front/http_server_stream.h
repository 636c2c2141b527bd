// One accepted socket as a stream of plain bytes, with TLS below or without. Nothing here blocks.
//
//   ServerStream stream(fd, tls);           // tls: null for plain TCP
//   switch (stream.Read(buffer, size, &n)) { ... }
//
// One thread. OpenSSL's errors are per thread and are cleared before each call.
#pragma once

#include <openssl/ssl.h>
#include <sys/uio.h>

#include <memory>
#include <string>

#include "core/result.h"
#include "fakeapi/front/http_server_socket.h"
#include "fakeapi/front/tls_output.h"

namespace relist::fakeapi {

using TlsServerContext = std::shared_ptr<SSL_CTX>;

// TLS 1.2 and up, ALPN http/1.1. Client certificates are asked for, not demanded, where `ca_pem` is
// not empty. Error(kTls): a bad certificate or key, or a key that is not the certificate's.
Result<TlsServerContext> MakeTlsServerContext(const std::string& cert_pem,
                                              const std::string& key_pem,
                                              const std::string& ca_pem);

class ServerStream {
 public:
  enum class Io {
    kOk,
    kBlocked,      // try again when the socket is ready
    kEof,          // the peer closed its side
    kBroken,       // reset, or bytes that are not TLS
    kPlainOverTls  // a plain HTTP request on a TLS port
  };

  ServerStream(OwnedFd fd, const TlsServerContext& tls);

  // With room for a whole TLS record (16 KB) it leaves no byte where no readiness of the socket
  // would announce it.
  Io Read(char* to, size_t size, size_t* read);
  // May take fewer bytes than the pieces hold: kOk and none, where only what was taken before went
  // on. What it took may wait for room (wants_write()); until that is gone it takes nothing.
  Io Write(const iovec* pieces, int count, size_t* written);

  // Something that was taken, or a word of the handshake, waits for room to write: call Write, with
  // any pieces or none, when there is some.
  bool wants_write() const { return output_ != nullptr && output_->waiting(); }

  // The end of our side: close_notify where the handshake is done, then FIN.
  void ShutdownWrite();
  // Whatever the peer still sends is thrown away; true once it has closed its side.
  bool DrainRaw();
  // Raw bytes past TLS; best effort.
  void WriteRaw(std::string_view text);

  int fd() const { return fd_.get(); }
  void Close() { fd_.Reset(); }

 private:
  Io Judge(int result);
  Io Handshake();
  bool WriteRecord(const char* bytes, size_t size);

  OwnedFd fd_;
  std::unique_ptr<TlsOutput> output_;  // outlives ssl_, which writes into it
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{nullptr, SSL_free};
  bool shaken_ = false;
};

}  // namespace relist::fakeapi
