// Runs a case's steps against an ApiServer of its own, request by request, in virtual time.
//
//   RunCase(ParseCases(text, "x.txt").front());   // what differs is a gtest failure
#pragma once

#include "fakeapi/conformance/case_file.h"

namespace relist::fakeapi {

void RunCase(const Case& one);

}  // namespace relist::fakeapi
