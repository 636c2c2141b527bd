// The recorded chapters against the core, without a socket and on virtual time.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "fakeapi/api_server.h"
#include "fakeapi/recording_comparer.h"

namespace relist::fakeapi {
namespace real_recordings {

using nlohmann::json;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The line in a chunk whose size line must be right.
std::string Unchunk(const std::string& chunk) {
  const size_t size_end = chunk.find("\r\n");
  const size_t size = std::stoul(chunk.substr(0, size_end), nullptr, 16);
  EXPECT_EQ(chunk.size(), size_end + 2 + size + 2) << chunk;
  EXPECT_TRUE(chunk.ends_with("\n\r\n")) << chunk;
  return chunk.substr(size_end + 2, size);
}

// A client on virtual time: every step takes 10 ms, and watches go on meanwhile.
class Client {
 public:
  ApiServer server{{}};

  RecordedAnswer Send(const Request& request) {
    now_ += Millis(10);
    const TimePoint received = now_;
    Reply reply = server.Handle(request, received, now_);
    while (const Wait* wait = std::get_if<Wait>(&reply)) {
      AdvanceTo(wait->until);
      reply = server.Handle(request, received, now_);
    }
    if (auto* session = std::get_if<std::unique_ptr<WatchSession>>(&reply)) {
      open_.push_back({opened_++, received, std::move(*session), {}});
      Pump();
      return {};
    }
    const Response& response = std::get<Response>(reply);
    RecordedAnswer answer{
        response.status, {}, response.BodyText(), "content-length", Took(received)};
    for (const auto& [name, value] : response.headers) answer.headers[Lower(name)] = value;
    Pump();
    return answer;
  }

  size_t opened() const { return opened_; }
  // What the watch that was opened as number `i` gave; only once it has ended.
  const RecordedAnswer& Finished(size_t i) const { return finished_.at(i); }

  void WaitForWatches() {
    while (!open_.empty()) AdvanceTo(NextDeadline());
  }
  void Sleep(Duration time) { AdvanceTo(now_ + time); }
  TimePoint now() const { return now_; }

 private:
  struct Open {
    size_t number;
    TimePoint since;
    std::unique_ptr<WatchSession> session;
    std::string text;
  };

  double Took(TimePoint since) const { return std::chrono::duration<double>(now_ - since).count(); }

  TimePoint NextDeadline() const {
    TimePoint next = kNever;
    for (const Open& open : open_) next = std::min(next, open.session->NextDeadline());
    return next;
  }

  void AdvanceTo(TimePoint until) {
    while (now_ < until) {
      now_ = std::min(until, std::max(NextDeadline(), now_ + Duration(1)));
      Pump();
    }
  }

