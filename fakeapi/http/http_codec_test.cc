#include "fakeapi/http/http_codec.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakeapi/http/http_encoder.h"

namespace relist::fakeapi {
namespace http_codec_test {

struct Outcome {
  std::vector<std::string> said;  // a line for each request, refusal or 100 Continue
  bool operator==(const Outcome&) const = default;
};

std::string Show(const HttpMessage& message) {
  std::string out = message.request.method + " " + message.request.target;
  for (const auto& [name, value] : message.request.headers) out += " " + name + "=" + value;
  return out + " [" + message.request.body + "]" + (message.close ? " close" : "");
}

void Drain(HttpCodec* codec, Outcome* outcome) {
  while (true) {
    HttpMessage message;
    HttpRefusal refusal;
    switch (codec->Next(&message, &refusal)) {
      case HttpCodec::Step::kNeedMore:
        return;
      case HttpCodec::Step::kContinue:
        outcome->said.push_back("100");
        break;
      case HttpCodec::Step::kRequest:
        outcome->said.push_back(Show(message));
        break;
      case HttpCodec::Step::kRefused:
        outcome->said.push_back(fmt::format("{} {}", refusal.status, refusal.message));
        break;
    }
  }
}

Outcome Decode(const std::string& bytes, HttpLimits limits = {}) {
  HttpCodec codec(limits);
  Outcome outcome;
  codec.Feed(bytes);
  Drain(&codec, &outcome);
  return outcome;
}

std::string OnlyLine(const std::string& bytes, HttpLimits limits = {}) {
  const Outcome outcome = Decode(bytes, limits);
  return outcome.said.size() == 1 ? outcome.said[0] : fmt::format("{} lines", outcome.said.size());
}

const char kPipelined[] =
    "GET /api/v1/configmaps?watch=true&x=%2Fy HTTP/1.1\r\nHost: a\r\nAccept: "
    "application/json\r\n\r\n"
    "POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Type: "
    "multipart/form-data\r\n\r\nhello"
    "POST /two HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\n\r\n!\r\nA;ext=1\r\n0123456789\r\n0\r\n\r\n"
    "\r\nPUT /three HTTP/1.1\r\nHOST: a\r\nConnection: Keep-Alive, Close\r\n\r\n";

TEST(HttpCodec, ReadsPipelinedRequestsWithEveryKindOfBody) {
  const Outcome outcome = Decode(kPipelined);
  ASSERT_EQ(outcome.said.size(), 4u);
  EXPECT_EQ(outcome.said[0],
            "GET /api/v1/configmaps?watch=true&x=%2Fy Host=a Accept=application/json []");
  EXPECT_EQ(outcome.said[1],
            "POST /one Host=a Content-Length=5 Content-Type=multipart/form-data [hello]");
  EXPECT_EQ(outcome.said[2], "POST /two Host=a Transfer-Encoding=chunked [\r\n!0123456789]");
  EXPECT_EQ(outcome.said[3], "PUT /three HOST=a Connection=Keep-Alive, Close [] close");
}

TEST(HttpCodec, GivesTheSameRequestsWhereverTheBytesAreSplit) {
  const std::string bytes = kPipelined;
  const Outcome whole = Decode(bytes);
  for (size_t at = 0; at <= bytes.size(); ++at) {
    HttpCodec codec({});
    Outcome split;
    codec.Feed(std::string_view(bytes).substr(0, at));
    Drain(&codec, &split);
    codec.Feed(std::string_view(bytes).substr(at));
    Drain(&codec, &split);
    ASSERT_EQ(split.said, whole.said) << "split at " << at;
  }
  HttpCodec codec({});
  Outcome dribbled;
  for (char c : bytes) {
    codec.Feed({&c, 1});
    Drain(&codec, &dribbled);
  }
  EXPECT_EQ(dribbled.said, whole.said);
  EXPECT_TRUE(codec.empty());
}

TEST(HttpCodec, ReadsARequestLineOfAMegabyteAndRefusesALongerOne) {
  const std::string long_target = "/" + std::string(1024 * 1024, 'a');
  const Outcome fits = Decode("GET " + long_target + " HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_EQ(fits.said.size(), 1u);
  EXPECT_EQ(fits.said[0], "GET " + long_target + " Host=a []");
  EXPECT_EQ(OnlyLine("GET " + long_target + std::string(100000, 'a') + " HTTP/1.1\r\n"),
            "431 Request Header Fields Too Large");
  // Its end is never waited for.
  EXPECT_EQ(OnlyLine(std::string(2000000, 'a')), "431 Request Header Fields Too Large");
}

TEST(HttpCodec, KeepsHeaderValuesAsTheyWereSent) {
  const std::string token(20000, 't');
  const std::string line =
      OnlyLine("GET / HTTP/1.1\r\nHost: a%20b\r\nAuthorization: Bearer " + token +
               "\r\nRange: nonsense\r\nExpect-Not: 100%\r\nEmpty:\r\n\r\n");
  EXPECT_EQ(line, "GET / Host=a%20b Authorization=Bearer " + token +
                      " Range=nonsense Expect-Not=100% Empty= []");
}

TEST(HttpCodec, LeavesAGzippedBodyAlone) {
  EXPECT_EQ(
      OnlyLine(
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
      "POST / Host=a Content-Encoding=gzip Content-Length=3 [abc]");
}

TEST(HttpCodec, TakesTargetsAndMethodsOfEveryForm) {
  EXPECT_EQ(OnlyLine("FROB /a?b?c#d HTTP/1.1\r\nHost: a\r\n\r\n"), "FROB /a?b?c#d Host=a []");
  EXPECT_EQ(OnlyLine("GET http://a:1/x?y HTTP/1.1\r\nHost: a\r\n\r\n"), "GET /x?y Host=a []");
  EXPECT_EQ(OnlyLine("CONNECT a:1 HTTP/1.2\r\nHost: a\r\n\r\n"), "CONNECT  Host=a []");
  EXPECT_EQ(OnlyLine("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), "OPTIONS * Host=a []");
  EXPECT_EQ(OnlyLine("GET / HTTP/1.0\r\n\r\n"), "GET / [] close");
  EXPECT_EQ(OnlyLine("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            "GET / Connection=keep-alive []");
}

TEST(HttpCodec, TakesLinesThatEndInALineFeedAlone) {
  EXPECT_EQ(OnlyLine("POST /a HTTP/1.1\nHost: a\r\nContent-Length: 2\n\nhi"),
            "POST /a Host=a Content-Length=2 [hi]");
}

TEST(HttpCodec, JoinsALineThatBeginsWithABlankToTheOneBefore) {
  EXPECT_EQ(OnlyLine("GET / HTTP/1.1\r\nHost: a\r\nX: 1 \r\n\t 2\r\n  : 3\r\n\r\n"),
            "GET / Host=a X=1 2 : 3 []");
  EXPECT_EQ(OnlyLine("GET / HTTP/1.1\r\n X: 1\r\nHost: a\r\n\r\n"), "400 malformed header line");
}

TEST(HttpCodec, PassesOverAFewLineEndsAfterAPostAlone) {
  const std::string post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb";
  const std::string get = "GET /c HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(Decode(post + "\r\n\r\n" + get).said.back(), "GET /c Host=a []");
  EXPECT_EQ(Decode(post + "\r\n\r\n\r\n" + get).said.back().substr(0, 3), "400");
  EXPECT_EQ(Decode(get + "\r\n" + get).said.back().substr(0, 3), "400");
  EXPECT_EQ(OnlyLine("\r\n" + get).substr(0, 3), "400");
  HttpCodec codec({}, /*after_post=*/true);
  Outcome outcome;
  codec.Feed("\r\n");
  Drain(&codec, &outcome);
  codec.Feed(get);
  Drain(&codec, &outcome);
  EXPECT_EQ(outcome.said, std::vector<std::string>{"GET /c Host=a []"});
  HttpCodec in_pieces({}, /*after_post=*/true);
  outcome = {};
  for (const char* piece : {"\r\n\r\n", "\r\n"}) {
    in_pieces.Feed(piece);
    Drain(&in_pieces, &outcome);
  }
  ASSERT_FALSE(outcome.said.empty()) << "four in all, however they come";
  EXPECT_EQ(outcome.said.back().substr(0, 3), "400");
}

TEST(HttpCodec, GoesByTheChunksWhereALengthIsThereToo) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";
  EXPECT_EQ(OnlyLine(head + "Content-Length: 99\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
            "POST / Host=a Transfer-Encoding=chunked Content-Length=99 [x]");
  EXPECT_EQ(OnlyLine("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nx"),
            "POST / Transfer-Encoding=chunked Content-Length=1 [x] close")
      << "HTTP/1.0 has no chunks";
}

TEST(HttpCodec, ReadsTrailersAndEveryFormOfAChunkSizeThatGoTakes) {
  const auto chunks = [](const std::string& body) {
    return OnlyLine("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
  };
  const std::string read = "POST / Host=a Transfer-Encoding=chunked [xy]";
  EXPECT_EQ(chunks("1 \t\r\nx\r\n0001;e=1\r\ny\r\n000\r\n\r\n"), read);
  EXPECT_EQ(chunks("2\r\nxy\r\n0\r\nA: b\r\nContent-Length: 7\r\n\r\n"), read);
  EXPECT_EQ(chunks("2\r\nxy\r\n0\r\nnonsense\r\n\r\n"),
            "500 malformed MIME header: missing colon: \"nonsense\"");
  EXPECT_EQ(chunks("0\r\n" + std::string(5000, 'x')),
            "500 http: suspiciously long trailer after chunked body");
}

TEST(HttpCodec, RefusesWhatIsNotOneClearRequest) {
  const auto head = [](const std::string& lines) {
    return OnlyLine("POST / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
  };
  EXPECT_EQ(OnlyLine("nonsense\r\n\r\n"), "400 malformed request line");
  EXPECT_EQ(OnlyLine("G(T / HTTP/1.1\r\n\r\n"), "400 malformed method");
  EXPECT_EQ(OnlyLine("GET a HTTP/1.1\r\n\r\n"), "400 malformed request target");
  EXPECT_EQ(OnlyLine("GET /a b HTTP/1.1\r\n\r\n"), "400 malformed request target");
  EXPECT_EQ(OnlyLine("GET / FTP/1.1\r\n\r\n"), "400 malformed HTTP version");
  EXPECT_EQ(OnlyLine("PRI * HTTP/2.0\r\n\r\n"), "505 unsupported protocol version");
  EXPECT_EQ(OnlyLine("GET / HTTP/1.1\r\n\r\n"), "400 missing required Host header");
  EXPECT_EQ(OnlyLine("GET /%zz HTTP/1.1\r\n\r\n"), "400 malformed request target");
  for (const char* version : {"HTTP/1.10", "HTTP/1", "HTTP/a.b", "http/1.1", ""}) {
    EXPECT_EQ(OnlyLine(std::string("GET / ") + version + "\r\n\r\n"), "400 malformed HTTP version");
  }
  EXPECT_EQ(OnlyLine("\x16\x03\x01"), "400 not HTTP (a TLS client, perhaps)");
  EXPECT_EQ(head("Host: b\r\n"), "400 too many Host headers");
  EXPECT_EQ(head("no colon\r\n"), "400 malformed header line");
  EXPECT_EQ(head("A : b\r\n"), "400 invalid header name");
  EXPECT_EQ(head(": b\r\n"), "400 malformed header line");
  EXPECT_EQ(head("Transfer-Encoding: gzip\r\nno colon\r\n"), "400 malformed header line");
  EXPECT_EQ(head(std::string("A: b\0c\r\n", 8)), "400 invalid header value");
  EXPECT_EQ(head("A: b\rc\r\n"), "400 invalid header value");
  EXPECT_EQ(head("Content-Length: -1\r\n"), "400 bad Content-Length");
  EXPECT_EQ(head("Content-Length:\r\n"), "400 bad Content-Length");
  EXPECT_EQ(head("Content-Length: 1\r\nContent-Length: 2\r\n"),
            "400 two different Content-Length headers");
  EXPECT_EQ(head("Content-Length: 9223372036854775808\r\n"), "400 bad Content-Length");
  EXPECT_EQ(head("Transfer-Encoding: gzip, chunked\r\n"), "501 unsupported transfer encoding");
  EXPECT_EQ(head("Expect: miracles\r\n"), "417 unknown expectation");
}

TEST(HttpCodec, RefusesBrokenChunks) {
  const auto chunks = [](const std::string& body) {
    return OnlyLine("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
  };
  EXPECT_EQ(chunks("xyz\r\n"), "500 invalid byte in chunk length");
  EXPECT_EQ(chunks("-1\r\n"), "500 invalid byte in chunk length");
  EXPECT_EQ(chunks(" 1\r\n"), "500 invalid byte in chunk length");
  EXPECT_EQ(chunks("1 ;e\r\n"), "500 invalid byte in chunk length");
  EXPECT_EQ(chunks("0x1\r\na\r\n"), "500 invalid byte in chunk length");
  EXPECT_EQ(chunks("\r\n"), "500 empty hex number for chunk length");
  EXPECT_EQ(chunks("1\nX\r\n"), "500 chunked line ends with bare LF");
  EXPECT_EQ(chunks("1\rX\r\n"), "500 invalid CR in chunked line");
  EXPECT_EQ(chunks(std::string(17, '0') + "\r\n"), "500 http chunk length too large");
  EXPECT_EQ(chunks(std::string(5000, '0')), "500 header line too long");
  EXPECT_EQ(chunks("1\r\nabc"), "500 malformed chunked encoding");
  EXPECT_EQ(chunks("1\r\na\n0"), "500 malformed chunked encoding");
  EXPECT_EQ(chunks("ffffffffffffffff\r\n"), "413 Request entity too large");
  std::string wasteful;
  for (int i = 0; i < 1000; ++i) wasteful += "1;" + std::string(900, 'e') + "\r\nx\r\n";
  EXPECT_EQ(chunks(wasteful), "500 chunked encoding contains too much non-data");
}

TEST(HttpCodec, RefusesAHostThatIsNone) {
  const auto host = [](const std::string& value) {
    return OnlyLine("GET / HTTP/1.1\r\nHost: " + value + "\r\n\r\n");
  };
  for (const char* good : {"a", "[::1]:80", "a:b", "a,b", "a%20b"}) {
    EXPECT_EQ(host(good), std::string("GET / Host=") + good + " []");
  }
  EXPECT_EQ(host(""), "GET / Host= []");
  for (const char* bad : {"a b", "a/b", "a@b", "a?", "a#b", "<a>", "\"a\"", "a\tb", "\x80"}) {
    EXPECT_EQ(host(bad), "400 malformed Host header") << bad;
  }
}

TEST(HttpCodec, LimitsBodiesHoweverTheyAreFramed) {
  const HttpLimits limits{.body_max = 10};
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(OnlyLine(head + "Content-Length: 10\r\n\r\n0123456789", limits),
            "POST / Host=a Content-Length=10 [0123456789]");
  EXPECT_EQ(OnlyLine(head + "Content-Length: 11\r\n\r\n", limits), "413 Request entity too large");
  EXPECT_EQ(OnlyLine(head + "Content-Length: 9223372036854775807\r\n\r\n", limits),
            "413 Request entity too large");
  EXPECT_EQ(OnlyLine(head + "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n", limits),
            "413 Request entity too large");
}

TEST(HttpCodec, AsksForTheBodyOnceThoughItBeThere) {
  const std::string head =
      "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  HttpCodec codec({});
  Outcome outcome;
  codec.Feed(head);
  Drain(&codec, &outcome);
  Drain(&codec, &outcome);
  EXPECT_EQ(outcome.said, std::vector<std::string>{"100"});
  EXPECT_TRUE(codec.in_body());
  codec.Feed("o");
  Drain(&codec, &outcome);
  codec.Feed("k");
  Drain(&codec, &outcome);
  ASSERT_EQ(outcome.said.size(), 2u);
  EXPECT_EQ(outcome.said[1], "PUT / Host=a Expect=100-continue Content-Length=2 [ok]");
  EXPECT_EQ(Decode(head + "ok").said, outcome.said);
}

TEST(HttpEncoder, WritesAHeadAsTheRealServerDoes) {
  const HeaderList headers = {{"Retry-After", "1"}, {"Content-Length", "99"}};
  EXPECT_EQ(
      EncodeHead({.status = 429,
                  .headers = &headers,
                  .body_size = 12,
                  .close = true,
                  .now = kSimulationEpoch}),
      "HTTP/1.1 429 Too Many Requests\r\nCache-Control: no-cache, private\r\n"
      "Content-Type: application/json\r\nRetry-After: 1\r\n"
      "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 12\r\nConnection: close\r\n\r\n");
}

TEST(HttpEncoder, SaysInHttp10WhetherTheConnectionStays) {
  const auto lines = [](bool chunked, bool close) {
    const std::string head =
        EncodeHead({.chunked = chunked, .close = close, .now = kSimulationEpoch, .http10 = true});
    return head.substr(0, 15) + head.substr(head.find("GMT") + 3);
  };
  EXPECT_EQ(lines(false, false),
            "HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(lines(true, true), "HTTP/1.0 200 OK\r\n\r\n") << "its end is the connection's";
}

TEST(HttpEncoder, TakesTheFramingOffAChunk) {
  const Slices chunk = {{nullptr, "3\r\na"}, {nullptr, "b"}, {nullptr, "\n\r\n"}};
  std::string text;
  for (const Slice& slice : UnframeChunk(chunk)) text += slice.bytes;
  EXPECT_EQ(text, "ab\n");
}

TEST(HttpEncoder, ShortensAChunkToWhatACutWouldLeave) {
  const Slices chunk = {FrameChunk("0123456789abcdef")};  // "10\r\n" + 16 + "\r\n"
  EXPECT_TRUE(ShortenChunk(chunk, 4).empty());
  EXPECT_EQ(ShortenChunk(chunk, 5)[0].bytes, "1\r\n0\r\n");
  EXPECT_EQ(ShortenChunk(chunk, 20)[0].bytes, "10\r\n0123456789abcdef\r\n");
  EXPECT_EQ(ShortenChunk(chunk, 21)[0].bytes, "10\r\n0123456789abcdef\r\n");
}

}  // namespace http_codec_test
}  // namespace relist::fakeapi
