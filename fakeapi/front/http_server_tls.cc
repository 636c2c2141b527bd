#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string_view>

#include "fakeapi/front/http_server_stream.h"

namespace relist::fakeapi {
namespace {

using Bio = std::unique_ptr<BIO, int (*)(BIO*)>;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;
using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

constexpr char kCipherSuites[] =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

Error TlsError(const std::string& what) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return Error::Net(Transport::kTls, reason == nullptr ? what : what + ": " + reason);
}

Bio Memory(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
}

Certificate ReadCertificate(BIO* from) {
  return Certificate(PEM_read_bio_X509(from, nullptr, nullptr, nullptr), X509_free);
}

// HTTP/1.1 whatever else is offered; a client that knows neither goes on without ALPN.
int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* offered, unsigned int offered_size, void*) {
  static constexpr unsigned char kOurs[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kOurs, sizeof kOurs - 1, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

Result<void> UseCertificate(SSL_CTX* context, const std::string& cert_pem,
                            const std::string& key_pem) {
  const Bio certs = Memory(cert_pem);
  const Certificate leaf = ReadCertificate(certs.get());
  if (leaf == nullptr || SSL_CTX_use_certificate(context, leaf.get()) != 1) {
    return TlsError("the serving certificate is not a PEM certificate");
  }
  while (Certificate next = ReadCertificate(certs.get())) {
    SSL_CTX_add0_chain_cert(context, next.release());
  }
  ERR_clear_error();
  const Bio key_text = Memory(key_pem);
  const Key key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (key == nullptr) return TlsError("the serving key is not a PEM key");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
    return TlsError("the serving key is not the certificate's");
  }
  return {};
}

Result<void> AskForClientCertificates(SSL_CTX* context, const std::string& ca_pem) {
  const Bio text = Memory(ca_pem);
  int found = 0;
  while (const Certificate ca = ReadCertificate(text.get())) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), ca.get());
    SSL_CTX_add_client_CA(context, ca.get());
    ++found;
  }
  if (found == 0) return TlsError("the client CA is not a PEM certificate");
  ERR_clear_error();
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  return {};
}

}  // namespace

Result<TlsServerContext> MakeTlsServerContext(const std::string& cert_pem,
                                              const std::string& key_pem,
                                              const std::string& ca_pem) {
  const TlsServerContext context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (context == nullptr) return TlsError("no TLS");
  SSL_CTX* const raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // As Go's servers choose: AES of 128 bits, whatever the client would like best. It costs least.
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_ciphersuites(raw, kCipherSuites);
  // Sessions are not resumed: tickets would cost memory, and an idle client gets bytes that it
  // never reads.
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(raw, 0);
  SSL_CTX_set_alpn_select_cb(raw, ChooseProtocol, nullptr);
  if (Result<void> used = UseCertificate(raw, cert_pem, key_pem); !used.ok()) return used.error();
  if (!ca_pem.empty()) {
    if (Result<void> asked = AskForClientCertificates(raw, ca_pem); !asked.ok()) {
      return asked.error();
    }
  }
  return context;
}

}  // namespace relist::fakeapi
