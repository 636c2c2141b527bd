// A server for tests that answers requests in the order of a script, with the wire's bytes, over
// pipes in memory.
//
//   ScriptedServer server(port);
//   server.Then(ListOf("10", {Item("a", "7")}));
//   server.Then(WatchOf({EventLine("ADDED", "b", "11")}).EndAfter(Seconds(2)));
//   server.Then(Refused());
//   ... run ...
//   server.requests();      // what came, and when
//
// A request that the script has no answer for is left hanging.
#pragma once

#include <fmt/core.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/sim_port.h"

namespace relist::testing {

inline std::string Item(const std::string& name, const std::string& rv,
                        const std::string& value = "v") {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"uid-{0}","resourceVersion":"{1}"}},"data":{{"k":"{2}"}}}})",
      name, rv, value);
}

// A line of a watch on configmaps.
inline std::string EventLine(const std::string& type, const std::string& name,
                             const std::string& rv, const std::string& value = "v") {
  return fmt::format(
      R"({{"type":"{0}","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{1}","namespace":"default","uid":"uid-{1}","resourceVersion":"{2}"}},"data":{{"k":"{3}"}}}}}})"
      "\n",
      type, name, rv, value);
}

// `end`: the value of the annotation that ends initial events; empty: none.
inline std::string BookmarkLine(const std::string& rv, const std::string& end = "") {
  const std::string annotations =
      end.empty() ? "" : fmt::format(R"(,"annotations":{{"k8s.io/initial-events-end":"{}"}})", end);
  return fmt::format(
      R"({{"type":"BOOKMARK","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{}"{}}}}}}})"
      "\n",
      rv, annotations);
}

inline std::string StatusBody(int code, const std::string& reason, const std::string& message) {
  return fmt::format(
      R"({{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","message":"{}","reason":"{}","code":{}}})",
      message, reason, code);
}

inline std::string ErrorLine(int code, const std::string& reason) {
  return fmt::format(R"({{"type":"ERROR","object":{}}})"
                     "\n",
                     StatusBody(code, reason, "from the script"));
}

inline std::string Chunk(const std::string& bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

// What the server does about one request (or, if `refuse`, about one connection).
struct Step {
  bool refuse = false;
  struct Act {
    enum class Kind { kBytes, kFinish, kReset } kind = Kind::kBytes;
    std::string bytes;
    Duration after{};  // the request
  };
  std::vector<Act> acts;

  Step& Send(std::string bytes, Duration after = {}) {
    acts.push_back({Act::Kind::kBytes, std::move(bytes), after});
    return *this;
  }
  // A chunk of a body that is under way.
  Step& Line(const std::string& line, Duration after = {}) { return Send(Chunk(line), after); }
  Step& EndAfter(Duration after) { return Send("0\r\n\r\n", after); }  // a last chunk
  Step& FinishAfter(Duration after) {
    acts.push_back({Act::Kind::kFinish, "", after});
    return *this;
  }
  Step& ResetAfter(Duration after) {
    acts.push_back({Act::Kind::kReset, "", after});
    return *this;
  }
};

inline Step Answer(int status, const std::string& body, const std::string& headers = "") {
  Step step;
  step.Send(fmt::format(
      "HTTP/1.1 {} X\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}", status,
      headers, body.size(), body));
  return step;
}

inline Step ListOf(const std::string& rv, const std::vector<std::string>& items,
                   const std::string& continue_token = "") {
  std::string body = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":")";
  body += rv + "\"";
  if (!continue_token.empty()) body += ",\"continue\":\"" + continue_token + "\"";
  body += "},\"items\":[";
  for (size_t i = 0; i < items.size(); ++i) body += (i ? "," : "") + items[i];
  return Answer(200, body + "]}\n");
}

// A watch that stays open, each line in a chunk of its own.
inline Step WatchOf(const std::vector<std::string>& lines) {
  Step step;
  step.Send(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const std::string& line : lines) step.Line(line);
  return step;
}

inline Step Failure(int code, const std::string& reason, const std::string& headers = "") {
  return Answer(code, StatusBody(code, reason, "from the script"), headers);
}

inline Step Refused() {
  Step step;
  step.refuse = true;
  return step;
}

class ScriptedServer {
 public:
  struct Request {
    TimePoint when;
    std::string target;
    std::string head;  // all of it
    std::string body;
  };

  explicit ScriptedServer(SimPort& port) : port_(port) {
    port_.SetDialer([this](const Endpoint&) { return Dial(); });
  }

  ScriptedServer& Then(Step step) {
    steps_.push_back(std::move(step));
    return *this;
  }
  const std::vector<Request>& requests() const { return requests_; }
  size_t connections() const { return connections_; }
  size_t refused() const { return refusals_.size(); }
  const std::vector<TimePoint>& refusals() const { return refusals_; }
  // Connections whose client has not yet closed them.
  size_t open() const {
    size_t n = 0;
    for (const auto& pipe : pipes_) n += !pipe->client_gone();
    return n;
  }
  bool exhausted() const { return steps_.empty(); }
  // The last connection, for tests that go on by hand.
  SimPipe& last() { return *pipes_.back(); }

 private:
  std::unique_ptr<Connection> Dial() {
    auto [client, pipe] = SimPipe::Make(port_);
    ++connections_;
    if (!steps_.empty() && steps_.front().refuse) {
      steps_.pop_front();
      refusals_.push_back(port_.Now());
      pipe->Refuse({});
      return std::move(client);
    }
    pipe->Open({});
    SimPipe* raw = pipe.get();
    auto heard = std::make_shared<std::string>();
    pipe->on_bytes = [this, raw, heard](std::string_view bytes) {
      heard->append(bytes);
      for (size_t end; (end = heard->find("\r\n\r\n")) != std::string::npos;) {
        const std::string head = heard->substr(0, end + 4);
        const size_t length = BodyLength(head);
        if (heard->size() < end + 4 + length) break;
        const std::string body = heard->substr(end + 4, length);
        heard->erase(0, end + 4 + length);
        const size_t begin = head.find(' ') + 1;
        requests_.push_back(
            {port_.Now(), head.substr(begin, head.find(' ', begin) - begin), head, body});
        Play(raw);
      }
    };
    pipes_.push_back(std::move(pipe));
    return std::move(client);
  }

  static size_t BodyLength(const std::string& head) {
    const size_t at = head.find("\r\nContent-Length: ");
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + 18));
  }

  void Play(SimPipe* pipe) {
    if (steps_.empty() || steps_.front().refuse) return;
    const Step step = std::move(steps_.front());
    steps_.pop_front();
    for (const Step::Act& act : step.acts) {
      if (act.kind == Step::Act::Kind::kBytes) pipe->Deliver(act.bytes, act.after);
      if (act.kind == Step::Act::Kind::kFinish) pipe->Finish(act.after);
      if (act.kind == Step::Act::Kind::kReset) pipe->Reset(act.after);
    }
  }

  SimPort& port_;
  std::deque<Step> steps_;
  std::vector<Request> requests_;
  std::vector<TimePoint> refusals_;
  size_t connections_ = 0;
  std::vector<std::shared_ptr<SimPipe>> pipes_;
};

}  // namespace relist::testing
