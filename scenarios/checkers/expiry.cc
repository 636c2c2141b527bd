// C9: what expired is not resumed.
#include <fmt/core.h>

#include <optional>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/expiry_loop.h"

namespace relist {
namespace {

// client-go lists again after one watch that ended at once; a little patience is legal (W19), a
// loop is not.
constexpr int kEmptyClosesMax = 3;
constexpr Duration kAtOnce = Seconds(1);

bool EndedAtOnce(const ClientRequest& request) {
  const ServerRequest* server = request.server;
  if (!server || !server->open || !server->end || !server->events.empty()) return false;
  return server->end->when() - server->open->when() < kAtOnce;
}

class ExpiryChecker {
 public:
  ExpiryChecker(const ClientView& client, std::vector<Violation>* out)
      : client_(client), out_(*out) {}

  void All() {
    for (const ClientRequest& request : client_.requests) {
      if (request.list || request.streaming_list) {
        if (IsGoodList(request)) Forget();
        continue;
      }
      if (request.watch) Watch(request);
    }
    const std::optional<ExpiryLoop> loop = FindExpiryLoop(client_);
    if (!loop) return;
    Add(fmt::format("{} was told {} times that {} is gone, and was led back to it by each list",
                    client_.name, loop->rounds, loop->version),
        {loop->last});
    out_.back().kind = Violation::Kind::kLiveness;
    out_.back().excuse = kFaithfulExpiryLoop;
  }

 private:
  void Forget() {
    expired_ = nullptr;
    empty_closes_ = 0;
    watched_before_ = nullptr;
  }

  void Watch(const ClientRequest& request) {
    if (expired_ && request.rv == dead_version_) {
      Add(fmt::format("{} resumes {} without a list in between", client_.name, request.rv),
          {expired_, request.entry});
    }
    const bool same = watched_before_ && watched_before_->rv == request.rv;
    if (!same) empty_closes_ = 0;
    if (EndedAtOnce(request) && ++empty_closes_ > kEmptyClosesMax) {
      Add(fmt::format(
              "{} came back to {} after {} watches that ended at once, empty, without a list",
              client_.name, request.rv, empty_closes_ - 1),
          {watched_before_->entry, request.entry});
    }
    watched_before_ = &request;
    expired_ = nullptr;
    if (const HistoryEntry* line = ExpiredBy(request)) {
      expired_ = line;
      dead_version_ = request.rv;
    }
  }

  void Add(const std::string& sentence, std::vector<const HistoryEntry*> lines) {
    out_.push_back({Violation::Kind::kSafety, "C9",
                    "a version that expired is not resumed, but " + sentence, std::move(lines),
                    ""});
  }

  const ClientView& client_;
  std::vector<Violation>& out_;
  const HistoryEntry* expired_ = nullptr;
  std::string_view dead_version_;
  int empty_closes_ = 0;
  const ClientRequest* watched_before_ = nullptr;
};

}  // namespace

std::vector<Violation> CheckExpiry(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) ExpiryChecker(client, &out).All();
  return out;
}

}  // namespace relist
