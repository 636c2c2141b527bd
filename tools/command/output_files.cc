#include "tools/command/output_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "tools/command/text_file.h"

namespace relist::command {
namespace {

bool IsDevice(const std::string& path) {
  struct stat facts{};
  return stat(path.c_str(), &facts) == 0 && S_ISCHR(facts.st_mode);
}

bool WouldClash(const NamedFile& output, const NamedFile& other) {
  return !output.path.empty() && !other.path.empty() && !IsDevice(output.path) &&
         IsSameFile(output.path, other.path);
}

Error Clash(const std::string& message) {
  return Error::Net(Transport::kOther, message);
}

}  // namespace

Result<void> CheckOutputFiles(const std::vector<NamedFile>& outputs,
                              const std::vector<NamedFile>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    for (const NamedFile& input : inputs) {
      if (!WouldClash(output, input)) continue;
      return Clash(fmt::format("{} {}: this is the file of {}, which it would empty: name another",
                               output.option, output.path, input.option));
    }
    for (size_t j = 0; j < i; ++j) {
      if (!WouldClash(output, outputs[j])) continue;
      return Clash(fmt::format("{} {}: this is the file of {}, too: name another", output.option,
                               output.path, outputs[j].option));
    }
  }
  return {};
}

}  // namespace relist::command
