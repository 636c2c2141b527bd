#include "fakeapi/read/read_test_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_handlers.h"

namespace relist::fakeapi {

using nlohmann::ordered_json;

ReadTestWorld::ReadTestWorld(const WatchCacheOptions& options)
    : configmaps(*FindResource("", "v1", "configmaps")),
      etcd(std::make_shared<EtcdHistory>(store)),
      replica(std::make_shared<Replica>(etcd, options, kSimulationEpoch)) {
  store.AddSink(this);
}

ReadTestWorld::~ReadTestWorld() {
  replica->Close();
}

void ReadTestWorld::OnCommit(const Commit& commit) {
  etcd->Append(commit, now);
}

uint64_t ReadTestWorld::Put(const std::string& key, const std::string& value,
                            const std::map<std::string, std::string>& labels) {
  const ObjectKey at = ObjectKey::Parse(key);
  ordered_json object = {
      {"metadata", {{"name", at.name}, {"namespace", at.ns}, {"uid", "u-" + at.name}}},
      {"data", {{"n", value}}}};
  if (!labels.empty()) object["metadata"]["labels"] = labels;
  const bool is_new = store.Find(configmaps, at) == nullptr;
  return (is_new ? store.Create(configmaps, at, object) : store.Replace(configmaps, at, object))
      ->revision;
}

uint64_t ReadTestWorld::Remove(const std::string& key) {
  return store.Delete(configmaps, ObjectKey::Parse(key))->revision;
}

void ReadTestWorld::Compact(uint64_t revision, bool learned) {
  etcd->Compact(revision);
  if (learned) replica->Learn();
}

uint64_t ReadTestWorld::Elsewhere() {
  const std::string name = fmt::format("n{}", ++elsewhere_);
  return store
      .Create(*FindResource("", "v1", "nodes"), {"", name}, {{"metadata", {{"name", name}}}})
      ->revision;
}

Reply ReadTestWorld::Read(const std::string& query, const std::string& ns, bool is_watch) {
  const RequestTarget target = ParseTarget("/?" + query);
  const ReadRequest read{&configmaps, {ns, ""}, &target.query, Negotiated(), start, now};
  const Result<ReadOptions> options =
      ParseReadOptions(configmaps, target.query, is_watch && !WantsWatch(target.query));
  if (!options.ok()) {
    Response refused;
    refused.status = options.error().status.code;
    refused.body.push_back(Slice::Own(options.error().status.ToJson()));
    return refused;
  }
  if (is_watch) return HandleWatch(replica, read, *options, WatchKnobs(), choices);
  return HandleList(*replica, read, *options, Seconds(3));
}

Reply ReadTestWorld::List(const std::string& query, const std::string& ns) {
  return Read(query, ns, false);
}

std::unique_ptr<WatchSession> ReadTestWorld::Watch(const std::string& query,
                                                   const std::string& ns) {
  Reply reply = Read("watch=true&" + query, ns, true);
  auto* session = std::get_if<std::unique_ptr<WatchSession>>(&reply);
  EXPECT_NE(session, nullptr) << query << ": " << MessageOf(reply);
  return session == nullptr ? nullptr : std::move(*session);
}

TimePoint ReadTestWorld::WaitOfWatch(const std::string& query) {
  const Reply reply = Read("watch=true&" + query, "", true);
  const Wait* wait = std::get_if<Wait>(&reply);
  EXPECT_NE(wait, nullptr) << query;
  return wait == nullptr ? TimePoint() : wait->until;
}

Response ReadTestWorld::RefusedWatch(const std::string& query) {
  return std::get<Response>(Read("watch=true&" + query, "", true));
}

namespace read_test_world {

ordered_json BodyOf(const Reply& reply) {
  const Response* response = std::get_if<Response>(&reply);
  if (response == nullptr) return {};
  return ordered_json::parse(response->BodyText(), nullptr, false);
}

}  // namespace read_test_world

std::string ItemsOf(const Reply& reply) {
  std::string out;
  ordered_json body = read_test_world::BodyOf(reply);
  for (const ordered_json& item : body["items"]) {
    out +=
        fmt::format("{}{}={}", out.empty() ? "" : " ", item["metadata"]["name"].get<std::string>(),
                    item["data"]["n"].get<std::string>());
  }
  return out;
}

std::string MetaOf(const Reply& reply, const std::string& field) {
  ordered_json body = read_test_world::BodyOf(reply);
  const ordered_json& meta = body["metadata"];
  if (!meta.contains(field)) return "";
  return meta[field].is_string() ? meta[field].get<std::string>() : meta[field].dump();
}

int StatusOf(const Reply& reply) {
  const Response* response = std::get_if<Response>(&reply);
  return response == nullptr ? 0 : response->status;
}

std::string MessageOf(const Reply& reply) {
  return read_test_world::BodyOf(reply).value("message", "");
}

std::vector<std::string> Drain(WatchSession& session, TimePoint now) {
  std::vector<std::string> out;
  WatchLine line;
  while (true) {
    const WatchSession::Step step = session.Next(now, &line);
    if (step == WatchSession::Step::kIdle) return out;
    if (step == WatchSession::Step::kEnd) {
      out.push_back("end");
      return out;
    }
    std::string text;
    for (const Slice& slice : line.chunk) text += slice.bytes;
    const size_t size_end = text.find("\r\n");
    EXPECT_EQ(std::stoul(text, nullptr, 16), text.size() - size_end - 4) << text;
    const ordered_json event = ordered_json::parse(text.substr(size_end + 2));
    const std::string type = event["type"];
    const ordered_json& object = event["object"];
    if (type == "ERROR") {
      EXPECT_EQ(line.error_code, object["code"].get<int>());
      out.push_back(
          fmt::format("ERROR {} {}", line.error_code, object["message"].get<std::string>()));
      continue;
    }
    const std::string revision = object["metadata"]["resourceVersion"];
    EXPECT_EQ(revision, std::to_string(line.revision));
    EXPECT_EQ(line.initial_events_end, object["metadata"].contains("annotations"));
    if (type == "BOOKMARK") {
      out.push_back("BOOKMARK@" + revision + (line.initial_events_end ? " end" : ""));
      continue;
    }
    EXPECT_TRUE(line.key.ends_with(object["metadata"]["name"].get<std::string>()));
    out.push_back(fmt::format("{} {}={}@{}", type, object["metadata"]["name"].get<std::string>(),
                              object["data"]["n"].get<std::string>(), revision));
  }
}

}  // namespace relist::fakeapi
