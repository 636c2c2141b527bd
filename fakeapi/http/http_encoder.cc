#include "fakeapi/http/http_encoder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.h"
#include "fakeapi/http/line_framer.h"

namespace relist::fakeapi {
namespace {

constexpr std::string_view kFraming[] = {"Content-Length", "Transfer-Encoding", "Connection",
                                         "Keep-Alive"};

constexpr size_t kUsualHead = 256;

bool IsFraming(std::string_view name) {
  return std::any_of(std::begin(kFraming), std::end(kFraming),
                     [&](std::string_view framing) { return SameHeaderName(framing, name); });
}

bool Has(const HeaderList& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return SameHeaderName(header.first, name); });
}

void AppendHeader(std::string_view name, std::string_view value, std::string* out) {
  out->append(name).append(": ").append(value).append("\r\n");
}

std::string FormatSecond(std::chrono::seconds seconds) {
  static constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                            "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  using std::chrono::days;
  using std::chrono::floor;
  const auto day_count = floor<days>(seconds);
  const std::chrono::sys_days day{day_count};
  const std::chrono::year_month_day date{day};
  const auto in_day = (seconds - day_count).count();
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), in_day / 3600, in_day / 60 % 60, in_day % 60);
}

}  // namespace

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 413:
      return "Request Entity Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

// Thousands of answers have the same one.
std::string FormatHttpDate(TimePoint t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t.time_since_epoch());
  thread_local std::pair<std::chrono::seconds, std::string> last;
  if (last.second.empty() || last.first != seconds) last = {seconds, FormatSecond(seconds)};
  return last.second;
}

std::string EncodeHead(const AnswerHead& head) {
  static const HeaderList kNone;
  const HeaderList& headers = head.headers != nullptr ? *head.headers : kNone;
  std::string out;
  out.reserve(kUsualHead);
  out.append(head.http10 ? "HTTP/1.0 " : "HTTP/1.1 ")
      .append(std::to_string(head.status))
      .append(" ");
  out.append(ReasonPhrase(head.status)).append("\r\n");
  if (!Has(headers, "Cache-Control")) AppendHeader("Cache-Control", "no-cache, private", &out);
  if (!Has(headers, "Content-Type")) AppendHeader("Content-Type", "application/json", &out);
  for (const auto& [name, value] : headers) {
    if (!IsFraming(name)) AppendHeader(name, value, &out);
  }
  if (!Has(headers, "Date")) AppendHeader("Date", FormatHttpDate(head.now), &out);
  if (!head.chunked) {
    AppendHeader("Content-Length", std::to_string(head.body_size), &out);
  } else if (!head.http10) {
    AppendHeader("Transfer-Encoding", "chunked", &out);
  }
  if (head.close && !head.http10) AppendHeader("Connection", "close", &out);
  if (!head.close && head.http10) AppendHeader("Connection", "keep-alive", &out);
  return out += "\r\n";
}

Slice FrameChunk(std::string_view payload) {
  CHECK(!payload.empty(), "an empty chunk is the last one");
  return Slice::Own(fmt::format("{:x}\r\n{}\r\n", payload.size(), payload));
}

Slice LastChunk() {
  return {nullptr, "0\r\n\r\n"};
}

Slices UnframeChunk(const Slices& chunk) {
  Slices out;
  static constexpr std::string_view kBreak = "\r\n";
  for (size_t i = 0; i < chunk.size(); ++i) {
    std::string_view bytes = chunk[i].bytes;
    if (i == 0) bytes.remove_prefix(std::min(bytes.find(kBreak) + kBreak.size(), bytes.size()));
    if (i + 1 == chunk.size() && bytes.ends_with(kBreak)) bytes.remove_suffix(kBreak.size());
    if (!bytes.empty()) out.push_back({chunk[i].owner, bytes});
  }
  return out;
}

Slices FrameBody(Slices body, uint64_t chunk_size) {
  const uint64_t size = SizeOf(body);
  if (size == 0) return {LastChunk()};
  if (chunk_size > 0) {
    std::string text;  // rare: a fault
    for (const Slice& slice : body) text += slice.bytes;
    return {Slice::Own(ChunksOf(text, chunk_size)), LastChunk()};
  }
  Slices out;
  out.reserve(body.size() + 2);
  out.push_back(Slice::Own(fmt::format("{:x}\r\n", size)));
  std::move(body.begin(), body.end(), std::back_inserter(out));
  out.push_back({nullptr, "\r\n0\r\n\r\n"});
  return out;
}

Slices Prefix(const Slices& slices, uint64_t size) {
  Slices out;
  for (const Slice& slice : slices) {
    if (size == 0) break;
    const size_t n = std::min<uint64_t>(size, slice.bytes.size());
    if (n > 0) out.push_back({slice.owner, slice.bytes.substr(0, n)});
    size -= n;
  }
  return out;
}

Slices ShortenChunk(const Slices& chunk, uint64_t wire_bytes) {
  std::string text;  // rare: only a clean cut copies a line
  for (const Slice& slice : chunk) text += slice.bytes;
  const size_t newline = text.find("\r\n");
  CHECK(newline != std::string::npos && text.size() >= newline + 4, "not a whole chunk: {}", text);
  const size_t begin = newline + 2;
  const size_t end = std::min<uint64_t>(text.size() - 2, wire_bytes);
  if (end <= begin) return {};
  return {FrameChunk(std::string_view(text).substr(begin, end - begin))};
}

uint64_t SizeOf(const Slices& slices) {
  uint64_t size = 0;
  for (const Slice& slice : slices) size += slice.bytes.size();
  return size;
}

}  // namespace relist::fakeapi
