// Certificates for tests, made on the spot, and a server's end of TLS in memory.
//
//   TestIdentity ca = MakeIdentity({.name = "test CA", .authority = true});
//   TestIdentity server = MakeIdentity({.sans = "DNS:localhost,IP:127.0.0.1", .issuer = &ca});
#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace relist::tls_test_support {

struct TestIdentity {
  std::shared_ptr<X509> certificate;
  std::shared_ptr<EVP_PKEY> key;
  std::string cert_pem, key_pem;
};

struct IdentityOptions {
  std::string name = "test";
  std::string sans;                      // "DNS:localhost,IP:127.0.0.1"; empty: none
  const TestIdentity* issuer = nullptr;  // null: signs itself
  bool authority = false;
  bool expired = false;
};

inline void AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

template <class Write>
std::string ToPem(Write write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  std::string text(BIO_ctrl_pending(bio), '\0');
  BIO_read(bio, text.data(), static_cast<int>(text.size()));
  BIO_free(bio);
  return text;
}

inline TestIdentity MakeIdentity(const IdentityOptions& options) {
  static long serial = 0;
  TestIdentity made;
  made.key.reset(EVP_EC_gen("P-256"), EVP_PKEY_free);
  made.certificate.reset(X509_new(), X509_free);
  X509* certificate = made.certificate.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate), options.expired ? -3600 : 3600);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(options.name.c_str()), -1, -1,
                             0);
  X509* issuer = options.issuer ? options.issuer->certificate.get() : certificate;
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  AddExtension(certificate, issuer, NID_basic_constraints,
               options.authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (!options.sans.empty()) AddExtension(certificate, issuer, NID_subject_alt_name, options.sans);
  X509_sign(certificate, options.issuer ? options.issuer->key.get() : made.key.get(), EVP_sha256());
  made.cert_pem = ToPem([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
  made.key_pem = ToPem([&](BIO* bio) {
    PEM_write_bio_PrivateKey(bio, made.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  return made;
}

// A server's context; with `client_ca` it demands a certificate of its clients.
inline std::shared_ptr<SSL_CTX> ServerContext(const TestIdentity& identity,
                                              const TestIdentity* client_ca = nullptr) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  SSL_CTX_use_certificate(context.get(), identity.certificate.get());
  SSL_CTX_use_PrivateKey(context.get(), identity.key.get());
  if (client_ca) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), client_ca->certificate.get());
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  return context;
}

}  // namespace relist::tls_test_support
