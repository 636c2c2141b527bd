// A folder for a test's files; gone with it.
//
//   TemporaryFolder folder;
//   const std::string path = folder.Write("token", "abc\n");
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/check.h"

namespace relist::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "relist-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()), "mkdtemp");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Makes or replaces a file; its path.
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }
  // The same, for a program.
  std::string WriteProgram(const std::string& name, const std::string& text) {
    const std::string path = Write(name, text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  void Remove(const std::string& name) { std::filesystem::remove(path_ + "/" + name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace relist::testing
