#include "fakeapi/front/tls_output.h"

#include <sys/socket.h>

#include <cerrno>

namespace relist::fakeapi {
namespace {

// What is gathered, of one connection at a time: thousands of them need no buffer each.
std::string& Gathered() {
  static thread_local std::string gathered;
  return gathered;
}

long OnControl(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace

TlsOutput::TlsOutput(int fd, SSL* ssl) : fd_(fd) {
  static BIO_METHOD* const kMethod = [] {
    BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "TlsOutput");
    BIO_meth_set_write_ex(method, &TlsOutput::OnWrite);
    BIO_meth_set_ctrl(method, &OnControl);
    return method;
  }();
  BIO* bio = BIO_new(kMethod);
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set0_wbio(ssl, bio);
}

TlsOutput::~TlsOutput() = default;

int TlsOutput::OnWrite(BIO* bio, const char* bytes, size_t size, size_t* written) {
  TlsOutput& output = *static_cast<TlsOutput*>(BIO_get_data(bio));
  *written = size;
  if (output.gathering_) {
    Gathered().append(bytes, size);
  } else if (output.waiting()) {
    output.unsent_.append(bytes, size);
  } else {
    output.unsent_.assign(bytes + output.SendNow({bytes, size}), bytes + size);
    output.sent_ = 0;
  }
  return 1;
}

void TlsOutput::Gather() {
  gathering_ = true;
  Gathered().clear();
}

size_t TlsOutput::Send() {
  size_t left = 0;
  if (waiting()) {
    left = SendNow(std::string_view(unsent_).substr(sent_));
    sent_ += left;
  }
  if (!waiting() && sent_ > 0) {
    unsent_ = std::string();
    sent_ = 0;
  }
  if (!gathering_) return left;
  gathering_ = false;
  std::string_view rest = Gathered();
  if (!waiting()) {
    const size_t now = SendNow(rest);
    rest.remove_prefix(now);
    left += now;
  }
  unsent_.append(rest);
  return left;
}

size_t TlsOutput::SendNow(std::string_view bytes) {
  if (bytes.empty() || broken_) return 0;
  const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (n >= 0) return static_cast<size_t>(n);
  broken_ = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
  return 0;
}

}  // namespace relist::fakeapi
