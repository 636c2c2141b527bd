#include "fakeapi/encoding/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakeapi/encoding/gzip_test_support.h"

namespace relist::fakeapi {
namespace gzip_test {

using testing::ElementsAre;

TEST(Gzip, IsUndoneMemberByMember) {
  const std::string large(200000, 'x');
  EXPECT_LT(Gzip(large).size(), 2000u);
  EXPECT_THAT(GzipMembers(Gzip(large)), ElementsAre(large));
  EXPECT_THAT(GzipMembers(Gzip("")), ElementsAre(""));
  EXPECT_THAT(GzipMembers(Gzip("one\n") + Gzip("two\n")), ElementsAre("one\n", "two\n"));
}

// A member of a stream has to be readable before the next one comes.
TEST(Gzip, IsFlushedBeforeItEnds) {
  const std::string member = Gzip("one\n");
  const size_t flush = member.find(std::string("\0\0\xff\xff", 4));
  ASSERT_NE(flush, std::string::npos);
  EXPECT_LT(flush + 4, member.size() - 8) << "then an empty last block, and the checksum";
}

TEST(Gzip, IsAllowedByItsNameAlone) {
  for (const char* allowed : {"gzip", "br, gzip", " gzip ,br", "identity,gzip"}) {
    EXPECT_TRUE(AllowsGzip(allowed)) << allowed;
  }
  for (const char* not_allowed : {"", "br", "gzip;q=1", "x-gzip", "GZIP", "*", ",", "gzipped"}) {
    EXPECT_FALSE(AllowsGzip(not_allowed)) << not_allowed;
  }
}

}  // namespace gzip_test
}  // namespace relist::fakeapi
