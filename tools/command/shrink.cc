#include <fmt/format.h>

#include <string>

#include "scenarios/shrink.h"
#include "tools/command/commands.h"
#include "tools/command/output.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

std::string TellOf(const Shrunk& small) {
  return fmt::format("relist: {} still, with {} of {} keys and values, after {} runs{}\n",
                     small.failure, small.size, small.size_before, small.runs,
                     small.complete ? ": nothing more can go" : ": more may go, with more --runs");
}

}  // namespace

int Shrink(const ShrinkOptions& options) {
  if (!options.out.empty()) {
    const Result<void> writable = CheckWritable(options.out);
    if (!writable.ok()) return Fail(writable.error());
  }
  const Result<std::string> text = ReadTextFile(options.file);
  if (!text.ok()) return Fail(text.error());
  relist::ShrinkOptions how;
  how.seed = options.seed;
  how.runs_max = static_cast<int>(options.runs);
  const Result<Shrunk> small = ShrinkScenario(*text, options.file, how);
  if (!small.ok()) {
    SayError(small.error().message() + "\n");
    return kUsage;
  }
  SayError(TellOf(*small));
  const Result<void> said =
      options.out.empty() ? Say(small->text) : WriteTextFile(options.out, small->text);
  return said.ok() ? kGood : Fail(said.error());
}

}  // namespace relist::command
