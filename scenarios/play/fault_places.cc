#include "scenarios/play/fault_places.h"

namespace relist {
namespace {

using fakeapi::FaultPlace;
using fakeapi::FaultPoint;

bool VerbMatches(PlaceSpec::Verb verb, const FaultPlace& place) {
  using Of = FaultPlace::Verb;
  switch (verb) {
    case PlaceSpec::Verb::kAny:
      return place.is_list || place.is_watch;
    case PlaceSpec::Verb::kList:
      return place.is_list;
    case PlaceSpec::Verb::kWatch:
      return place.is_watch && !place.is_streaming_list;
    case PlaceSpec::Verb::kStreamingList:
      return place.is_streaming_list;
    case PlaceSpec::Verb::kGet:
      return place.verb == Of::kGet;
    case PlaceSpec::Verb::kCreate:
      return place.verb == Of::kCreate;
    case PlaceSpec::Verb::kUpdate:
      return place.verb == Of::kUpdate;
    case PlaceSpec::Verb::kPatch:
      return place.verb == Of::kPatch;
    case PlaceSpec::Verb::kDelete:
      return place.verb == Of::kDelete;
    case PlaceSpec::Verb::kWrite:
      return place.verb >= Of::kCreate;
  }
  return false;
}

// Where a fault strikes: an end as it should be needs an open stream, what is done to an answer the
// answer; all else counts its bytes from the first one, which is known when the request is read.
FaultPoint PointOf(const FaultSpec& fault, const FaultPlace& place) {
  if (fault.sent) return FaultPoint::kAfterEvent;
  if (fault.is_at_line()) return FaultPoint::kBeforeEvent;
  switch (fault.kind) {
    case FaultSpec::Kind::kError:
    case FaultSpec::Kind::kClose:
      return FaultPoint::kWatchOpened;
    case FaultSpec::Kind::kLost:
      return FaultPoint::kBeforeAnswer;
    case FaultSpec::Kind::kChunks:
    case FaultSpec::Kind::kLineEnds:
    case FaultSpec::Kind::kGzip:
      return place.is_watch ? FaultPoint::kWatchOpened : FaultPoint::kBeforeAnswer;
    default:
      return FaultPoint::kRequestRead;
  }
}

bool IsOfSort(FaultSpec::LineSort sort, const fakeapi::WatchLine& line) {
  using enum FaultSpec::LineSort;
  switch (sort) {
    case kInitialEnd:
      return line.initial_events_end;
    case kBookmark:
      return line.type == EventType::kBookmark && !line.initial_events_end;
    case kAdded:
      return line.type == EventType::kAdded;
    case kModified:
      return line.type == EventType::kModified;
    case kDeleted:
      return line.type == EventType::kDeleted;
  }
  return false;
}

}  // namespace

bool Matches(const PlaceSpec& spec, const FaultPlace& place, int page) {
  if (!VerbMatches(spec.verb, place)) return false;
  if (spec.page > 0 && spec.page != page) return false;
  if (spec.version && *spec.version != place.resource_version) return false;
  if (spec.continued && !place.is_continue) return false;
  if (!spec.resource.empty() && spec.resource != place.resource) return false;
  return spec.client.empty() ||
         (place.request && place.request->Header("User-Agent") == spec.client);
}

bool StrikesHere(const FaultSpec& fault, const FaultPlace& place) {
  if (place.point != PointOf(fault, place)) return false;
  if (fault.events) return place.nth_event == *fault.events;
  if (fault.sent) return place.nth_event == *fault.sent;
  return !fault.lines || IsOfSort(*fault.lines, *place.line);
}

// The request has no later place where another fault could strike.
bool EndsRequest(FaultSpec::Kind kind) {
  using enum FaultSpec::Kind;
  return kind == kStatus || kind == kError || kind == kClose || kind == kCutFin ||
         kind == kCutReset || kind == kStall || kind == kLost;
}

}  // namespace relist
