#include "core/net/tls.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "core/check.h"

namespace relist {
namespace {

template <auto kFree>
struct Freer {
  template <class T>
  void operator()(T* what) const {
    kFree(what);
  }
};
using BioPtr = std::unique_ptr<BIO, Freer<BIO_free_all>>;
using X509Ptr = std::unique_ptr<X509, Freer<X509_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;

Error TlsError(std::string why) {
  return Error::Net(Transport::kTls, "tls: " + std::move(why));
}

// What OpenSSL last complained of, in its words; empties its queue.
std::string LastReason() {
  std::string reason = "unknown error";
  while (const unsigned long code = ERR_get_error()) {
    if (const char* text = ERR_reason_error_string(code)) reason = text;
  }
  return reason;
}

BioPtr MemoryBio(const std::string& text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// False after the last certificate, and where one is broken: the queue then has a reason.
bool ReadCertificate(BIO* from, X509Ptr* into) {
  into->reset(PEM_read_bio_X509(from, nullptr, nullptr, nullptr));
  if (*into) return true;
  const unsigned long code = ERR_peek_last_error();
  if (ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE) {
    ERR_clear_error();
  }
  return false;
}

Result<void> TrustOnly(SSL_CTX* context, const std::string& ca_pem) {
  const BioPtr bio = MemoryBio(ca_pem);
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  int count = 0;
  X509Ptr certificate;
  while (ReadCertificate(bio.get(), &certificate)) {
    X509_STORE_add_cert(store, certificate.get());
    ++count;
  }
  if (ERR_peek_error() != 0) return TlsError("bad certificate authority: " + LastReason());
  if (count == 0) return TlsError("the certificate authority holds no PEM certificate");
  return {};
}

Result<void> UseClientCertificate(SSL_CTX* context, const TlsClientOptions& options) {
  const BioPtr bio = MemoryBio(options.cert_pem);
  X509Ptr certificate;
  for (bool first = true; ReadCertificate(bio.get(), &certificate); first = false) {
    if (first) {
      if (SSL_CTX_use_certificate(context, certificate.get()) != 1) break;
    } else if (SSL_CTX_add1_chain_cert(context, certificate.get()) != 1) {
      break;
    }
  }
  if (ERR_peek_error() != 0) return TlsError("bad client certificate: " + LastReason());
  if (!SSL_CTX_get0_certificate(context)) {
    return TlsError("the client certificate holds no PEM certificate");
  }
  const BioPtr key_bio = MemoryBio(options.key_pem);
  const auto no_password = [](char*, int, int, void*) { return 0; };
  const KeyPtr key(PEM_read_bio_PrivateKey(key_bio.get(), nullptr, no_password, nullptr));
  if (!key) return TlsError("bad client key: " + LastReason());
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return TlsError("the client key does not fit its certificate: " + LastReason());
  }
  return {};
}

bool IsAddress(const std::string& host) {
  in6_addr scratch;
  return inet_pton(AF_INET, host.c_str(), &scratch) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &scratch) == 1;
}

}  // namespace

// ---- TlsClientContext

struct TlsClientContext::Impl {
  std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>> context;
  std::string server_name;
  bool verify = true;
};

TlsClientContext::TlsClientContext() : impl_(std::make_unique<Impl>()) {}
TlsClientContext::~TlsClientContext() = default;

Result<std::shared_ptr<TlsClientContext>> TlsClientContext::Make(const TlsClientOptions& options) {
  ERR_clear_error();
  std::shared_ptr<TlsClientContext> made(new TlsClientContext());
  made->impl_->context.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* context = made->impl_->context.get();
  CHECK(context, "SSL_CTX_new: {}", LastReason());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>("\x08http/1.1"), 9);
  made->impl_->server_name = options.server_name;
  made->impl_->verify = !options.insecure_skip_verify;
  SSL_CTX_set_verify(context, made->impl_->verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (options.ca_pem.empty()) {
    SSL_CTX_set_default_verify_paths(context);
  } else if (Result<void> trusted = TrustOnly(context, options.ca_pem); !trusted.ok()) {
    return trusted.error();
  }
  if (options.cert_pem.empty() != options.key_pem.empty()) {
    return TlsError("a client certificate needs its key, and a key its certificate");
  }
  if (!options.cert_pem.empty()) {
    if (Result<void> used = UseClientCertificate(context, options); !used.ok()) return used.error();
  }
  return made;
}

// ---- TlsEngine

struct TlsEngine::Impl {
  void Drive();
  void Fail(const SSL* failed);

