// A small server for tests of the front: no store, just what a connection can be asked to do.
//
//   GET  /text?SIZE      SIZE bytes, with Content-Length
//   GET  /chunked?SIZE   the same, chunked
//   GET  /encoded        "zip", said to be gzip
//   GET  /wait           "changed" once change_count() has moved, "late" after three seconds
//   GET  /watch...       every line since the start, then what Commit() adds; ends after End()
//   any other            echoes method, target and body
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fakeapi/api/request_handler.h"
#include "fakeapi/http/http_encoder.h"

namespace relist::fakeapi {

class TestHandler : public RequestHandler {
 public:
  Reply Handle(const Request& request, TimePoint received, TimePoint now) override {
    const std::string_view target = request.target;
    requests.push_back(request);
    if (target.starts_with("/text?") || target.starts_with("/chunked?")) {
      const auto size = std::strtoul(request.target.c_str() + target.find('?') + 1, nullptr, 10);
      Response response = Text(std::string(size, 'x'));
      response.chunked = target.starts_with("/chunked?");
      return response;
    }
    if (target == "/encoded") {
      Response response = Text("zip");
      response.headers.emplace_back("Content-Encoding", "gzip");
      return response;
    }
    if (target == "/wait") {
      if (commits_ > 0) return Text("changed");
      if (now >= received + Seconds(3)) return Text("late");
      return Wait{received + Seconds(3)};
    }
    if (target.find("watch") != std::string_view::npos) return std::make_unique<Session>(this);
    ++commits_;
    return Text(request.method + " " + request.target + " " + request.body);
  }
  uint64_t change_count() const override { return commits_; }
  uint64_t incarnation() const override { return restarts_; }
  TimePoint NextDeadline() const override { return commits_at; }
  void Tick(TimePoint /*now*/) override {
    commits_at = kNever;
    Commit();
  }

  // A line {"n":NUMBER} and a newline, to all watches.
  void Commit() {
    ++commits_;
    AddLine("{\"n\":" + std::to_string(lines_.size()) + "}");
  }
  void AddLine(const std::string& text) {
    WatchLine line;
    line.type = EventType::kAdded;
    line.revision = lines_.size() + 1;
    line.key = "default/" + std::to_string(lines_.size());
    line.chunk = {FrameChunk(text + "\n")};
    lines_.push_back(std::move(line));
    Wake();
  }
  void End() {
    ended_ = true;
    Wake();
  }
  // Its watches end, those who wait have an answer.
  void Restart() {
    ++restarts_;
    ++commits_;
    End();
  }
  size_t open_watches() const { return sessions_.size(); }

  std::vector<Request> requests;
  uint64_t idles = 0;                           // times that a watch was asked and had no more
  bool gzips = false;                           // its watches may be compressed
  TimePoint commits_at = kNever;                // when it commits by itself
  std::function<TimePoint()> session_deadline;  // of every session; empty: kNever

 private:
  class Session : public WatchSession {
   public:
    explicit Session(TestHandler* owner) : owner_(owner) { owner_->sessions_.insert(this); }
    ~Session() override { owner_->sessions_.erase(this); }
    Step Next(TimePoint now, WatchLine* line) override {
      if (NextDeadline() <= now) return Step::kEnd;
      if (at_ < owner_->lines_.size()) {
        *line = owner_->lines_[at_++];
        return Step::kLine;
      }
      if (owner_->ended_) return Step::kEnd;
      ++owner_->idles;
      return Step::kIdle;
    }
    TimePoint NextDeadline() const override {
      return owner_->session_deadline ? owner_->session_deadline() : kNever;
    }
    void OnReady(std::function<void()> wake) override { wake_ = std::move(wake); }
    bool may_be_gzipped() const override { return owner_->gzips; }
    const std::string& content_type() const override { return owner_->json_; }
    void Wake() {
      if (wake_) wake_();
    }

   private:
    TestHandler* owner_;
    size_t at_ = 0;
    std::function<void()> wake_;
  };

  static Response Text(std::string body) {
    Response response;
    response.headers = {{"Content-Type", "text/plain"}};
    response.body.push_back(Slice::Own(std::move(body)));
    return response;
  }
  void Wake() {
    for (Session* session : sessions_) session->Wake();
  }

  const std::string json_ = "application/json";
  std::vector<WatchLine> lines_;
  std::set<Session*> sessions_;
  uint64_t commits_ = 0;
  uint64_t restarts_ = 0;
  bool ended_ = false;
};

}  // namespace relist::fakeapi
