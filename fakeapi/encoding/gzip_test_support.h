// Undoes gzip, for tests of what compresses.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace relist::fakeapi {

// Each member's text.
inline std::vector<std::string> GzipMembers(std::string bytes) {
  std::vector<std::string> members;
  while (!bytes.empty()) {
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
    std::string member(1 << 20, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(member.data());
    stream.avail_out = static_cast<uInt>(member.size());
    const int done = inflate(&stream, Z_FINISH);
    EXPECT_EQ(done, Z_STREAM_END);
    members.push_back(member.substr(0, stream.total_out));
    const size_t used = stream.total_in;
    inflateEnd(&stream);
    if (done != Z_STREAM_END) break;
    bytes.erase(0, used);
  }
  return members;
}

}  // namespace relist::fakeapi
