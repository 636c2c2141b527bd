#include "fakeapi/front/tls_output.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "fakeapi/front/http_server_socket.h"

namespace relist::fakeapi {
namespace {

class TlsOutputTest : public testing::Test {
 protected:
  // SOCK_SEQPACKET shows where one send ends.
  void Open(int type) {
    std::array<int, 2> ends;
    ASSERT_EQ(socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends.data()), 0);
    ours_ = OwnedFd(ends[0]);
    theirs_ = OwnedFd(ends[1]);
    output_ = std::make_unique<TlsOutput>(ours_.get(), ssl_.get());
  }
  void Write(const std::string& record) {
    size_t written = 0;
    ASSERT_EQ(BIO_write_ex(SSL_get_wbio(ssl_.get()), record.data(), record.size(), &written), 1);
    EXPECT_EQ(written, record.size()) << "OpenSSL is never asked to come again";
  }
  // What one recv gives; "" where there is nothing.
  std::string Receive() {
    std::string bytes(1 << 20, '\0');
    const ssize_t n = recv(theirs_.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return bytes;
  }

  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_{SSL_CTX_new(TLS_server_method()),
                                                        SSL_CTX_free};
  OwnedFd ours_, theirs_;
  std::unique_ptr<TlsOutput> output_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{SSL_new(context_.get()), SSL_free};
};

TEST_F(TlsOutputTest, GatheredRecordsLeaveInOneSend) {
  Open(SOCK_SEQPACKET);
  output_->Gather();
  Write("ab");
  Write("cd");
  EXPECT_EQ(Receive(), "");
  EXPECT_EQ(output_->Send(), 4u);
  EXPECT_EQ(Receive(), "abcd");
  EXPECT_EQ(output_->Send(), 0u);
}

TEST_F(TlsOutputTest, WordsOfAHandshakeLeaveAtOnce) {
  Open(SOCK_SEQPACKET);
  Write("hello");
  EXPECT_EQ(Receive(), "hello");
  EXPECT_FALSE(output_->waiting());
}

TEST_F(TlsOutputTest, WhatTheSocketDoesNotTakeGoesFirstLater) {
  Open(SOCK_STREAM);
  std::string all;
  output_->Gather();
  for (int i = 0; i < 40; ++i) {
    const std::string record(16384, static_cast<char>('a' + i % 26));
    Write(record);
    all += record;
  }
  const size_t first = output_->Send();
  ASSERT_GT(first, 0u);
  ASSERT_LT(first, all.size()) << "a socket pair takes some 200 KB";
  EXPECT_TRUE(output_->waiting());
  EXPECT_EQ(output_->Send(), 0u) << "there is no room";
  Write("alert");  // behind what waits
  all += "alert";
  std::string got;
  for (int turn = 0; turn < 100 && got.size() < all.size(); ++turn) {
    got += Receive();
    output_->Send();
  }
  EXPECT_TRUE(got == all) << got.size() << " of " << all.size();
  EXPECT_FALSE(output_->waiting());
  EXPECT_FALSE(output_->broken());
}

TEST_F(TlsOutputTest, APeerThatIsGoneIsTold) {
  Open(SOCK_STREAM);
  theirs_.Reset();
  output_->Gather();
  Write("ab");
  output_->Send();
  EXPECT_TRUE(output_->broken());
}

}  // namespace
}  // namespace relist::fakeapi
