#include "fakeapi/encoding/protobuf_values.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::fakeapi {
namespace protobuf_values_test {

using nlohmann::ordered_json;

std::string ValueOf(ProtobufType type, const ordered_json& fields) {
  Result<ordered_json> value = ProtobufValue(type, fields);
  return value.ok() ? value->dump() : value.error().message();
}

std::string TimeOf(ProtobufType type, int64_t seconds, int64_t nanos) {
  return ValueOf(type, {{"seconds", seconds}, {"nanos", nanos}});
}

// What Go answers, but for the years that it writes with five digits.
TEST(ProtobufValues, TimesAreThoseOfGo) {
  using enum ProtobufType;
  EXPECT_EQ(TimeOf(kTime, 1767225600, 999999999), R"("2026-01-01T00:00:00Z")");
  EXPECT_EQ(TimeOf(kTime, -1, 0), R"("1969-12-31T23:59:59Z")");
  EXPECT_EQ(TimeOf(kTime, -62135596800, 0), "null");
  EXPECT_EQ(TimeOf(kMicroTime, -62135596800, 1000), R"("0001-01-01T00:00:00.000001Z")");
  EXPECT_EQ(TimeOf(kMicroTime, 1709210096, 123456789), R"("2024-02-29T12:34:56.123456Z")");
  EXPECT_EQ(TimeOf(kMicroTime, 0, -1), R"("1970-01-01T00:00:00.000000Z")");
  EXPECT_EQ(TimeOf(kMicroTime, 0, -1000), R"("1969-12-31T23:59:59.999999Z")");
  EXPECT_EQ(TimeOf(kMicroTime, 5, 2000000001), R"("1970-01-01T00:00:07.000000Z")");
  EXPECT_EQ(TimeOf(kTime, 253402300799, 0), R"("9999-12-31T23:59:59Z")");
  for (const int64_t seconds :
       {int64_t{253402300800}, int64_t{-62135596801}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(TimeOf(kTime, seconds, 0), "Time.MarshalJSON: year outside of range [0,9999]");
    EXPECT_EQ(TimeOf(kMicroTime, seconds, seconds < 0 ? INT32_MIN : INT32_MAX),
              "Time.MarshalJSON: year outside of range [0,9999]");
  }
}

TEST(ProtobufValues, ANumberOrATextIsWhatItsTypeSays) {
  const auto value = [](int64_t type) {
    return ValueOf(ProtobufType::kIntOrString,
                   {{"type", type}, {"intVal", 80}, {"strVal", "http"}});
  };
  EXPECT_EQ(value(0), "80");
  EXPECT_EQ(value(1), R"("http")");
  EXPECT_EQ(value(2), "impossible IntOrString.Type");
}

TEST(ProtobufValues, FieldsV1IsItsJsonAndNullWhereItIsNone) {
  const auto value = [](const std::string& raw) {
    return ValueOf(ProtobufType::kFieldsV1, {{"raw", raw}});
  };
  EXPECT_EQ(value(R"({"f:data": {"z":{}, "a":{}}})"), R"({"f:data":{"z":{},"a":{}}})");
  EXPECT_EQ(value(""), "null");
  EXPECT_EQ(value("{\"f:"), "null");
  EXPECT_EQ(value(std::string(100000, '[') + std::string(100000, ']')), "null");
}

TEST(ProtobufValues, QuantitiesAreThoseThatGoReads) {
  for (const char* good : {"0", "1", "+1", "-1.5", "1.", ".", ".5", "1e3", "1E-3", "1e+3", "1E",
                           "1Ki", "M", "+", "1n", "1Ei", "1E5"}) {
    EXPECT_TRUE(CheckQuantity(good).ok()) << good;
  }
  for (const char* suffix : {"1e", "1ki", "1K", "1mm", "1e99999999999999999999", "1m5", "1i"}) {
    EXPECT_EQ(CheckQuantity(suffix).error().message(), "unable to parse quantity's suffix")
        << suffix;
  }
  for (const char* malformed : {"", "a", "1 ", "1.2.3", "1e+-3"}) {
    EXPECT_EQ(CheckQuantity(malformed).error().message(),
              "quantities must match the regular expression "
              "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
        << malformed;
  }
}

}  // namespace protobuf_values_test
}  // namespace relist::fakeapi
