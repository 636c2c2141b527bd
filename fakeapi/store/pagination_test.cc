#include "fakeapi/store/pagination.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/wire/base64.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace pagination_test {

std::string ErrorOf(const std::string& token) {
  const Result<ContinueToken> decoded = DecodeContinue(token);
  if (decoded.ok()) return "good";
  EXPECT_EQ(decoded.error().status.code, 400);
  const std::string prefix = "invalid continue token: continue key is not valid";
  EXPECT_TRUE(decoded.error().message().starts_with(prefix)) << decoded.error().message();
  return decoded.error().message().substr(prefix.size());
}

TEST(Pagination, ATokenIsTheRealServersFormat) {
  EXPECT_EQ(EncodeContinue({7, std::string("b\0", 2)}),
            "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiJiXHUwMDAwIn0");
}

TEST(Pagination, WhatWasEncodedIsDecoded) {
  for (const std::string& start : {std::string("b\0", 2), std::string("ns/name\0", 8),
                                   std::string("x"), std::string("xyz12")}) {
    for (const int64_t revision : {int64_t{-1}, int64_t{1}, INT64_MAX}) {
      const ContinueToken token{revision, start};
      EXPECT_EQ(*DecodeContinue(EncodeContinue(token)), token);
    }
  }
}

TEST(Pagination, ALeadingSlashIsTakenFromTheCachesTokens) {
  EXPECT_EQ(DecodeContinue(EncodeContinue({7, "/ns/b"}))->start, "ns/b");
}

TEST(Pagination, BrokenTokensAreRefusedWithGosWords) {
  EXPECT_EQ(ErrorOf("!!!"), ": illegal base64 data at input byte 0");
  EXPECT_EQ(ErrorOf("abcde"), ": illegal base64 data at input byte 4");
  EXPECT_EQ(ErrorOf("nonsense"), ": invalid character '\\u009e' looking for beginning of value");
  EXPECT_EQ(ErrorOf("eyJ2Ijo"), ": unexpected end of JSON input");
  EXPECT_EQ(ErrorOf("e30"), ": server does not recognize this encoded version ");
  EXPECT_EQ(ErrorOf(EncodeContinue({0, "b"})),
            ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  EXPECT_EQ(ErrorOf(EncodeContinue({5, ""})), ": encoded start key empty (version meta.k8s.io/v1)");
  EXPECT_EQ(ErrorOf(EncodeContinue({5, "../x"})), ": ../x");
  EXPECT_EQ(ErrorOf(EncodeContinue({5, "a//b"})), ": a//b");
  EXPECT_EQ(ErrorOf(EncodeContinue({5, "a/"})), ": a/");
}

TEST(Pagination, AWrongTypeIsRefusedWithGosWords) {
  const auto error = [](const char* json) { return ErrorOf(EncodeBase64Url(json)); };
  const std::string type = " into Go value of type storage.continueToken";
  const std::string field = " into Go struct field continueToken.";
  EXPECT_EQ(error("[]"), ": json: cannot unmarshal array" + type);
  EXPECT_EQ(error("[[[[]]]]"), ": json: cannot unmarshal array" + type);
  EXPECT_EQ(error(R"("")"), ": json: cannot unmarshal string" + type);
  EXPECT_EQ(error("5"), ": json: cannot unmarshal number" + type);
  EXPECT_EQ(error("true"), ": json: cannot unmarshal bool" + type);
  EXPECT_EQ(error("null"), ": server does not recognize this encoded version ");
  EXPECT_EQ(error(R"({"v":5})"), ": json: cannot unmarshal number" + field + "v of type string");
  EXPECT_EQ(error(R"({"v":{}})"), ": json: cannot unmarshal object" + field + "v of type string");
  EXPECT_EQ(error(R"({"v":"meta.k8s.io/v1","rv":5,"start":5})"),
            ": json: cannot unmarshal number" + field + "start of type string");
  for (const char* literal : {"1.5", "99999999999999999999", "1e2"}) {
    EXPECT_EQ(
        error(fmt::format(R"({{"v":"meta.k8s.io/v1", "rv" : {},"start":"a"}})", literal).c_str()),
        fmt::format(": json: cannot unmarshal number {}{}rv of type int64", literal, field));
  }
  EXPECT_EQ(error(R"({"v":"meta.k8s.io/v1","rv":"1"})"),
            ": json: cannot unmarshal string" + field + "rv of type int64");
}

TEST(Pagination, FieldsAreFoundInAnyCaseAndNullIsNothing) {
  const auto decode = [](const char* json) { return DecodeContinue(EncodeBase64Url(json)); };
  const auto token = decode(R"({"V":"meta.k8s.io/v1","RV":-1,"START":"a","more":[{"x":[]}]})");
  EXPECT_EQ(*token, (ContinueToken{-1, "a"}));
  EXPECT_EQ(decode(R"({"v":"meta.k8s.io/v1","rv":null,"start":"a"})").error().message(),
            "invalid continue token: continue key is not valid: incorrect encoded start "
            "resourceVersion (version meta.k8s.io/v1)");
}

TEST(Pagination, APageBeginsBehindTheLastKeyOfTheOneBefore) {
  EXPECT_EQ(StartAfter("", {"ns", "b"}), std::string("ns/b\0", 5));
  EXPECT_EQ(StartAfter("ns", {"ns", "b"}), std::string("b\0", 2));
  EXPECT_EQ(StartAfter("", {"", "n1"}), std::string("n1\0", 3));
}

}  // namespace pagination_test
}  // namespace relist::fakeapi
