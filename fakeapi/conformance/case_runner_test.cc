#include "fakeapi/conformance/case_runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "core/duration.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/api_server.h"
#include "fakeapi/conformance/case_answers.h"
#include "fakeapi/conformance/case_objects.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {
namespace case_runner_test {

using nlohmann::ordered_json;

Duration DurationIn(const std::string& text) {
  const Result<Duration> parsed = ParseDuration(text);
  CHECK(parsed.ok(), "no duration: {}", text);
  return *parsed;
}

class Run {
 public:
  void Do(const std::string& text) {
    const size_t arrow = text.find(" -> ");
    wanted_ = arrow == std::string::npos ? "" : kept_.Fill(text.substr(arrow + 4));
    const std::string filled = kept_.Fill(text.substr(0, arrow));
    words_ = SplitWords(filled);
    TakeHeaders();
    as_.clear();
    if (words_.size() > 2 && words_[words_.size() - 2] == "as") {
      as_ = words_.back();
      words_.resize(words_.size() - 2);
    }
    verb_ = words_.front();
    words_.erase(words_.begin());
    if (verb_ == "repeat") return Repeat(text);
    if (verb_ == "options") return SetOptions();
    if (server_ == nullptr) server_ = std::make_unique<ApiServer>(options_);
    if (!DoRequest() && !DoWatch() && !DoControl()) CHECK(false, "no such step: {}", text);
  }

 private:
  const std::string& Word(size_t at) const {
    CHECK(at < words_.size(), "{} wants another word", verb_);
    return words_[at];
  }

  // "@accept=application/yaml"
  void TakeHeaders() {
    headers_ = {{"Content-Type", "application/json"}};
    std::erase_if(words_, [&](const std::string& word) {
      if (!word.starts_with('@')) return false;
      const size_t equals = word.find('=');
      std::string value = word.substr(equals + 1);
      std::replace(value.begin(), value.end(), '+', ' ');
      headers_.emplace_back(word.substr(1, equals - 1), value);
      return true;
    });
  }

  // "repeat 3 create a/p# as p#"
  void Repeat(const std::string& text) {
    const int times = std::stoi(Word(0));
    const std::string step = text.substr(text.find(' ', text.find(' ') + 1) + 1);
    for (int i = 0; i < times; ++i) {
      std::string one = step;
      for (size_t at = one.find('%'); at != std::string::npos; at = one.find('%', at)) {
        one.replace(at, 1, std::to_string(i));
      }
      Do(one);
    }
  }

  void SetOptions() {
    CHECK(server_ == nullptr, "the server is there already");
    for (const std::string& word : words_) {
      const size_t equals = word.find('=');
      const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
      if (name == "watch_window") {
        options_.watch_window = std::stoul(value);
      } else if (name == "watcher_buffer") {
        options_.watcher_buffer = std::stoul(value);
      } else if (name == "budget") {
        options_.dispatch_budget.max = DurationIn(value);
      } else {
        CHECK(name == "bookmark_period", "no such option: {}", word);
        options_.bookmark_period = DurationIn(value);
      }
    }
  }

  void AdvanceTo(TimePoint until) {
    while (server_->NextDeadline() <= until) {
      now_ = std::max(now_, server_->NextDeadline());
      server_->Tick(now_);
    }
    now_ = until;
    server_->Tick(now_);
  }

  // Until there is an answer; how long that took is in waited_.
  Reply Ask(const std::string& method, const std::string& target, const std::string& body) {
    const Request request{method, target, headers_, body};
    const TimePoint received = now_;
    while (true) {
      Reply reply = server_->Handle(request, received, now_);
      const Wait* wait = std::get_if<Wait>(&reply);
      if (wait == nullptr) {
        waited_ = now_ - received;
        return reply;
      }
      AdvanceTo(std::min(wait->until, std::max(now_ + Millis(1), server_->NextDeadline())));
    }
  }

  std::string TakeWaits(std::string wanted) {
    const size_t at = wanted.find("waits=");
    Duration waits{};
    if (at != std::string::npos) {
      const size_t end = std::min(wanted.find(' ', at), wanted.size());
      waits = DurationIn(wanted.substr(at + 6, end - at - 6));
      wanted.erase(at, end - at);
    }
    EXPECT_EQ(waited_, waits);
    return wanted;
  }