  void Pump() {
    for (size_t i = 0; i < open_.size(); ++i) {
      WatchLine line;
      auto step = WatchSession::Step::kLine;
      while ((step = open_[i].session->Next(now_, &line)) == WatchSession::Step::kLine) {
        std::string chunk;
        for (const Slice& slice : line.chunk) chunk += slice.bytes;
        open_[i].text += Unchunk(chunk);
      }
      if (step != WatchSession::Step::kEnd) continue;
      // The headers of a watch are the connection's to write.
      finished_[open_[i].number] = {200,
                                    {{"content-type", open_[i].session->content_type()},
                                     {"transfer-encoding", "chunked"},
                                     {"cache-control", "no-cache, private"}},
                                    open_[i].text,
                                    "last chunk",
                                    Took(open_[i].since)};
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  TimePoint now_ = kSimulationEpoch;
  std::vector<Open> open_;
  size_t opened_ = 0;
  std::map<size_t, RecordedAnswer> finished_;
};

Request RequestOf(const json& step, const RecordingComparer& comparer) {
  const json& from = step["request"];
  Request request;
  request.method = from["method"];
  request.target = comparer.Fill(from["path"].get<std::string>(), true);
  std::map<std::string, json> headers = {{"Accept", "application/json"}};
  if (from.contains("body")) {
    request.body = from["body"].is_string() ? from["body"].get<std::string>() : from["body"].dump();
    request.body = comparer.Fill(request.body, false);
    headers["Content-Type"] = "application/json";
  }
  if (from.contains("headers")) {
    for (const auto& [name, value] : from["headers"].items()) headers[name] = value;
  }
  for (const auto& [name, value] : headers) {
    if (value.is_string()) request.headers.emplace_back(name, value.get<std::string>());
  }
  return request;
}

// One chapter, sent step by step; compared when all watches have ended, since names are bound in
// the order of the steps.
void RunChapter(const std::string& chapter, const std::set<std::string>& left_out = {}) {
  const std::string path =
      std::string(RELIST_SOURCE_DIR) + "/fakeapi/testdata/real/" + chapter + ".json";
  const json document = json::parse(ReadFile(path));
  Client client;
  RecordingComparer comparer;
  std::vector<std::pair<json, RecordedAnswer>> results;
  std::vector<size_t> watches;  // of the client's, the result that each is
  const auto collect = [&] {
    client.WaitForWatches();
    for (size_t i = 0; i < watches.size(); ++i) results[watches[i]].second = client.Finished(i);
  };
  for (const json& step : document["steps"]) {
    if (step.contains("sleep_s")) {
      client.Sleep(Seconds(step["sleep_s"].get<int>()));
    } else if (step.contains("action")) {
      client.server.Compact(client.now());
      const bool restarts = step["action"].get<std::string>().find("restart") != std::string::npos;
      if (restarts) client.server.Restart(client.now());
    } else if (step.contains("wait")) {
      client.WaitForWatches();
    } else {
      const size_t opened = client.opened();
      RecordedAnswer answer = client.Send(RequestOf(step, comparer));
      if (client.opened() > opened) {
        watches.push_back(results.size());
        if (!step.value("background", false)) client.WaitForWatches();
      }
      comparer.Save(step, answer.text);
      results.emplace_back(step, std::move(answer));
    }
  }
  collect();
  int equal = 0;
  for (const auto& [step, answer] : results) {
    if (left_out.contains(step["name"].get<std::string>())) continue;
    const RecordingComparer::Differences differences = comparer.Compare(step, answer);
    equal += differences.empty();
    for (const std::string& difference : differences) {
      ADD_FAILURE() << chapter << ": " << step["name"].get<std::string>() << ": " << difference;
    }
  }
  EXPECT_GT(equal, 0) << chapter << " holds no steps";
}

TEST(RealRecordings, ListsAreAsTheRealServersAre) {
  RunChapter("list");
}
TEST(RealRecordings, PagesAreAsTheRealServersAre) {
  RunChapter("pages");
}
TEST(RealRecordings, WatchesAreAsTheRealServersAre) {
  RunChapter("watch");
}
TEST(RealRecordings, StreamingListsAreAsTheRealServersAre) {
  RunChapter("watchlist");
}
TEST(RealRecordings, ExpiryIsAsTheRealServersIs) {
  RunChapter("expired");
}
TEST(RealRecordings, EveryKindsTableAndBookmarkAreAsTheRealServersAre) {
  RunChapter("kinds");
}
TEST(RealRecordings, CreateReplaceAndDeleteAreAsTheRealServersAre) {
  RunChapter("crud");
}

TEST(RealRecordings, PatchesAreAsTheRealServersAre) {
  // Server-side apply is refused with a 501.
  RunChapter("patch", {"server-side apply makes it", "server-side apply again changes nothing",
                       "server-side apply by another manager: Conflict",
                       "server-side apply by another manager, forced",
                       "server-side apply without a manager: BadRequest"});
}

TEST(RealRecordings, ValidationIsAsTheRealServersIs) {
  // How long a body may be is the connection's business.
  RunChapter("validation", {"a body over 3 MiB: RequestEntityTooLarge"});
}

TEST(RealRecordings, PodsAreAsTheRealServersAre) {
  RunChapter("pods");
}

TEST(RealRecordings, StatusLeasesEventsAndNamespacesAreAsTheRealServersAre) {
  // scale, binding and events.k8s.io are not served; the steps after them see what they did.
  RunChapter("subresources",
             {"its scale", "scale it", "scale it by merge patch", "status does not move generation",
              "a label does not move generation", "the spec does", "its status",
              "the same events in their own group", "bind it", "bind it again: Conflict",
              "it is on n1", "nodes by name"});
}

TEST(RealRecordings, BookmarksOfAQuietWatchAreAsTheRealServersAre) {
  RunChapter("bookmarks");
}

json FromYaml(const YAML::Node& node) {
  json out;
  if (node.IsMap()) {
    out = json::object();
    for (const auto& pair : node) out[pair.first.as<std::string>()] = FromYaml(pair.second);
  } else if (node.IsSequence()) {
    out = json::array();
    for (const auto& item : node) out.push_back(FromYaml(item));
  } else if (node.IsScalar()) {
    out = node.as<std::string>();
  }
  return out;
}

// Scalars as text: YAML's own types are the representation's business.
json AsText(const json& value) {
  if (value.is_object() || value.is_array()) {
    json out = value;
    for (auto& part : out) part = AsText(part);
    return out;
  }
  return value.is_string() || value.is_null() ? value : json(value.dump());
}

class Representations : public testing::Test {
 protected:
  Representations() {
    const std::string body =
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"yes":"no"}},)"
        R"("data":{"n":"1","text":"two\nlines: true","empty":""}})";
    const Request create{"POST",
                         "/api/v1/namespaces/default/configmaps",
                         {{"Content-Type", "application/json"}},
                         body};
    EXPECT_EQ(client_.Send(create).status, 201);
  }

  std::string Get(const std::string& target, const std::string& accept) {
    return client_.Send({"GET", target, {{"Accept", accept}}, ""}).text;
  }

  Client client_;
  const std::string list_ = "/api/v1/namespaces/default/configmaps";
};

TEST_F(Representations, YamlParsedEqualsTheJson) {
  for (const std::string& target : {list_, list_ + "/a"}) {
    const json as_json = json::parse(Get(target, "application/json"));
    const json as_yaml = FromYaml(YAML::Load(Get(target, "application/yaml")));
    EXPECT_EQ(as_yaml, AsText(as_json)) << target;
  }
}

TEST_F(Representations, PrettyIsIndentedAndOtherwiseTheSame) {
  for (const std::string& target : {list_, list_ + "/a"}) {
    const std::string plain = Get(target, "application/json");
    const std::string pretty = Get(target + "?pretty=true", "application/json");
    EXPECT_EQ(json::parse(pretty), json::parse(plain));
    EXPECT_NE(pretty.find("\n  \"apiVersion\": \"v1\""), std::string::npos) << pretty;
  }
}

TEST_F(Representations, WhoAlsoTakesJsonGetsItInsteadOfProtobuf) {
  EXPECT_EQ(Get(list_, "application/vnd.kubernetes.protobuf,application/json"),
            Get(list_, "application/json"));
}

}  // namespace real_recordings
}  // namespace relist::fakeapi
