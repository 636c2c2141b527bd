#include "reflector/decoding/label_reader.h"

#include <gmock/gmock.h>

namespace relist {
namespace label_reader_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

StringMap LabelsOf(const std::string& bytes) {
  LabelReader reader;
  return reader.Read(Object(bytes, {}));
}

TEST(LabelReader, FindsTheLabelsOfAnObject) {
  EXPECT_THAT(
      LabelsOf(R"({"labels":{"not":"me"},"metadata":{"name":"a","labels":{"b":"2","a":"1"}}})"),
      ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_THAT(LabelsOf(R"({"metadata":{"labels":{"k\u00e9y":"\n"}}})"),
              ElementsAre(Pair("k\xc3\xa9y", "\n")));
}

TEST(LabelReader, FindsNoneWhereThereAreNone) {
  for (const char* bytes :
       {"{}", R"({"metadata":null})", R"({"metadata":{}})", R"({"metadata":{"labels":null}})",
        R"({"metadata":{"labels":{}}})", R"({"metadata":{"labels":[1]}})", R"({"metadata":7})",
        R"({"metadata":{"labels":{"a":"1","b":2}}})", "no JSON"}) {
    EXPECT_THAT(LabelsOf(bytes), IsEmpty()) << bytes;
  }
}

TEST(LabelReader, TakesTheLastOfDuplicateKeys) {
  EXPECT_THAT(
      LabelsOf(
          R"({"metadata":{"labels":{"a":"1"}},"metadata":{"labels":{"x":"0"},"labels":{"a":"2","a":"3"}}})"),
      ElementsAre(Pair("a", "3")));
}

TEST(LabelReader, ReadsBesideNumbersThatFitNoInteger) {
  EXPECT_THAT(LabelsOf(R"({"n":123456789012345678901234567890,"metadata":{"labels":{"a":"1"}}})"),
              ElementsAre(Pair("a", "1")));
  EXPECT_THAT(LabelsOf(R"({"n":123456789012345678901234567890,"metadata":{"labels":{"a":1}}})"),
              IsEmpty());
}

}  // namespace label_reader_test
}  // namespace relist
