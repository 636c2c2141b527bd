// The lines of "expect", judged as they are read: what can never match anything is a mistake of the
// file, not of the client. expectations.h has the language.
//
//   KnownNames names;
//   FlawInRequestLine("LIST limit=500&resourceVersion=0 -> 200", &names);   // nothing
//   FlawInCallbackLine("modyfied default/a {L}", &names);   // "\"modyfied\" is no callback ..."
//
// Each gives what is wrong and what would be right, or nothing. Names that a line binds are known
// to those that are judged after it.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace relist {

using KnownNames = std::set<std::string>;

std::optional<std::string> FlawInRequestLine(const std::string& line, KnownNames* names);
std::optional<std::string> FlawInCallbackLine(const std::string& line, KnownNames* names);
std::optional<std::string> FlawInStoreLine(const std::string& line, KnownNames* names);
// "ADDED default/a {L}", "BOOKMARK {L+1} end", "ERROR 410": a line of a watch, as it was sent.
std::optional<std::string> FlawInSentLine(const std::string& line, KnownNames* names);
// The object that such a line names; "" where a pattern may stand for more than one.
std::string ObjectInCallbackLine(const std::string& line);
std::string ObjectInStoreLine(const std::string& line);
// "C5", "faithful: WCH-06": what a checker can say.
std::optional<std::string> FlawInVerdict(const std::string& verdict);

}  // namespace relist
