#include "fakeapi/front/http_server_stream.h"

#include <openssl/err.h>
#include <openssl/sslerr.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace relist::fakeapi {
namespace {

// A TLS record's worth: the pieces of a watch's line go out as one record.
constexpr size_t kRecord = 16384;
// So many leave in one send.
constexpr int kRecordsASend = 8;

// Copies what pieces hold, a record's worth at a time.
class PieceReader {
 public:
  PieceReader(const iovec* pieces, int count) : piece_(pieces), end_(pieces + count) {}

  size_t Peek(char* to, size_t max) const {
    size_t size = 0, offset = offset_;
    for (const iovec* piece = piece_; piece < end_ && size < max; ++piece, offset = 0) {
      const size_t n = std::min(piece->iov_len - offset, max - size);
      std::memcpy(to + size, static_cast<const char*>(piece->iov_base) + offset, n);
      size += n;
    }
    return size;
  }
  void Skip(size_t bytes) {
    offset_ += bytes;
    for (; piece_ < end_ && offset_ >= piece_->iov_len; ++piece_) offset_ -= piece_->iov_len;
  }

 private:
  const iovec* piece_;
  const iovec* end_;
  size_t offset_ = 0;  // in *piece_
};

bool WouldBlock() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

ServerStream::ServerStream(OwnedFd fd, const TlsServerContext& tls) : fd_(std::move(fd)) {
  if (tls == nullptr) return;
  ssl_.reset(SSL_new(tls.get()));
  SSL_set_rfd(ssl_.get(), fd_.get());
  output_ = std::make_unique<TlsOutput>(fd_.get(), ssl_.get());
  SSL_set_accept_state(ssl_.get());
}

ServerStream::Io ServerStream::Judge(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return Io::kBlocked;
    case SSL_ERROR_ZERO_RETURN:
      return Io::kEof;
    case SSL_ERROR_SYSCALL:
      return errno == 0 ? Io::kEof : Io::kBroken;
    default:
      break;
  }
  const int reason = ERR_GET_REASON(ERR_peek_error());
  ERR_clear_error();
  if (reason == SSL_R_HTTP_REQUEST) return Io::kPlainOverTls;
  // Many clients close without a close_notify.
  return reason == SSL_R_UNEXPECTED_EOF_WHILE_READING ? Io::kEof : Io::kBroken;
}

ServerStream::Io ServerStream::Handshake() {
  if (shaken_) return Io::kOk;
  // OpenSSL knows the commoner verbs itself.
  constexpr std::string_view kAsGoDoes = "OPTIO";
  std::array<char, kAsGoDoes.size()> first;
  const ssize_t n = recv(fd_.get(), first.data(), first.size(), MSG_PEEK);
  if (n > 0 && std::string_view(first.data(), static_cast<size_t>(n)) == kAsGoDoes) {
    return Io::kPlainOverTls;
  }
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  if (result != 1) return Judge(result);
  shaken_ = true;
  return Io::kOk;
}

ServerStream::Io ServerStream::Read(char* to, size_t size, size_t* read) {
  *read = 0;
  if (ssl_ == nullptr) {
    const ssize_t n = recv(fd_.get(), to, size, 0);
    if (n < 0) return WouldBlock() ? Io::kBlocked : Io::kBroken;
    *read = static_cast<size_t>(n);
    return n == 0 ? Io::kEof : Io::kOk;
  }
  const Io shaken = Handshake();
  if (shaken != Io::kOk) return shaken;
  ERR_clear_error();
  errno = 0;
  const int result = SSL_read_ex(ssl_.get(), to, size, read);
  return result == 1 ? Io::kOk : Judge(result);
}

ServerStream::Io ServerStream::Write(const iovec* pieces, int count, size_t* written) {
  *written = 0;
  if (ssl_ == nullptr) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces);
    message.msg_iovlen = static_cast<size_t>(count);
    const ssize_t n = sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
    if (n < 0) return WouldBlock() ? Io::kBlocked : Io::kBroken;
    *written = static_cast<size_t>(n);
    return Io::kOk;
  }
  if (output_->waiting() || !shaken_) {
    const size_t left = output_->Send();
    if (output_->broken()) return Io::kBroken;
    return left > 0 ? Io::kOk : Io::kBlocked;
  }
  output_->Gather();
  PieceReader from(pieces, count);
  std::array<char, kRecord> record;
  bool good = true;
  for (int i = 0; i < kRecordsASend && good; ++i) {
    const size_t size = from.Peek(record.data(), record.size());
    if (size == 0) break;
    good = WriteRecord(record.data(), size);
    if (good) *written += size;
    from.Skip(size);
  }
  output_->Send();
  return good && !output_->broken() ? Io::kOk : Io::kBroken;
}

bool ServerStream::WriteRecord(const char* bytes, size_t size) {
  ERR_clear_error();
  size_t written = 0;
  return SSL_write_ex(ssl_.get(), bytes, size, &written) == 1;
}

void ServerStream::ShutdownWrite() {
  if (ssl_ != nullptr && shaken_) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
  }
  shutdown(fd_.get(), SHUT_WR);
}

bool ServerStream::DrainRaw() {
  std::array<char, 16384> nowhere;
  for (int i = 0; i < 64; ++i) {  // a flood is left for the next turn
    const ssize_t n = recv(fd_.get(), nowhere.data(), nowhere.size(), 0);
    if (n == 0) return true;
    if (n < 0) return !WouldBlock();
  }
  return false;
}

void ServerStream::WriteRaw(std::string_view text) {
  // Best effort: a peer that has filled its window already is not told.
  [[maybe_unused]] const ssize_t n = send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

}  // namespace relist::fakeapi
