// The examples of README.md, as a user's tests: a fake apiserver in ten lines, with a port and
// without any socket.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fakeapi/api_server.h"
#include "fakeapi/front/http_server.h"
#include "fakeapi/object_loader.h"

namespace {

// What a user would test: it asks an apiserver for configmaps, and counts them; -1 where there is
// no answer.
int CountRows(const std::string& json) {
  int rows = 0;
  for (size_t at = json.find("\"name\":"); at != std::string::npos; ++rows) {
    at = json.find("\"name\":", at + 1);
  }
  return rows;
}

class Dashboard {
 public:
  explicit Dashboard(const std::string& url)
      : port_(std::atoi(url.c_str() + url.find_last_of(':') + 1)) {}

  int Rows() const {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::string request =
        "GET /api/v1/configmaps HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    std::string answer;
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
        write(fd, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
      char bytes[4096];
      for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;) {
        answer.append(bytes, static_cast<size_t>(n));
      }
    }
    close(fd);
    return answer.find(" 200 OK") == std::string::npos ? -1 : CountRows(answer);
  }

 private:
  int port_;
};

constexpr const char* kOneConfigMap = R"({"kind": "ConfigMap", "apiVersion": "v1",
    "metadata": {"name": "a", "namespace": "default"}, "data": {"colour": "red"}})";

TEST(Dashboard, ShowsWhatThereIs) {
  relist::fakeapi::ApiServer server({.controllers = relist::fakeapi::kAllControllers});
  relist::fakeapi::HttpServer front(server, {});
  const relist::Result<int> port = front.Start();  // a free one, on loopback
  ASSERT_TRUE(port.ok()) << port.error().message();
  front.Run([&] { ASSERT_TRUE(server.LoadObjects(kOneConfigMap, front.Now()).ok()); });
  Dashboard dashboard("http://127.0.0.1:" + std::to_string(*port));
  EXPECT_EQ(dashboard.Rows(), 1);
}

TEST(Dashboard, NeedsNoSocket) {
  const relist::TimePoint now = relist::kSimulationEpoch;  // time is an argument
  relist::fakeapi::ApiServer server({});
  ASSERT_TRUE(server.LoadObjects(kOneConfigMap, now).ok());
  const relist::fakeapi::Reply reply =
      server.Handle({"GET", "/api/v1/configmaps", {}, ""}, now, now);
  EXPECT_EQ(CountRows(std::get<relist::fakeapi::Response>(reply).BodyText()), 1);
}

}  // namespace
