#include "fakeapi/kubeconfig_writer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace relist::fakeapi {
namespace {

std::string Base64(const std::string& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    uint32_t group = static_cast<unsigned char>(bytes[i]) << 16;
    if (left > 1) group |= static_cast<unsigned char>(bytes[i + 1]) << 8;
    if (left > 2) group |= static_cast<unsigned char>(bytes[i + 2]);
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += left > 1 ? kDigits[group >> 6 & 63] : '=';
    out += left > 2 ? kDigits[group & 63] : '=';
  }
  return out;
}

// A YAML string in double quotes.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

Error Failed(const std::string& path) {
  return Error::Net(Transport::kOther,
                    fmt::format("{} can't be written: {}", path, std::strerror(errno)));
}

bool WriteAll(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0) return false;
    at += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

std::string KubeconfigText(const KubeconfigContents& contents) {
  std::string out =
      "apiVersion: v1\nkind: Config\nclusters:\n- name: relist\n  cluster:\n    server: " +
      Quoted(contents.server) + "\n";
  if (!contents.ca_pem.empty()) {
    out += "    certificate-authority-data: " + Base64(contents.ca_pem) + "\n";
  }
  out += "users:\n- name: relist\n  user:";
  out += contents.token.empty() ? " {}\n" : "\n    token: " + Quoted(contents.token) + "\n";
  return out +
         "contexts:\n- name: relist\n  context:\n    cluster: relist\n    user: relist\n"
         "current-context: relist\n";
}

Result<void> WriteKubeconfig(const std::string& path, const std::string& text) {
  // A new file, then a rename: never half there, and nobody's link in a shared folder is followed.
  // mkstemp makes it 0600.
  std::string temporary = path + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0) return Failed(path);
  const bool written = WriteAll(fd, text);
  if (close(fd) == 0 && written && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const Error error = Failed(path);
  unlink(temporary.c_str());
  return error;
}

}  // namespace relist::fakeapi
