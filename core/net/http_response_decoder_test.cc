#include "core/net/http_response_decoder.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "core/net/gunzip.h"

namespace relist::http_response_decoder_test {

using State = HttpResponseDecoder::State;

// All that can be seen of a decoder, as text.
std::string Outcome(HttpResponseDecoder& decoder) {
  std::string out = "state " + std::to_string(static_cast<int>(decoder.state()));
  if (decoder.head()) {
    out += " status " + std::to_string(decoder.head()->status) + " " + decoder.head()->reason;
    for (const auto& [name, value] : decoder.head()->headers) out += "\n" + name + ": " + value;
  }
  out += "\nbody " + decoder.TakeBody() + "\nexcess " + decoder.Excess();
  out += decoder.keep_alive() ? "\nkeep alive" : "";
  return out + "\nerror " + std::string(Name(decoder.error().transport)) + " " +
         decoder.error().message();
}

// Feeds `bytes` in pieces that end at each of `cuts`, then the end if asked.
std::string OutcomeOf(std::string_view bytes, const std::vector<size_t>& cuts, bool end) {
  HttpResponseDecoder decoder;
  size_t from = 0;
  for (size_t cut : cuts) {
    decoder.Feed(bytes.substr(from, cut - from));
    from = cut;
  }
  decoder.Feed(bytes.substr(from));
  if (end) decoder.FeedEnd();
  return Outcome(decoder);
}

std::string GzipMember(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Chunk(const std::string& data) {
  char size[32];
  snprintf(size, sizeof size, "%zx\r\n", data.size());
  return size + data + "\r\n";
}

std::string Hello(const std::string& headers, const std::string& rest) {
  return "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + rest;
}

// ---- Good responses

struct Good {
  std::string name, bytes, body, excess;
  bool keep_alive;
  bool needs_end;  // the body ends with the connection
};

std::vector<Good> GoodResponses() {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string gzip = "Content-Encoding: gzip\r\n";
  const std::string twice =
      GzipMember("one line\n") + GzipMember("") + GzipMember("\xE2\x82\xAC two\n");
  return {
      {"length", Hello("Content-Length: 5\r\n", "hello"), "hello", "", true, false},
      {"length, then more", Hello("content-length:5\r\n", "helloHTTP/1.1 200"), "hello",
       "HTTP/1.1 200", true, false},
      {"the same length twice", Hello("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
       "hello", "", true, false},
      {"no body at all", Hello("Content-Length: 0\r\n", ""), "", "", true, false},
      {"204", "HTTP/1.1 204 No Content\r\n\r\n", "", "", true, false},
      {"304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "", "", true,
       false},
      {"close", Hello("Connection: keep-alive, Close\r\nContent-Length: 2\r\n", "ok"), "ok", "",
       false, false},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", "", false, false},
      {"until the end", Hello("", "all of it"), "all of it", "", false, true},
      {"chunks", Hello(chunked, Chunk("hel") + Chunk("lo\r\n") + "0\r\n\r\n"), "hello\r\n", "",
       true, false},
      {"no chunks", Hello(chunked, "0\r\n\r\n"), "", "", true, false},
      {"odd chunks",
       Hello("transfer-encoding: Chunked\r\n",
             "5;ext=\"a;b\";x\r\nhello\r\n00A \t\r\n0123456789\r\n0;last\r\nTrailer: "
             "x\r\nAnother: y\r\n\r\nmore"),
       "hello0123456789", "more", true, false},
      {"chunks and a length",
       Hello(chunked + "Content-Length: 3\r\n", Chunk("hello") + "0\r\n\r\n"), "hello", "", false,
       false},
      {"interim answers",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
           Hello("Content-Length: 2\r\n", "ok"),
       "ok", "", true, false},
      {"bare LFs and folded lines", "HTTP/1.1 200\nX: a\n\t b\nEmpty:\nContent-Length: 2\n\nok",
       "ok", "", true, false},
      {"gzip", Hello(gzip + "Content-Length: " + std::to_string(twice.size()) + "\r\n", twice),
       "one line\n\xE2\x82\xAC two\n", "", true, false},
      {"gzip in chunks",
       Hello(gzip + chunked, Chunk(twice.substr(0, 7)) + Chunk(twice.substr(7)) + "0\r\n\r\n"),
       "one line\n\xE2\x82\xAC two\n", "", true, false},
      {"gzip until the end", Hello("Content-Encoding: x-gzip\r\n", twice),
       "one line\n\xE2\x82\xAC two\n", "", false, true},
      {"gzip of nothing", Hello(gzip + "Content-Length: 0\r\n", ""), "", "", true, false},
  };
}

TEST(HttpResponseDecoder, UndoesTheFramingOfGoodResponses) {
  for (const Good& good : GoodResponses()) {
    SCOPED_TRACE(good.name);
    HttpResponseDecoder decoder;
    EXPECT_EQ(decoder.head(), nullptr);
    decoder.Feed(good.bytes);
    if (good.needs_end) {
      EXPECT_EQ(decoder.state(), State::kBody);
      decoder.FeedEnd();
    }
    EXPECT_EQ(decoder.state(), State::kDone) << decoder.error().message();
    EXPECT_EQ(decoder.TakeBody(), good.body);
    EXPECT_EQ(decoder.TakeBody(), "") << "taken is taken";
    EXPECT_EQ(decoder.Excess(), good.excess);
    EXPECT_EQ(decoder.keep_alive(), good.keep_alive);
    decoder.FeedEnd();
    EXPECT_EQ(decoder.state(), State::kDone) << "the end of the connection changes nothing";
    decoder.Feed("x");
    EXPECT_EQ(decoder.Excess(), good.excess + "x");
  }
}

TEST(HttpResponseDecoder, EverySplitGivesTheSameResult) {
  for (const Good& good : GoodResponses()) {
    SCOPED_TRACE(good.name);
    const size_t size = good.bytes.size();
    const std::string whole = OutcomeOf(good.bytes, {}, good.needs_end);
    for (size_t a = 0; a <= size; ++a) {
      ASSERT_EQ(OutcomeOf(good.bytes, {a}, good.needs_end), whole) << a;
      for (size_t b = a; b <= size; b += 1 + size / 40) {
        ASSERT_EQ(OutcomeOf(good.bytes, {a, b}, good.needs_end), whole) << a << " " << b;
      }
    }
    std::vector<size_t> all(size);
    for (size_t i = 0; i < size; ++i) all[i] = i;
    EXPECT_EQ(OutcomeOf(good.bytes, all, good.needs_end), whole);
  }
}

TEST(HttpResponseDecoder, AConnectionThatEndsInsideAnAnswerIsAnUnexpectedEnd) {
  for (const Good& good : GoodResponses()) {
    SCOPED_TRACE(good.name);
    const size_t end_of_body = good.bytes.size() - good.excess.size();
    for (size_t size = 0; size < end_of_body; ++size) {
      HttpResponseDecoder decoder;
      decoder.Feed(std::string_view(good.bytes).substr(0, size));
      const bool until_end = decoder.state() == State::kBody && good.needs_end;
      decoder.FeedEnd();
      const std::string body = decoder.TakeBody();
      EXPECT_TRUE(good.body.starts_with(body)) << size;
      if (until_end && decoder.state() == State::kDone) continue;
      ASSERT_EQ(decoder.state(), State::kFailed) << size;
      EXPECT_EQ(decoder.error().transport, size == 0 ? Transport::kEof : Transport::kUnexpectedEof)
          << size;
    }
  }
}

TEST(HttpResponseDecoder, GivesTheHeadAsSoonAsItIsComplete) {
  HttpResponseDecoder decoder;
  decoder.Feed(
      "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1 \r\nX-A: 1\r\nx-a: 2\r\nContent-Length: "
      "9\r\n\r");
  EXPECT_EQ(decoder.head(), nullptr);
  EXPECT_EQ(decoder.state(), State::kHead);
  decoder.Feed("\n");
  ASSERT_NE(decoder.head(), nullptr);
  EXPECT_EQ(decoder.state(), State::kBody);
  EXPECT_EQ(decoder.head()->status, 429);
  EXPECT_EQ(decoder.head()->reason, "Too Many Requests");
  EXPECT_EQ(decoder.head()->Header("retry-after"), "1");
  EXPECT_EQ(decoder.head()->Header("X-A"), "1") << "the first of that name";
  EXPECT_EQ(decoder.head()->Header("absent"), "");
}

TEST(HttpResponseDecoder, JoinsFoldedHeaderLines) {
  HttpResponseDecoder decoder;
  decoder.Feed(Hello("X: a\r\n  b\r\n\tc\r\nY:\r\n d\r\nContent-Length: 0\r\n", ""));
  ASSERT_EQ(decoder.state(), State::kDone);
  EXPECT_EQ(decoder.head()->Header("X"), "a b c");
  EXPECT_EQ(decoder.head()->Header("Y"), "d");
}

TEST(HttpResponseDecoder, GivesBytesOfTheBodyAsTheyCome) {
  HttpResponseDecoder decoder;
  decoder.Feed(Hello("Transfer-Encoding: chunked\r\n", "a\r\n01234"));
  EXPECT_EQ(decoder.TakeBody(), "01234");
  decoder.Feed("5");
  EXPECT_EQ(decoder.TakeBody(), "5");
  EXPECT_EQ(decoder.state(), State::kBody);
}

TEST(HttpResponseDecoder, GivesAGzipMemberWhenItEnds) {
  HttpResponseDecoder decoder;
  decoder.Feed(Hello("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", ""));
  for (const char* event : {"{\"type\":\"ADDED\"}\n", "{\"type\":\"BOOKMARK\"}\n"}) {
    decoder.Feed(Chunk(GzipMember(event)));
    EXPECT_EQ(decoder.TakeBody(), event);
  }
  decoder.Feed("0\r\n\r\n");
  EXPECT_EQ(decoder.state(), State::kDone);
}

TEST(HttpResponseDecoder, MayBeMoved) {
  HttpResponseDecoder decoder;
  decoder.Feed("HTTP/1.1 200 OK\r\nContent-");
  HttpResponseDecoder moved(std::move(decoder));
  moved.Feed("Length: 2\r\n\r\nok");
  decoder = std::move(moved);
  EXPECT_EQ(decoder.state(), State::kDone);
  EXPECT_EQ(decoder.TakeBody(), "ok");
}

// ---- Bad responses

struct Bad {
  std::string bytes, why;
};

std::vector<Bad> BadResponses() {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string gzip = "Content-Encoding: gzip\r\n";
  return {
      {"\r\nHTTP/1.1 200 OK\r\n\r\n", "malformed HTTP status line \"\""},
      {"SSH-2.0-OpenSSH\r\n", "malformed HTTP status line \"SSH-2.0-OpenSSH\""},
      {"HTTP/2.0 200 OK\r\n", "malformed HTTP status line \"HTTP/2.0 200 OK\""},
      {"HTTP/1.1 2000 OK\r\n", "malformed HTTP status line \"HTTP/1.1 2000 OK\""},
      {"HTTP/1.1 099 OK\r\n", "malformed HTTP status line \"HTTP/1.1 099 OK\""},
      {"HTTP/1.1 20x OK\r\n", "malformed HTTP status line \"HTTP/1.1 20x OK\""},
      {"HTTP/1.1 20\r\n", "malformed HTTP status line \"HTTP/1.1 20\""},
      {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "101 without having asked for it"},
      {Hello("No colon\r\n", ""), "malformed header line \"No colon\""},
      {Hello("Name : x\r\n", ""), "malformed header line \"Name : x\""},
      {Hello(": x\r\n", ""), "malformed header line \": x\""},
      {Hello(" folded: first\r\n", ""), "malformed header line \" folded: first\""},
      {Hello("X: a\rb\r\n", ""), "malformed header line \"X: a\rb\""},
      {Hello("Content-Length: -1\r\n", ""), "bad Content-Length \"-1\""},
      {Hello("Content-Length: +1\r\n", ""), "bad Content-Length \"+1\""},
      {Hello("Content-Length: 5, 5\r\n", ""), "bad Content-Length \"5, 5\""},
      {Hello("Content-Length: 5\r\nContent-Length: 6\r\n", ""), "bad Content-Length \"6\""},
      {Hello("Content-Length:\r\n", ""), "bad Content-Length \"\""},
      {Hello("Content-Length: 9223372036854775808\r\n", ""),
       "bad Content-Length \"9223372036854775808\""},
      {Hello("Transfer-Encoding: gzip, chunked\r\n", ""),
       "transfer encoding \"gzip, chunked\" is not supported"},
      {Hello(chunked + chunked, ""), "transfer encoding \"chunked\" is not supported"},
      {"HTTP/1.0 200 OK\r\n" + chunked + "\r\n", "transfer encoding \"chunked\" is not supported"},
      {Hello("Content-Encoding: br\r\n", ""), "content encoding \"br\" is not supported"},
      {Hello(chunked, "\r\n"), "malformed chunk size \"\r\""},
      {Hello(chunked, "x\r\n"), "malformed chunk size \"x\r\""},
      {Hello(chunked, "-1\r\n"), "malformed chunk size \"-1\r\""},
      {Hello(chunked, " 5\r\n"), "malformed chunk size \" 5\r\""},
      {Hello(chunked, "5\nhello"), "malformed chunk size \"5\""},
      {Hello(chunked, "5;a\rb\r\n"), "malformed chunk size \"5;a\rb\r\""},
      {Hello(chunked, "8000000000000000\r\n"), "malformed chunk size \"8000000000000000\r\""},
      {Hello(chunked, "00000000000000005\r\n"), "malformed chunk size \"00000000000000005\r\""},
      {Hello(chunked, "2\r\nabc\r\n"), "malformed chunked encoding"},
      {Hello(chunked, "2\r\nab\n"), "malformed chunked encoding"},
      {Hello(chunked, std::string(5000, '0')), "chunk-size line too long"},
      {Hello("X: " + std::string(70000, 'x'), ""), "header too long"},
      {Hello(gzip, "this is plain"), "gzip: incorrect header check"},
      {Hello(gzip, GzipMember("a") + "garbage"), "gzip: incorrect header check"},
  };
}

TEST(HttpResponseDecoder, RefusesBadFramingAndSaysWhy) {
  for (const Bad& bad : BadResponses()) {
    HttpResponseDecoder decoder;
    decoder.Feed(bad.bytes);
    EXPECT_EQ(decoder.state(), State::kFailed) << bad.bytes;
    EXPECT_EQ(decoder.error().transport, Transport::kProtocol);
    EXPECT_EQ(decoder.error().message(), bad.why);
    EXPECT_FALSE(decoder.keep_alive());
    decoder.Feed("more");
    decoder.FeedEnd();
    EXPECT_EQ(decoder.error().message(), bad.why) << "the first failure is the one that counts";
    EXPECT_EQ(decoder.Excess(), "");
  }
}

TEST(HttpResponseDecoder, RefusesTheSameInEverySplit) {
  for (const Bad& bad : BadResponses()) {
    if (bad.bytes.size() > 1000) continue;
    const std::string whole = OutcomeOf(bad.bytes, {}, false);
    for (size_t i = 0; i <= bad.bytes.size(); ++i)
      ASSERT_EQ(OutcomeOf(bad.bytes, {i}, false), whole) << i;
  }
}

TEST(HttpResponseDecoder, TheLimitsHoldInEverySplit) {
  const std::string fits = Hello("X: " + std::string(1000, 'x') + "\r\nContent-Length: 0\r\n", "");
  const size_t size = fits.size();
  for (const bool bytewise : {false, true}) {
    for (const size_t limit : {size, size - 1}) {
      HttpResponseDecoder decoder(limit);
      if (bytewise) {
        for (char c : fits) decoder.Feed(std::string_view(&c, 1));
      } else {
        decoder.Feed(fits);
      }
      EXPECT_EQ(decoder.state(), limit == size ? State::kDone : State::kFailed);
    }
  }
}

TEST(HttpResponseDecoder, InterimAnswersAndTrailersCannotGoOnForEver) {
  HttpResponseDecoder interim;
  for (int i = 0; i < 10000; ++i) interim.Feed("HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(interim.error().message(), "header too long");
  HttpResponseDecoder trailers;
  trailers.Feed(Hello("Transfer-Encoding: chunked\r\n", "0\r\n"));
  for (int i = 0; i < 10000; ++i) trailers.Feed("X: y and so on\r\n");
  EXPECT_EQ(trailers.error().message(), "header too long");
}

TEST(HttpResponseDecoder, ABodyThatEndsInsideItsGzipDataIsAnUnexpectedEnd) {
  const std::string member = GzipMember("a text that is cut");
  const std::string cut = member.substr(0, member.size() - 1);
  HttpResponseDecoder decoder;
  decoder.Feed(
      Hello("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", Chunk(cut) + "0\r\n\r\n"));
  EXPECT_EQ(decoder.state(), State::kFailed);
  EXPECT_EQ(decoder.error().transport, Transport::kUnexpectedEof);
  EXPECT_EQ(decoder.TakeBody(), "a text that is cut") << "what was good before comes out";
}

// ---- Gunzip

TEST(Gunzip, UndoesLargeTextsInPiecesOfAnySize) {
  std::string text;
  for (uint32_t i = 0; i < 200000; ++i) text += static_cast<char>('a' + (i * i) % 26);
  const std::string member = GzipMember(text);
  const std::string zipped = member + member;
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{4096}, zipped.size()}) {
    Gunzip gunzip;
    EXPECT_TRUE(gunzip.AtEnd());
    std::string out;
    for (size_t i = 0; i < zipped.size(); i += piece) {
      ASSERT_TRUE(gunzip.Feed(std::string_view(zipped).substr(i, piece), &out)) << gunzip.why();
      const size_t fed = std::min(i + piece, zipped.size());
      ASSERT_EQ(gunzip.AtEnd(), fed % member.size() == 0) << fed;
    }
    EXPECT_TRUE(out == text + text);
  }
}

TEST(Gunzip, GivesAllThatTheBytesSoFarHold) {
  const std::string zipped = GzipMember(std::string(1000000, 'a'));
  std::string room(1000000, '\0');
  for (size_t size = 1; size < 300; ++size) {
    std::string bytes = zipped.substr(0, size);
    z_stream all_at_once{};
    inflateInit2(&all_at_once, 16 + MAX_WBITS);
    all_at_once.next_out = reinterpret_cast<Bytef*>(room.data());
    all_at_once.avail_out = static_cast<uInt>(room.size());
    all_at_once.next_in = reinterpret_cast<Bytef*>(bytes.data());
    all_at_once.avail_in = static_cast<uInt>(size);
    inflate(&all_at_once, Z_SYNC_FLUSH);
    Gunzip gunzip;
    std::string out;
    ASSERT_TRUE(gunzip.Feed(bytes, &out));
    EXPECT_EQ(out.size(), all_at_once.total_out) << size;
    inflateEnd(&all_at_once);
  }
}

TEST(Gunzip, NoticesAFlippedBit) {
  std::string zipped = GzipMember("some text with a checksum behind it");
  zipped[zipped.size() - 6] ^= 1;
  Gunzip gunzip;
  std::string out;
  EXPECT_FALSE(gunzip.Feed(zipped, &out));
  EXPECT_EQ(gunzip.why(), "incorrect data check");
  EXPECT_FALSE(gunzip.AtEnd());
}

}  // namespace relist::http_response_decoder_test
