// What can be done to a server and asked of it, as data that RapidCheck draws and shrinks.
//
//   const std::vector<Command> commands = *AnyCommands();
//   Describe(commands[0]);     // "LIST replica 1 resourceVersion=7 limit=2"
//
// A command names nothing: its numbers are taken modulo what there is when it runs, so that any
// part of a sequence is a sequence. 0 is the boring choice everywhere.
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace relist::search {

struct Command {
  enum class Kind {
    kCreate,
    kUpdate,  // labels, data, or neither (which is no write)
    kBurst,   // many updates of one object, at once
    kDelete,
    kElsewhere,  // something of another kind is written
    kList,
    kNextPage,  // with a continue token that an earlier list gave
    kGet,
    kWatch,
    kRead,   // a watch whose client did not read
    kClose,  // one of the open watches
    kPass,   // time
    kCompact,
    kEvict,
    kRestart,
    kPause,
    kResume,
    kLag,
    kBookmark,
  };
  static constexpr int kKinds = 19;
  Kind kind = Kind::kCreate;
  int which = 0;     // object, token, watch; of what is done to replicas: one, or all
  int replica = 0;   // that is asked
  int version = 0;   // resourceVersion, or how far back one is
  int selector = 0;  // namespace, labels, name
  int detail = 0;    // limit, match, bookmarks ...
};

// The commands that matter most come most often.
rc::Gen<std::vector<Command>> AnyCommands();

std::string Describe(const Command& command);
void showValue(const Command& command, std::ostream& out);

}  // namespace relist::search
