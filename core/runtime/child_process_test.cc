#include "core/runtime/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <optional>

#include "core/runtime/socket_port.h"

namespace relist::child_process_test {

Task<void> RunInto(Loop& loop, ProcessSpec spec, Signal& stop,
                   std::optional<Result<ProcessOutput>>* into) {
  Task<Result<ProcessOutput>> run = RunProcess(loop, spec, stop);
  into->emplace(co_await run);
}

class ChildProcess : public testing::Test {
 protected:
  ProcessSpec Shell(const std::string& script) {
    return {.command = "sh", .args = {"-c", script}, .environment = {"PATH=/usr/bin:/bin", "A=b"}};
  }
  Result<ProcessOutput> Run(const ProcessSpec& spec) {
    std::optional<Result<ProcessOutput>> result;
    scope_.Spawn(RunInto(loop_, spec, stop_, &result));
    loop_.RunUntil([&] { return result.has_value(); }, loop_.Now() + Seconds(60));
    CHECK(result.has_value(), "it never ended");
    return std::move(*result);
  }

  SocketPort port_;
  Loop loop_{port_};
  Signal stop_;
  TaskScope scope_{loop_};
};

TEST_F(ChildProcess, GivesWhatItPrintsAndHowItEnds) {
  const Result<ProcessOutput> done = Run(Shell("printf 'hello %s' \"$A\"; exit 3"));
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->text, "hello b");
  EXPECT_EQ(done->exit_code, 3);
  EXPECT_EQ(done->signal, 0);
}

TEST_F(ChildProcess, HasAnEmptyStandardInput) {
  const Result<ProcessOutput> done = Run(Shell("cat; echo over"));
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->text, "over\n");
}

TEST_F(ChildProcess, TellsOfASignal) {
  const Result<ProcessOutput> done = Run(Shell("kill -TERM $$"));
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->exit_code, -1);
  EXPECT_EQ(done->signal, SIGTERM);
}

TEST_F(ChildProcess, ThatIsNotThereIsCalledThat) {
  for (const char* command : {"no-such-program-anywhere", "/no/such/program", "/etc/passwd"}) {
    const Result<ProcessOutput> done = Run({.command = command});
    ASSERT_FALSE(done.ok()) << command;
    EXPECT_TRUE(IsNoSuchProgram(done.error()));
    EXPECT_EQ(done.error().message(), std::string("executable ") + command + " not found");
  }
}

TEST_F(ChildProcess, IsKilledAtTheDeadlineThoughItsChildrenHoldItsOutput) {
  ProcessSpec spec = Shell("sleep 1000 & echo $!; wait");
  spec.deadline = Millis(300);
  const TimePoint before = loop_.Now();
  const Result<ProcessOutput> done = Run(spec);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().transport, Transport::kTimeout);
  EXPECT_EQ(done.error().message(), "sh did not end within 0.300 s");
  EXPECT_LT(loop_.Now() - before, Seconds(10));
}

TEST_F(ChildProcess, IsKilledWhereItPrintsTooMuch) {
  ProcessSpec spec = Shell("while :; do echo 0123456789; done");
  spec.output_max = 100000;
  const Result<ProcessOutput> done = Run(spec);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(), "sh printed more than 100000 bytes");
}

TEST_F(ChildProcess, IsKilledByStopAndWithItsTask) {
  std::optional<Result<ProcessOutput>> result;
  scope_.Spawn(RunInto(loop_, Shell("exec sleep 1000"), stop_, &result));
  EXPECT_FALSE(loop_.RunUntil([&] { return result.has_value(); }, loop_.Now() + Millis(50)));
  stop_.Set();
  EXPECT_TRUE(loop_.RunUntil([&] { return result.has_value(); }, loop_.Now() + Seconds(10)));
  EXPECT_EQ(result->error().transport, Transport::kStopped);

  Signal other;
  result.reset();
  scope_.Spawn(RunInto(loop_, Shell("exec sleep 1000"), other, &result));
  scope_.Clear();  // does not wait for it
}

TEST_F(ChildProcess, IsNotWaitedForByTheLoop) {
  std::optional<Result<ProcessOutput>> result;
  scope_.Spawn(RunInto(loop_, Shell("sleep 0.2; echo done"), stop_, &result));
  int turns = 0;
  EXPECT_TRUE(loop_.RunUntil(
      [&] {
        ++turns;
        return result.has_value();
      },
      loop_.Now() + Seconds(30)));
  EXPECT_GT(turns, 3) << "the loop went round meanwhile";
  EXPECT_EQ((*result)->text, "done\n");
}

}  // namespace relist::child_process_test
