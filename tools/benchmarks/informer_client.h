// An informer of ours as a process of its own, to be measured from outside; client_go/main.go is
// the same with client-go.
//
//   relist_benchmarks --informer raw|typed list|stream --server http://127.0.0.1:PORT
//
// It prints "synced N" when its handler has seen the N objects of the initial list, and then, for
// each line of its standard input, "count N" as soon as the handler was called as often as the line
// says, all calls counted.
#pragma once

#include <string>
#include <vector>

namespace relist::benchmarks {

// The words after --informer; the process's exit status.
int RunInformer(const std::vector<std::string>& words);

}  // namespace relist::benchmarks
