// What the command says, on standard output and standard error.
//
//   HoldStandardStreams();                 // in main, first
//   const Result<void> said = Say(line);   // an Error where nobody can read it: leave
//   if (!said.ok()) return Fail(said.error());
//                                          // "relist: cannot write standard output: Broken pipe"
//
// Unbuffered: what was said is out, whoever ends the process. Any thread; each call is whole only
// as far as the system's write() is.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace relist::command {

// Of the three, a stream that is closed is opened so that using it fails: else a socket or a file
// would get its number, and the lines meant for it. And a reader that goes away is an Error.
void HoldStandardStreams();

Result<void> Say(std::string_view text);
// What Say answers for this errno.
Error CannotSay(int problem);
// As it is, to standard error. Where even that cannot be written, nobody is left to be told.
void SayError(std::string_view text);
// "relist: MESSAGE" and a newline.
std::string ComplaintLine(std::string_view message);
// It, likewise.
void Complain(std::string_view message);
// The same; the exit status that goes with it.
int Fail(const Error& error);

}  // namespace relist::command