  void Call(const std::string& method, const std::string& target, const std::string& body = "") {
    const Reply reply = Ask(method, target, body);
    const Response* response = std::get_if<Response>(&reply);
    ASSERT_NE(response, nullptr) << "a watch";
    const std::string wanted = TakeWaits(wanted_.empty() && method == "POST" ? "201" : wanted_);
    CheckAnswer(*response, wanted, &kept_);
    if (!as_.empty()) kept_.Keep(as_, response->BodyText());
  }

  void Create() {
    const Place place(Word(0));
    ordered_json object = {{"metadata", {{"name", place.name}}}};
    if (place.plural == "pods") {
      object["spec"]["containers"] = {{{"name", "c"}, {"image", "i"}}};
    }
    object.merge_patch(Attributes({words_.begin() + 1, words_.end()}));
    if (place.name.empty()) object["metadata"] = {{"generateName", "g-"}};
    Call("POST", place.Collection(), object.dump());
  }

  // What a scheduler's binding does, for which the server has no request.
  void Bind() {
    const ResourceType& pods = *FindResource("", "v1", "pods");
    const Place place(Word(0));
    const StoredRef old = server_->store().Find(pods, {place.ns, place.name});
    ASSERT_NE(old, nullptr);
    ordered_json value = ToValue(pods, *old);
    value["spec"]["nodeName"] = Word(1);
    server_->SetTime(now_);
    const StoredRef bound =
        server_->store().Replace(pods, {place.ns, place.name}, std::move(value));
    if (!as_.empty()) kept_.Keep(as_, ToValue(pods, *bound).dump());
  }

  void Put() {
    const Place place(Word(0));
    ordered_json object = ordered_json::parse(kept_.At(Word(1)).text);
    object.merge_patch(Attributes({words_.begin() + 2, words_.end()}));
    Call("PUT", place.Path(), object.dump());
  }

  void Patch(const std::string& path, const ordered_json& patch) {
    headers_[0].second = "application/merge-patch+json";
    Call("PATCH", path, patch.dump());
  }

  void Delete() {
    const Place place(Word(0));
    ordered_json options = {{"gracePeriodSeconds", 0}};
    for (const std::string& word : words_) {
      if (word.starts_with("uid=")) options["preconditions"]["uid"] = word.substr(4);
      if (word.starts_with("rv=")) options["preconditions"]["resourceVersion"] = word.substr(3);
    }
    Call("DELETE", place.Path(), options.dump());
  }

  static std::string Target(const std::string& word) {
    const size_t question = word.find('?');
    const Place place(word.substr(0, question));
    const std::string query = question == std::string::npos ? "" : word.substr(question);
    return (place.name.empty() ? place.Collection() : place.Path()) + query;
  }

  bool DoRequest() {
    if (verb_ == "namespaces") {
      for (const std::string& name : words_) {
        const std::string body = fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name);
        Call("POST", "/api/v1/namespaces", body);
      }
    } else if (verb_ == "bump") {  // the clock moves, no pod does
      const std::string body = fmt::format(R"({{"metadata":{{"name":"bump-{}"}}}})", ++bumps_);
      Call("POST", "/api/v1/nodes", body);
    } else if (verb_ == "create") {
      Create();
    } else if (verb_ == "bind") {
      Bind();
    } else if (verb_ == "put") {
      Put();
    } else if (verb_ == "set") {
      Patch(Place(Word(0)).Path(), Attributes({words_.begin() + 1, words_.end()}));
    } else if (verb_ == "phase") {
      Patch(Place(Word(0)).Path() + "/status", {{"status", {{"phase", Word(1)}}}});
    } else if (verb_ == "delete") {
      Delete();
    } else if (verb_ == "get" || verb_ == "list") {
      Call("GET", Target(Word(0)));
    } else if (verb_ == "call") {
      Call(Word(0), Word(1), words_.size() > 2 ? Word(2) : "");
    } else {
      return false;
    }
    return true;
  }

