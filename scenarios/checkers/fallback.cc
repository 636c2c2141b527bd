// C12: a streaming list that does not come about is followed by a list.
#include <fmt/core.h>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/expiry_loop.h"
#include "scenarios/checkers/patience.h"

namespace relist {
namespace {

// A refusal says that it will not get better.
constexpr int kRefusalsMax = 3;
// Streams that end before their initial events do: client-go tries again for ever (WLM-08).
constexpr int kUnfinishedMax = 20;

bool IsRefused(const ClientRequest& request) {
  const std::string status = request.answer ? request.answer->Get("status") : "";
  return status == "400" || status == "422";
}

class FallbackChecker {
 public:
  FallbackChecker(const HistoryView& view, const ClientView& client, const CheckOptions& options,
                  std::vector<Violation>* out)
      : view_(view), client_(client), options_(options), out_(*out) {}

  void All() {
    for (size_t i = 0; i < client_.requests.size(); ++i) {
      const ClientRequest& request = client_.requests[i];
      if (request.list) refused_ = unfinished_ = 0;
      if (!request.streaming_list) continue;
      if (IsGoodList(request)) {
        refused_ = unfinished_ = 0;
        continue;
      }
      if (IsRefused(request) && ++refused_ == kRefusalsMax + 1) {
        Add(fmt::format("{} asked for one again after {} refusals", client_.name, kRefusalsMax),
            {request.answer}, "");
      }
      if (request.server && request.server->open) Opened(request, i);
    }
  }

 private:
  void Opened(const ClientRequest& request, size_t index) {
    const TimePoint limit = GivenUpAtTheLatest(view_, client_, request, options_);
    if (GivenUp(view_, client_, index) > limit) {
      Add(fmt::format("{} waited for the end of one for longer than {} s", client_.name,
                      FormatSeconds(limit - request.server->open->when())),
          {request.entry, request.server->open}, "");
    }
    if (!request.server->end || ++unfinished_ != kUnfinishedMax + 1) return;
    Add(fmt::format("{} began {} of them, one after another, none of which came to the end of its "
                    "initial events",
                    client_.name, unfinished_),
        {request.entry, request.server->end}, "faithful: WLM-08");
  }

  void Add(const std::string& sentence, std::vector<const HistoryEntry*> lines,
           const std::string& excuse) {
    out_.push_back(
        {Violation::Kind::kLiveness, "C12",
         "a streaming list that does not come about is followed by a list, but " + sentence,
         std::move(lines), excuse});
  }

  const HistoryView& view_;
  const ClientView& client_;
  const CheckOptions& options_;
  std::vector<Violation>& out_;
  int refused_ = 0, unfinished_ = 0;  // in a row
};

}  // namespace

std::vector<Violation> CheckFallback(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients())
    FallbackChecker(view, client, options, &out).All();
  return out;
}

}  // namespace relist
