#include "property_tests/search/server_bench.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "fakeapi/store/pagination.h"

namespace relist::search {
namespace {

using nlohmann::json;

// So little is queued for a client that does not read.
constexpr size_t kQueued = 300;

fakeapi::ApiServerOptions ApiOptions(const ServerBench::Knobs& knobs, Choices* choices,
                                     History* history) {
  fakeapi::ApiServerOptions options;
  options.replicas = knobs.replicas;
  options.watch_window = knobs.window;
  options.watcher_buffer = knobs.buffer;
  options.compaction_period = {};
  options.choices = choices;
  options.history = history;
  options.bug = knobs.bug;
  return options;
}

Thing ThingOf(const json& object) {
  const json& meta = object["metadata"];
  Thing thing;
  thing.key = {meta["namespace"], meta["name"]};
  thing.rv = std::stoull(meta["resourceVersion"].get<std::string>());
  if (meta.contains("labels")) thing.app = meta["labels"].value("app", "");
  thing.n = std::stoi(object["data"]["n"].get<std::string>());
  return thing;
}

std::string ListText(const json& list) {
  const json& meta = list["metadata"];
  std::string text = fmt::format("200 rv={}:", meta["resourceVersion"].get<std::string>());
  for (const json& item : list["items"]) text += " " + ThingOf(item).Text() + ",";
  if (meta.contains("continue")) {
    const Token token = ReadToken(meta["continue"]);
    text += fmt::format(" continue {} {}", token.rv, token.start);
  }
  if (meta.contains("remainingItemCount")) {
    text += fmt::format(" remaining {}", meta["remainingItemCount"].get<int64_t>());
  }
  return text;
}

std::string StatusText(int code, const json& status) {
  if (code == 504) {
    const bool retry = status["details"].contains("retryAfterSeconds");
    return retry ? "504 retry" : "504";
  }
  if (code == 410) {
    const json& meta = status["metadata"];
    if (!meta.contains("continue")) return "410 Expired";
    const Token token = ReadToken(meta["continue"]);
    return fmt::format("410 Expired continue {} {}", token.rv, token.start);
  }
  if (code == 404 || code == 409) {
    return fmt::format("{} {}", code, status["reason"].get<std::string>());
  }
  return std::to_string(code);
}

// Nothing for a plain bookmark.
std::optional<std::string> LineText(const std::string& line) {
  const json event = json::parse(line);
  const std::string type = event["type"];
  const json& object = event["object"];
  if (type == "ERROR") return fmt::format("ERROR {}", object["code"].get<int>());
  if (type != "BOOKMARK") return type + " " + ThingOf(object).Text();
  if (!object["metadata"].contains("annotations")) return std::nullopt;
  return fmt::format("BOOKMARK end @{}", object["metadata"]["resourceVersion"].get<std::string>());
}

}  // namespace

Token ReadToken(const std::string& text) {
  const Result<fakeapi::ContinueToken> token = fakeapi::DecodeContinue(text);
  CHECK(token.ok(), "the server's own token: {}", token.error().message());
  return {token->revision, token->start};
}

std::string TokenOf(const std::string& body) {
  const json document = json::parse(body, nullptr, false);
  if (!document.is_object() || !document.contains("metadata")) return "";
  return document["metadata"].value("continue", "");
}

std::string TextOf(int status, const std::string& body) {
  const json document = json::parse(body);
  const std::string kind = document.value("kind", "");
  if (kind == "ConfigMapList") return ListText(document);
  if (kind == "ConfigMap") return fmt::format("{} {}", status, ThingOf(document).Text());
  if (status == 200) return "200 " + document.value("status", "");
  return StatusText(status, document);
}

ServerBench::ServerBench(const Knobs& knobs)
    : choices_(1), server_(ApiOptions(knobs, &choices_, &history_)) {}
ServerBench::~ServerBench() = default;

void ServerBench::Drain(fakeapi::ServerConnection& connection, TimePoint now,
                        HttpResponseDecoder* decoder) {
  std::array<iovec, 16> pieces;
  while (connection.HasOutput()) {
    const int count = connection.Gather(pieces.data(), static_cast<int>(pieces.size()));
    size_t size = 0;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const iovec& piece = pieces[i];
      decoder->Feed({static_cast<const char*>(piece.iov_base), piece.iov_len});
      size += piece.iov_len;
    }
    connection.Sent(now, size);
  }
}

std::optional<std::string> ServerBench::Ask(size_t replica, const std::string& method,
                                            const std::string& target, const std::string& body) {
  CHECK(pending_ == nullptr, "a request waits");
  pending_ = std::make_unique<Pending>();
  pending_->is_watch = target.find("watch=true") != std::string::npos;
  fakeapi::ServerConnectionOptions options;
  options.replica = replica;
  options.output_max = kQueued;
  pending_->connection = std::make_unique<fakeapi::ServerConnection>(
      server_.Front(replica), nullptr, &history_, counters_, now_, options);
  pending_->connection->Receive(
      now_, fmt::format("{} {} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        "Content-Length: {}\r\n\r\n{}",
                        method, target, body.size(), body));
  return Answer();
}

std::optional<std::string> ServerBench::Again() {
  pending_->connection->Pump(now_);
  return Answer();
}

std::optional<std::string> ServerBench::Answer() {
  Pending& pending = *pending_;
  Drain(*pending.connection, now_, &pending.decoder);
  const HttpResponseHead* head = pending.decoder.head();
  if (head == nullptr) return std::nullopt;
  const int status = head->status;
  std::string text;
  if (pending.is_watch && status == 200) {
    auto stream = std::make_unique<Stream>();
    stream->connection = std::move(pending.connection);
    stream->decoder = std::move(pending.decoder);
    streams_.push_back(std::move(stream));
    text = "200";
  } else {
    CHECK(pending.decoder.state() == HttpResponseDecoder::State::kDone, "half an answer");
    const std::string body = pending.decoder.TakeBody();
    text = TextOf(status, body);
    if (const std::string token = TokenOf(body); !token.empty()) text += "\n" + token;
  }
  pending_.reset();
  return text;
}

void ServerBench::TakeLines(Stream& stream) {
  stream.rest += stream.decoder.TakeBody();
  for (size_t end; (end = stream.rest.find('\n')) != std::string::npos;) {
    if (std::optional<std::string> line = LineText(stream.rest.substr(0, end))) {
      stream.lines.push_back(std::move(*line));
    } else {
      ++stream.bookmarks;
    }
    stream.rest.erase(0, end + 1);
  }
  stream.ended = stream.decoder.state() == HttpResponseDecoder::State::kDone;
}

void ServerBench::Read(Stream& stream) {
  if (stream.ended) return;
  stream.connection->Pump(now_);
  Drain(*stream.connection, now_, &stream.decoder);
  TakeLines(stream);
}

void ServerBench::Settle() {
  server_.Tick(now_);
  for (const auto& stream : streams_) {
    if (stream->reads) {
      Read(*stream);
    } else if (!stream->ended) {
      stream->connection->Pump(now_);
    }
  }
}

void ServerBench::PassTo(TimePoint time) {
  for (;;) {
    TimePoint next = std::min(time, server_.NextDeadline());
    for (const auto& stream : streams_) {
      if (!stream->ended) next = std::min(next, stream->connection->NextDeadline());
    }
    now_ = std::max(now_, next);
    Settle();
    if (now_ >= time) return;
  }
}

void ServerBench::Close(size_t stream) {
  streams_[stream]->connection->PeerClosed(now_);
  streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(stream));
}

}  // namespace relist::search