  // A streaming list of what the cache has yet to hear of is not answered at once: it is asked for
  // again when somebody looks.
  struct Opening {
    Request request;
    TimePoint received;
  };

  void Open(const std::string& name, const Opening& opening) {
    Reply reply = server_->Handle(opening.request, opening.received, now_);
    if (std::holds_alternative<Wait>(reply)) {
      openings_[name] = opening;
      return;
    }
    openings_.erase(name);
    if (const Response* refusal = std::get_if<Response>(&reply)) {
      return CheckAnswer(*refusal, wanted_, &kept_);
    }
    EXPECT_EQ(wanted_, "") << "a watch was opened";
    watches_[name] = std::move(std::get<std::unique_ptr<WatchSession>>(reply));
  }

  void Expect() {
    const std::string& name = Word(0);
    if (const auto opening = openings_.find(name); opening != openings_.end()) {
      const Opening again = opening->second;
      Open(name, again);
      if (openings_.contains(name)) {
        EXPECT_EQ(words_.size(), 1u) << "it was not answered yet";
        return;
      }
    }
    const auto watch = watches_.find(name);
    ASSERT_NE(watch, watches_.end()) << "no watch " << name;
    CheckWatch(*watch->second, now_, {words_.begin() + 1, words_.end()}, kept_);
  }

  bool DoWatch() {
    if (verb_ == "watch") {
      const std::string target = Target(Word(1));
      const char* join = target.find('?') == std::string::npos ? "?" : "&";
      Open(Word(0), {{"GET", target + join + "watch=1", headers_, ""}, now_});
    } else if (verb_ == "expect") {
      Expect();
    } else if (verb_ == "stop") {
      watches_.erase(Word(0));
    } else if (verb_ == "open") {  // how many watches are open
      const ordered_json state = ordered_json::parse(server_->StateJson(now_));
      int open = 0;
      for (const ordered_json& cache : state.at("replicas").at(0).at("caches")) {
        open += cache.at("watches").get<int>();
      }
      EXPECT_EQ(std::to_string(open), Word(0));
    } else {
      return false;
    }
    return true;
  }

  bool DoControl() {
    if (verb_ == "wait") {
      AdvanceTo(now_ + DurationIn(Word(0)));
    } else if (verb_ == "compact") {
      server_->Compact(now_, std::stoull(Word(0)), words_.back() == "learned");
    } else if (verb_ == "restart") {
      server_->Restart(now_, {}, words_.empty() ? Duration{} : DurationIn(Word(0)));
    } else if (verb_ == "evict") {
      server_->Evict(now_);
    } else if (verb_ == "bookmark") {
      server_->Bookmark(now_);
    } else if (verb_ == "lag") {
      server_->SetLag(now_, DurationIn(Word(0)));
    } else if (verb_ == "pause") {
      server_->Pause(now_);
    } else if (verb_ == "resume") {
      server_->Resume(now_);
    } else {
      return false;
    }
    return true;
  }

  ApiServerOptions options_{.compaction_period = {}, .system_namespaces = false};
  std::unique_ptr<ApiServer> server_;
  TimePoint now_ = kSimulationEpoch + Seconds(1);
  Kept kept_;
  std::map<std::string, std::unique_ptr<WatchSession>> watches_;
  std::map<std::string, Opening> openings_;
  int bumps_ = 0;
  Duration waited_{};
  // Of the step at hand.
  std::string verb_, wanted_, as_;
  std::vector<std::string> words_;
  HeaderList headers_;
};

}  // namespace case_runner_test

void RunCase(const Case& one) {
  case_runner_test::Run run;
  for (const CaseStep& step : one.steps) {
    SCOPED_TRACE(step.where + ": " + step.text);
    run.Do(step.text);
    if (testing::Test::HasFailure()) return;
  }
}

namespace case_runner_test {

class Conformance : public testing::TestWithParam<Case> {};

TEST_P(Conformance, IsAsTheRealServersOwnTestsSay) {
  RunCase(GetParam());
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Conformance, testing::ValuesIn(LoadCases()), NameOf);

}  // namespace case_runner_test
}  // namespace relist::fakeapi
