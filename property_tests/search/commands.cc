#include "property_tests/search/commands.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace relist::search {
namespace {

using Kind = Command::Kind;

constexpr std::array<const char*, Command::kKinds> kCommandNames = {
    "create",  "update", "burst",  "delete", "elsewhere", "list",    "next page",
    "get",     "watch",  "read",   "close",  "pass",      "compact", "evict",
    "restart", "pause",  "resume", "lag",    "bookmark"};

rc::Gen<Kind> AnyKind() {
  using rc::gen::just;
  return rc::gen::weightedElement<Kind>({{10, Kind::kCreate},
                                         {18, Kind::kUpdate},
                                         {4, Kind::kBurst},
                                         {5, Kind::kDelete},
                                         {3, Kind::kElsewhere},
                                         {18, Kind::kList},
                                         {9, Kind::kNextPage},
                                         {12, Kind::kGet},
                                         {14, Kind::kWatch},
                                         {8, Kind::kRead},
                                         {2, Kind::kClose},
                                         {6, Kind::kPass},
                                         {3, Kind::kCompact},
                                         {3, Kind::kEvict},
                                         {5, Kind::kRestart},
                                         {3, Kind::kPause},
                                         {4, Kind::kResume},
                                         {3, Kind::kLag},
                                         {2, Kind::kBookmark}});
}

}  // namespace

rc::Gen<std::vector<Command>> AnyCommands() {
  const auto number = [](int end) { return rc::gen::inRange(0, end); };
  return rc::gen::container<std::vector<Command>>(rc::gen::build<Command>(
      rc::gen::set(&Command::kind, AnyKind()), rc::gen::set(&Command::which, number(16)),
      rc::gen::set(&Command::replica, number(4)), rc::gen::set(&Command::version, number(46)),
      rc::gen::set(&Command::selector, number(36)), rc::gen::set(&Command::detail, number(48))));
}

std::string Describe(const Command& command) {
  return fmt::format("{} which={} replica={} version={} selector={} detail={}",
                     kCommandNames[static_cast<size_t>(command.kind)], command.which,
                     command.replica, command.version, command.selector, command.detail);
}

void showValue(const Command& command, std::ostream& out) {
  out << Describe(command);
}

}  // namespace relist::search