  std::shared_ptr<TlsClientContext> context;
  std::string name;
  std::unique_ptr<SSL, Freer<SSL_free>> ssl;
  BIO* in = nullptr;  // the session owns both
  BIO* out = nullptr;
  std::string unsent;  // until hands are shaken
  bool handshake_done = false;
  bool peer_done = false;
  Result<void> state;
};

TlsEngine::TlsEngine(std::shared_ptr<TlsClientContext> context, const std::string& host)
    : impl_(std::make_unique<Impl>()) {
  const TlsClientContext::Impl& options = *context->impl_;
  impl_->name = options.server_name.empty() ? host : options.server_name;
  if (impl_->name.ends_with('.')) impl_->name.pop_back();
  impl_->ssl.reset(SSL_new(options.context.get()));
  SSL* ssl = impl_->ssl.get();
  CHECK(ssl, "SSL_new: {}", LastReason());
  impl_->in = BIO_new(BIO_s_mem());
  impl_->out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, impl_->in, impl_->out);
  SSL_set_hostflags(ssl,
                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  const char* name = impl_->name.c_str();
  if (IsAddress(impl_->name)) {
    if (options.verify) X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name);
  } else {
    SSL_set_tlsext_host_name(ssl, name);
    if (options.verify) SSL_set1_host(ssl, name);
  }
  impl_->context = std::move(context);
  SSL_set_connect_state(ssl);
  impl_->Drive();
}

TlsEngine::~TlsEngine() = default;

// Says what the user can act on: why a certificate is not good, or what the other side complains
// of.
void TlsEngine::Impl::Fail(const SSL* failed) {
  const long verdict = SSL_get_verify_result(failed);
  const std::string reason = LastReason();
  if (!context->impl_->verify || handshake_done || verdict == X509_V_OK) {
    state = TlsError(reason == "wrong version number" || reason == "http request"
                         ? "the server does not speak TLS (" + reason + ")"
                         : reason);
  } else if (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    state = TlsError(fmt::format("the server's certificate is not valid for \"{}\"", name));
  } else {
    state = TlsError(fmt::format("the server's certificate is not trusted: {}",
                                 X509_verify_cert_error_string(verdict)));
  }
}

// Goes on with the handshake as far as the bytes allow.
void TlsEngine::Impl::Drive() {
  if (handshake_done || !state.ok()) return;
  ERR_clear_error();
  const int got = SSL_do_handshake(ssl.get());
  if (got == 1) {
    handshake_done = true;
    if (!unsent.empty()) SSL_write(ssl.get(), unsent.data(), static_cast<int>(unsent.size()));
    unsent = {};
  } else if (SSL_get_error(ssl.get(), got) != SSL_ERROR_WANT_READ) {
    Fail(ssl.get());
  }
}

void TlsEngine::FeedCipher(std::string_view bytes) {
  BIO_write(impl_->in, bytes.data(), static_cast<int>(bytes.size()));
  impl_->Drive();
}

std::string TlsEngine::TakeCipher() {
  std::string bytes(BIO_ctrl_pending(impl_->out), '\0');
  if (!bytes.empty()) BIO_read(impl_->out, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

void TlsEngine::Write(std::string_view plain) {
  if (plain.empty() || !impl_->state.ok()) return;
  if (!impl_->handshake_done) {
    impl_->unsent += plain;
    return;
  }
  ERR_clear_error();
  SSL_write(impl_->ssl.get(), plain.data(), static_cast<int>(plain.size()));
}

size_t TlsEngine::Read(std::string* into, size_t max) {
  if (!impl_->handshake_done || !impl_->state.ok() || impl_->peer_done) return 0;
  size_t total = 0;
  while (total < max) {
    const size_t room = std::min(max - total, size_t{16} * 1024);
    const size_t before = into->size();
    into->resize(before + room);
    ERR_clear_error();
    const int got = SSL_read(impl_->ssl.get(), into->data() + before, static_cast<int>(room));
    into->resize(before + static_cast<size_t>(std::max(got, 0)));
    if (got > 0) {
      total += static_cast<size_t>(got);
      continue;
    }
    const int error = SSL_get_error(impl_->ssl.get(), got);
    if (error == SSL_ERROR_ZERO_RETURN) {
      impl_->peer_done = true;
    } else if (error != SSL_ERROR_WANT_READ) {
      impl_->Fail(impl_->ssl.get());
    }
    break;
  }
  return total;
}

void TlsEngine::Finish() {
  ERR_clear_error();
  if (impl_->handshake_done && impl_->state.ok()) SSL_shutdown(impl_->ssl.get());
}

bool TlsEngine::handshake_done() const {
  return impl_->handshake_done;
}
bool TlsEngine::peer_done() const {
  return impl_->peer_done;
}
const Result<void>& TlsEngine::state() const {
  return impl_->state;
}

}  // namespace relist
