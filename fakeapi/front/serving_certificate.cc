#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

#include "fakeapi/front/http_server.h"

namespace relist::fakeapi {
namespace {

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Certificate = std::unique_ptr<X509, void (*)(X509*)>;
using Bio = std::unique_ptr<BIO, int (*)(BIO*)>;

constexpr long kHour = 3600;
constexpr long kTenYears = 3650L * 24 * kHour;

// What both certificates are made of.
struct Recipe {
  const char* common_name;
  X509* issuer;  // null: itself
  EVP_PKEY* issuer_key;
  std::initializer_list<std::pair<int, const char*>> extensions;
};

Key MakeKey() {
  return Key(EVP_EC_gen("P-256"), EVP_PKEY_free);
}

bool AddExtension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

bool SetName(X509_NAME* name, const char* common_name) {
  const auto add = [&](const char* field, const char* text) {
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC,
                                      reinterpret_cast<const unsigned char*>(text), -1, -1, 0) == 1;
  };
  return add("O", "relist") && add("CN", common_name);
}

bool SetSerial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, of full length
  const std::unique_ptr<BIGNUM, void (*)(BIGNUM*)> number(BN_bin2bn(bytes, sizeof bytes, nullptr),
                                                          BN_free);
  return number != nullptr &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

Certificate MakeCertificate(EVP_PKEY* key, const Recipe& recipe) {
  Certificate out(X509_new(), X509_free);
  X509* const raw = out.get();
  X509* const issuer = recipe.issuer != nullptr ? recipe.issuer : raw;
  bool good = raw != nullptr && X509_set_version(raw, X509_VERSION_3) == 1 && SetSerial(raw) &&
              SetName(X509_get_subject_name(raw), recipe.common_name) &&
              X509_set_issuer_name(raw, X509_get_subject_name(issuer)) == 1 &&
              X509_gmtime_adj(X509_getm_notBefore(raw), -kHour) != nullptr &&
              X509_gmtime_adj(X509_getm_notAfter(raw), kTenYears) != nullptr &&
              X509_set_pubkey(raw, key) == 1;
  for (const auto& [nid, value] : recipe.extensions) {
    good = good && AddExtension(raw, issuer, nid, value);
  }
  if (!good || X509_sign(raw, recipe.issuer_key, EVP_sha256()) == 0) out.reset();
  return out;
}

template <class Write>
std::string ToPem(Write write) {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (bio == nullptr || write(bio.get()) != 1) return "";
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

}  // namespace

Result<ServingCertificate> MakeServingCertificate() {
  const Key ca_key = MakeKey();
  const Key key = MakeKey();
  const Error failed = Error::Net(Transport::kTls, "OpenSSL could not make a certificate");
  if (ca_key == nullptr || key == nullptr) return failed;
  const Certificate ca = MakeCertificate(
      ca_key.get(), {"relist-ca",
                     nullptr,
                     ca_key.get(),
                     {{NID_basic_constraints, "critical,CA:TRUE"},
                      {NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature"},
                      {NID_subject_key_identifier, "hash"}}});
  if (ca == nullptr) return failed;
  const Certificate leaf =
      MakeCertificate(key.get(), {"relist-apiserver",
                                  ca.get(),
                                  ca_key.get(),
                                  {{NID_basic_constraints, "critical,CA:FALSE"},
                                   {NID_key_usage, "critical,digitalSignature"},
                                   {NID_ext_key_usage, "serverAuth"},
                                   {NID_subject_key_identifier, "hash"},
                                   {NID_authority_key_identifier, "keyid:always"},
                                   {NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1"}}});
  if (leaf == nullptr) return failed;
  ServingCertificate out;
  out.ca_pem = ToPem([&](BIO* to) { return PEM_write_bio_X509(to, ca.get()); });
  out.cert_pem = ToPem([&](BIO* to) { return PEM_write_bio_X509(to, leaf.get()); });
  out.key_pem = ToPem([&](BIO* to) {
    return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  if (out.ca_pem.empty() || out.cert_pem.empty() || out.key_pem.empty()) return failed;
  return out;
}

}  // namespace relist::fakeapi
