// The same work for a real kube-apiserver with its etcd and for ours, over TLS and plain, in turns
// on one machine: what differs from minute to minute differs for all of them.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/check.h"
#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

constexpr int kRounds = 3;
constexpr int kSmall = 10000, kAll = 100000;
constexpr int kWatchers = 300;
constexpr double kPhase = 1;  // CPU seconds at least
constexpr char kEverywhere[] = "/api/v1/configmaps";

std::string CollectionOf(const std::string& ns) {
  return "/api/v1/namespaces/" + ns + "/configmaps";
}

enum Which { kReal, kTls, kPlain, kWhich };
constexpr std::array<const char*, kWhich> kNames = {"real", "TLS", "plain"};
struct Threshold {
  double tls, plain;  // times the real one's
};

struct Subject {
  std::unique_ptr<ServerProcess> server;
  double Megabytes() const { return server->ResidentMegabytes(); }
  const ServerAddress& address() const { return server->address(); }
};
using Subjects = std::array<Subject, kWhich>;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void AddRatios(Figures& figures, const std::string& what, const std::string& unit,
               const std::array<double, kWhich>& values, const std::array<double, kWhich>& times,
               Threshold least) {
  for (size_t i = 0; i < kWhich; ++i) {
    figures.Add({what + ", " + kNames[i], values[i], unit, {}});
  }
  figures.Add({what + ": times the real one's, TLS", times[kTls], "", {.least = least.tls}});
  figures.Add({what + ": times the real one's, plain", times[kPlain], "", {.least = least.plain}});
}

// What each did a CPU second, the median of the rounds. `work` returns how much it did.
void AddRates(Figures& figures, const Subjects& subjects, const std::string& what,
              const std::string& unit, Threshold least,
              const std::function<double(const Subject&)>& work) {
  std::array<std::vector<double>, kWhich> rates;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < kWhich; ++i) {
      const ServerProcess& server = *subjects[i].server;
      work(subjects[i]);  // what is done for the first time is done
      double done = 0;
      const double start = server.CpuSeconds();
      while (server.CpuSeconds() - start < kPhase) done += work(subjects[i]);
      rates[i].push_back(done / (server.CpuSeconds() - start));
    }
  }
  std::array<double, kWhich> values{}, times{};
  for (size_t i = 0; i < kWhich; ++i) values[i] = Median(rates[i]);
  for (size_t i = 0; i < kWhich; ++i) times[i] = values[i] / values[kReal];
  AddRatios(figures, what, unit, values, times, least);
}

// The real one keeps no history; nor do ours. It asks for a token: so does ours over TLS.
Subjects StartAll(const std::string& serve) {
  const std::vector<std::string> plain = {"--history", "none"};
  const std::vector<std::string> tls = {"--history", "none", "--tls", "--token", "secret"};
  Subjects subjects;
  subjects[kReal].server = ServerProcess::Real(serve);
  subjects[kTls].server = std::make_unique<ServerProcess>(tls);
  subjects[kPlain].server = std::make_unique<ServerProcess>(plain);
  return subjects;
}

void AddReady(Figures& figures, const std::string& serve) {
  std::array<std::vector<double>, kWhich> seconds;
  for (int round = 0; round < kRounds; ++round) {
    const Subjects subjects = StartAll(serve);
    for (size_t i = 0; i < kWhich; ++i) {
      seconds[i].push_back(subjects[i].server->ReadySeconds() * 1000);
    }
  }
  std::array<double, kWhich> values{}, times{};
  for (size_t i = 0; i < kWhich; ++i) values[i] = Median(seconds[i]);
  for (size_t i = 0; i < kWhich; ++i) times[i] = values[kReal] / values[i];
  AddRatios(figures, "ready after start", "ms", values, times, {100, 100});
}

void MakeNamespace(const Subject& subject, const std::string& name) {
  PlainConnection connection(subject.address());
  const std::string body = R"({"metadata":{"name":")" + name + "\"}}";
  connection.Exchange(PostRequest(subject.address(), "/api/v1/namespaces", body));
}

