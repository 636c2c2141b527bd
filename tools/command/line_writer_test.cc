#include "tools/command/line_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "tools/command/text_file.h"

namespace relist::command {
namespace line_writer_test {

// A pipe that holds a page.
class SmallPipe {
 public:
  SmallPipe() {
    EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0);
    fcntl(ends_[1], F_SETPIPE_SZ, 4096);
  }
  ~SmallPipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  int writer() const { return ends_[1]; }
  // Reads until `ending` is there.
  std::string Until(const std::string& ending) const {
    std::string text;
    char byte;
    while (!text.ends_with(ending) && read(ends_[0], &byte, 1) == 1) text += byte;
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::string DroppedLine(uint64_t count) {
  return fmt::format("{} dropped\n", count);
}

TEST(LineWriter, WritesLinesInTheirOrder) {
  const SmallPipe pipe;
  LineWriter writer(OpenAgain(pipe.writer()), {});
  for (int i = 0; i < 3; ++i) writer.Add(fmt::format("line {}\n", i));
  EXPECT_EQ(writer.Finish(Seconds(10)).lines, 0u);
  EXPECT_EQ(pipe.Until("line 2\n"), "line 0\nline 1\nline 2\n");
}

TEST(LineWriter, DropsWhatNobodyReadsAndSaysHowMuch) {
  const SmallPipe pipe;
  LineWriter writer(OpenAgain(pipe.writer()), {.bytes_max = 20000, .dropped = DroppedLine});
  const std::string line(99, 'x');
  for (int i = 0; i < 1000; ++i) writer.Add(line + "\n");  // and here we are
  EXPECT_LE(writer.waiting(), 20000u);
  std::string text = pipe.Until("dropped\n");
  size_t whole = 0, at = 0;
  for (; text.compare(at, 100, line + "\n") == 0; at += 100) ++whole;
  EXPECT_GE(whole, 200u);
  EXPECT_EQ(text.substr(at), DroppedLine(1000 - whole));
  writer.Add("once more\n");
  EXPECT_EQ(pipe.Until("more\n"), "once more\n");
}

TEST(LineWriter, WhatMattersIsNeverDropped) {
  const SmallPipe pipe;
  LineWriter writer(OpenAgain(pipe.writer()), {.bytes_max = 10, .dropped = DroppedLine});
  writer.Add("too long a line\n");
  writer.AddAlways("this matters\n");
  EXPECT_EQ(pipe.Until("matters\n"), "1 dropped\nthis matters\n");
}

TEST(LineWriter, ItsEndDoesNotWaitForAReaderThatStalls) {
  const SmallPipe pipe;
  LineWriter writer(OpenAgain(pipe.writer()), {});
  for (int i = 0; i < 100; ++i) writer.Add(std::string(99, 'x') + "\n");
  const LineWriter::Unwritten rest = writer.Finish(Millis(50));
  EXPECT_EQ(rest.error, 0);
  EXPECT_GT(rest.lines, 50u);
  EXPECT_LT(rest.lines, 100u);
  EXPECT_GT(rest.bytes, 5000u);
}

TEST(LineWriter, ItsEndIsHurriedByAnybody) {
  const SmallPipe pipe;
  LineWriter writer(OpenAgain(pipe.writer()), {});
  writer.Add(std::string(99999, 'x') + "\n");
  std::thread other([&] { writer.Hurry(); });
  EXPECT_EQ(writer.Finish(Seconds(3600)).lines, 1u);
  other.join();
}

TEST(LineWriter, AFullDeviceIsToldOnce) {
  std::atomic<int> told = 0, error = 0;
  LineWriter writer(open("/dev/full", O_WRONLY | O_CLOEXEC), {.on_failure = [&](int problem) {
                      ++told;
                      error = problem;
                    }});
  writer.Add("a line\n");
  EXPECT_EQ(writer.Finish(Seconds(10)).error, ENOSPC);
  writer.Add("another\n");
  EXPECT_EQ(told, 1);
  EXPECT_EQ(error, ENOSPC);
}

TEST(LineWriter, ADescriptorOpenedAgainLeavesTheFirstAsItIs) {
  const SmallPipe pipe;
  const int again = OpenAgain(pipe.writer());
  EXPECT_NE(fcntl(again, F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(fcntl(pipe.writer(), F_GETFL) & O_NONBLOCK, 0);
  close(again);
}

TEST(LineWriter, AFileGoesOnWhereItWas) {
  const std::string path = testing::TempDir() + "relist_line_writer_test";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ASSERT_EQ(write(file, "first\n", 6), 6);
  LineWriter writer(OpenAgain(file), {});
  writer.Add("second\n");
  EXPECT_EQ(writer.Finish(Seconds(10)).lines, 0u);
  close(file);
  EXPECT_EQ(*ReadTextFile(path), "first\nsecond\n");
  std::filesystem::remove(path);
}

}  // namespace line_writer_test
}  // namespace relist::command
