#include "tools/command/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

namespace relist::command {
namespace {

Error FileError(const std::string& what, const std::string& path) {
  return Error::Net(Transport::kOther,
                    fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

// What may be read: dumps of large clusters, but not a device that never ends.
constexpr size_t kTextBytesMax = size_t{256} << 20;

// As many as the system follows.
constexpr int kLinksMax = 40;

// Where a text goes, and under which name it is written until it is whole.
class Destination {
 public:
  Destination(const std::string& path, bool only_owner) : path_(path), only_owner_(only_owner) {
    struct stat facts{};
    exists_ = stat(path.c_str(), &facts) == 0;
    regular_ = !exists_ || S_ISREG(facts.st_mode);
    mode_ = facts.st_mode & 0777;
    Resolve();
    temporary_ = fmt::format("{}.{}.tmp", path_, getpid());
  }

  // The descriptor to write to; -1 and errno.
  int Open() {
    if (!regular_) return open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const mode_t mode = only_owner_ ? 0600 : 0666;
    int file = open(temporary_.c_str(), flags, mode);
    if (file < 0 && errno == EEXIST && unlink(temporary_.c_str()) == 0) {
      file = open(temporary_.c_str(), flags, mode);  // a killed process of our number left it
    }
    if (file >= 0 && exists_ && !only_owner_) fchmod(file, mode_);
    // A file of ours in somebody else's folder: in its place, then.
    beside_ = file >= 0 || only_owner_ || !exists_;
    return beside_ ? file : open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  // 0, or -1 and errno.
  int Start(int file) const { return regular_ && !beside_ ? ftruncate(file, 0) : 0; }
  int Keep() const { return regular_ && beside_ ? rename(temporary_.c_str(), path_.c_str()) : 0; }
  void Drop() const {
    if (regular_ && beside_) unlink(temporary_.c_str());
  }

 private:
  // A link stays, and what it points to is written; but not where others could have put it.
  void Resolve() {
    if (!exists_ || !regular_ || only_owner_) return;
    if (char* real = realpath(path_.c_str(), nullptr)) {
      path_ = real;
      free(real);
    }
  }

  std::string path_, temporary_;
  bool only_owner_, exists_, regular_;
  bool beside_ = true;
  mode_t mode_;
};

// Which file a path means: device, inode and, where none is there yet, its name in that folder.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;
  bool operator==(const FileIdentity&) const = default;
};

// Where a link leads that nothing is at the end of yet: what is written there will be.
std::filesystem::path EndOfLinks(std::filesystem::path path) {
  std::error_code problem;
  for (int i = 0; i < kLinksMax && std::filesystem::is_symlink(path, problem); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, problem);
    if (problem) break;
    path = path.parent_path() / next;  // an absolute one stands alone
  }
  return path;
}

std::optional<FileIdentity> IdentityOf(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) == 0) return FileIdentity{facts.st_dev, facts.st_ino, ""};
  const std::filesystem::path parts = EndOfLinks(path);
  const std::string folder = parts.has_parent_path() ? parts.parent_path().string() : ".";
  if (stat(folder.c_str(), &facts) != 0) return std::nullopt;
  return FileIdentity{facts.st_dev, facts.st_ino, parts.filename().string()};
}

bool WriteAll(int file, const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(file, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    written += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

Result<std::string> ReadTextFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return FileError("read", path);
  std::string text;
  std::array<char, 65536> buffer;
  ssize_t got;
  while ((got = read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<size_t>(got));
    if (text.size() <= kTextBytesMax) continue;
    close(file);
    return Error::Net(Transport::kOther,
                      fmt::format("{}: more than {} MiB are not read", path, kTextBytesMax >> 20));
  }
  const Error error = FileError("read", path);  // a folder opens, and fails here
  close(file);
  if (got < 0) return error;
  return text;
}

Result<void> WriteTextFile(const std::string& path, const std::string& text, bool only_owner) {
  Destination destination(path, only_owner);
  const int file = destination.Open();
  if (file < 0) return FileError("write", path);
  bool good = destination.Start(file) == 0 && WriteAll(file, text);
  Error error = FileError("write", path);
  if (close(file) != 0 && good) {
    good = false;
    error = FileError("write", path);
  }
  if (good && destination.Keep() == 0) return {};
  if (good) error = FileError("write", path);
  destination.Drop();
  return error;
}

bool IsSameFile(const std::string& a, const std::string& b) {
  const std::optional<FileIdentity> first = IdentityOf(a), second = IdentityOf(b);
  return first && second && *first == *second;
}

Result<void> CheckWritable(const std::string& path) {
  Destination destination(path, /*only_owner=*/false);
  const int file = destination.Open();
  if (file < 0) return FileError("write", path);
  close(file);
  destination.Drop();
  return {};
}

}  // namespace relist::command