void AddLists(Figures& figures, const Subjects& subjects) {
  for (const Subject& subject : subjects) {
    MakeNamespace(subject, "small");
    CreateConfigMaps(subject.address(), {.collection = CollectionOf("small"), .count = kSmall});
  }
  AddRates(figures, subjects, "list of 10,000", "objects/CPU s", {6, 10}, [](const Subject& one) {
    PlainConnection connection(one.address());
    connection.Exchange(GetRequest(one.address(), CollectionOf("small") + "?resourceVersion=0"));
    CHECK(connection.answer().size() > size_t{kSmall} * 900, "a short list");
    return kSmall;
  });
}

void AddFanOut(Figures& figures, const Subjects& subjects) {
  for (const Subject& subject : subjects) MakeNamespace(subject, "watched");
  std::array<std::unique_ptr<WatchCrowd>, kWhich> crowds;
  for (size_t i = 0; i < kWhich; ++i) {
    crowds[i] = std::make_unique<WatchCrowd>(subjects[i].address(), kWatchers,
                                             CollectionOf("watched") + "?watch=true");
  }
  int written = 0;
  const auto work = [&](const Subject& one) {
    constexpr int kBurst = 20;  // a write at a time
    CreateConfigMaps(one.address(), {.collection = CollectionOf("watched"),
                                     .first = std::exchange(written, written + kBurst),
                                     .count = kBurst,
                                     .bytes = 1300,
                                     .writers = 1});
    crowds[static_cast<size_t>(&one - subjects.data())]->ReadEvents(kBurst * kWatchers);
    return kBurst * kWatchers;
  };
  AddRates(figures, subjects, "events to 300 watchers", "events/CPU s", {3, 5}, work);
}

// All of it is one phase for each, in turns.
void AddCreates(Figures& figures, const Subjects& subjects) {
  constexpr int kTurns = 5;
  std::array<double, kWhich> values{}, times{};
  for (int turn = 0; turn < kTurns; ++turn) {
    for (size_t i = 0; i < kWhich; ++i) {
      const double start = subjects[i].server->CpuSeconds();
      CreateConfigMaps(subjects[i].address(),
                       {.first = kAll / kTurns * turn, .count = kAll / kTurns});
      times[i] += subjects[i].server->CpuSeconds() - start;
    }
  }
  for (size_t i = 0; i < kWhich; ++i) values[i] = kAll / times[i];
  for (size_t i = 0; i < kWhich; ++i) times[i] = values[i] / values[kReal];
  AddRatios(figures, "creates of 1 KB, 16 writers", "/CPU s", values, times, {12, 20});
  for (size_t i = 0; i < kWhich; ++i) values[i] = subjects[i].Megabytes();
  for (size_t i = 0; i < kWhich; ++i) times[i] = values[kReal] / values[i];
  AddRatios(figures, "memory with 100,000 of 1 KB", "MB", values, times, {6, 6});
}

void AddPages(Figures& figures, const Subjects& subjects) {
  constexpr std::string_view kToken = "\"continue\":\"";
  const auto work = [&](const Subject& one) {
    PlainConnection connection(one.address());
    std::string token;
    int pages = 0;
    do {
      connection.Exchange(GetRequest(
          one.address(),
          std::string(kEverywhere) + "?limit=500" + (token.empty() ? "" : "&continue=") + token));
      ++pages;
      const std::string& text = connection.answer();
      const size_t at = std::string_view(text).substr(0, 2000).find(kToken);
      token.clear();
      if (at == std::string::npos) break;
      const size_t begin = at + kToken.size();
      token = text.substr(begin, text.find('"', begin) - begin);
    } while (true);
    CHECK(pages >= kAll / 500, "{} pages", pages);
    return kAll;
  };
  AddRates(figures, subjects, "pages of 500 of 100,000", "objects/CPU s", {15, 25}, work);
}

}  // namespace

void MeasureBesideReal(Figures& figures, const std::string& serve) {
  AddReady(figures, serve);
  {
    const Subjects subjects = StartAll(serve);
    AddLists(figures, subjects);
    AddFanOut(figures, subjects);
  }
  const Subjects subjects = StartAll(serve);
  AddCreates(figures, subjects);
  AddPages(figures, subjects);
}

}  // namespace relist::benchmarks
