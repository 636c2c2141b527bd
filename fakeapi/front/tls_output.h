// Ciphertext on its way to a socket: several records leave in one send, which is most of what TLS
// costs beside the cipher itself, and what the socket does not take waits here.
//
//   TlsOutput output(fd, ssl);     // ssl writes into it from now on
//   output.Gather();               // SSL_write ...
//   output.Send();                 // all that was gathered leaves
//   if (output.waiting()) ...      // the rest, once the socket has room
//
// What OpenSSL writes outside Gather and Send (handshakes, alerts, close_notify) leaves at once.
// One thread.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace relist::fakeapi {

class TlsOutput {
 public:
  TlsOutput(int fd, SSL* ssl);
  ~TlsOutput();
  TlsOutput(const TlsOutput&) = delete;
  TlsOutput& operator=(const TlsOutput&) = delete;

  void Gather();
  // Bytes that left, those that waited before included.
  size_t Send();
  bool waiting() const { return sent_ < unsent_.size(); }
  // The socket took no more for ever: the peer is gone.
  bool broken() const { return broken_; }

 private:
  static int OnWrite(BIO* bio, const char* bytes, size_t size, size_t* written);
  size_t SendNow(std::string_view bytes);

  const int fd_;
  std::string unsent_;  // empty for nearly all connections at nearly all times
  size_t sent_ = 0;     // of unsent_
  bool gathering_ = false;
  bool broken_ = false;
};

}  // namespace relist::fakeapi
