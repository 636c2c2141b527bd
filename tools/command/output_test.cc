#include "tools/command/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace relist::command {
namespace {

// Standard output is `file` for a while.
class OutputTo {
 public:
  explicit OutputTo(int file) : kept_(dup(STDOUT_FILENO)) {
    fflush(stdout);
    if (file >= 0) {
      dup2(file, STDOUT_FILENO);
      close(file);
    } else {
      close(STDOUT_FILENO);
    }
  }
  ~OutputTo() {
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }

 private:
  int kept_;
};

std::string ErrorOfSaying() {
  const Result<void> said = Say("a line\n");
  return said.ok() ? "" : said.error().message();
}

TEST(Output, AFullDeviceIsAnError) {
  std::string error;
  {
    OutputTo full(open("/dev/full", O_WRONLY));
    error = ErrorOfSaying();
  }
  EXPECT_EQ(error, "cannot write standard output: No space left on device");
}

TEST(Output, AReaderThatWentAwayIsAnErrorAndNotTheEnd) {
  HoldStandardStreams();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  std::string error;
  {
    OutputTo nobody(ends[1]);
    error = ErrorOfSaying();
  }
  EXPECT_EQ(error, "cannot write standard output: Broken pipe");
}

TEST(Output, AClosedOneIsHeldSoThatNoFileGetsItsLines) {
  std::string error;
  int next = -1;
  {
    OutputTo closed(-1);
    HoldStandardStreams();
    next = open("/dev/null", O_WRONLY);
    error = ErrorOfSaying();
  }
  EXPECT_NE(next, STDOUT_FILENO);
  close(next);
  EXPECT_EQ(error, "cannot write standard output: Bad file descriptor");
}

TEST(Output, MoreThanAPipeHoldsComesOutWhole) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  std::string got;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    _exit(Say(std::string(300000, 'x')).ok() ? 0 : 1);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, 0);
  char buffer[4096];
  ssize_t n;
  while ((n = read(ends[0], buffer, sizeof buffer)) > 0) got.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(got.size(), 300000u);
}

}  // namespace
}  // namespace relist::command
