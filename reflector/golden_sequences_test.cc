// The golden wire sequences of client-go (catalogue GLD), replayed: the same requests with the same
// parameters, in the same order, after the same pauses. They lie in testdata/golden_sequences.txt.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "reflector/testing/golden_sequence.h"

namespace relist {
namespace golden_sequences_test {

using testing::GoldenSequence;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ParseGoldenSequences;
using ::testing::SizeIs;

std::vector<GoldenSequence> Sequences() {
  std::ifstream file(RELIST_SOURCE_DIR "/reflector/testdata/golden_sequences.txt");
  return ParseGoldenSequences({std::istreambuf_iterator<char>(file), {}});
}

// All of this id, and of the id and a letter.
void ReplayAll(const std::string& id) {
  int replayed = 0;
  for (const GoldenSequence& sequence : Sequences()) {
    if (sequence.id != id && sequence.id.substr(0, sequence.id.size() - 1) != id) continue;
    ++replayed;
    EXPECT_EQ(testing::Replay(sequence, nullptr), "") << sequence.id << " " << sequence.words;
    for (uint64_t seed = 1; sequence.jitter && seed <= 10; ++seed) {
      SeededChoices choices(seed);
      EXPECT_EQ(testing::Replay(sequence, &choices), "") << sequence.id << ", seed " << seed;
    }
  }
  EXPECT_GT(replayed, 0) << id;
}

TEST(GoldenSequences, Gld1ClassicStart) {
  ReplayAll("GLD-1");
}
TEST(GoldenSequences, Gld2StreamingStart) {
  ReplayAll("GLD-2");
}
TEST(GoldenSequences, Gld3StreamingRefused) {
  ReplayAll("GLD-3");
}
TEST(GoldenSequences, Gld4ListExpired) {
  ReplayAll("GLD-4");
}
TEST(GoldenSequences, Gld5VersionTooLarge) {
  ReplayAll("GLD-5");
}
TEST(GoldenSequences, Gld6ExpiredInTheStream) {
  ReplayAll("GLD-6");
}
TEST(GoldenSequences, Gld7ExpiredWatch) {
  ReplayAll("GLD-7");
}
TEST(GoldenSequences, Gld8CleanClose) {
  ReplayAll("GLD-8");
}
TEST(GoldenSequences, Gld9VeryShortWatch) {
  ReplayAll("GLD-9");
}
TEST(GoldenSequences, Gld10ShortLifeAfterTheSync) {
  ReplayAll("GLD-10");
}
TEST(GoldenSequences, Gld11ConnectionRefused) {
  ReplayAll("GLD-11");
}
TEST(GoldenSequences, Gld12BusyServer) {
  ReplayAll("GLD-12");
}
TEST(GoldenSequences, Gld13PageExpired) {
  ReplayAll("GLD-13");
}
TEST(GoldenSequences, Gld14ListFails) {
  ReplayAll("GLD-14");
}
TEST(GoldenSequences, Gld15BadFrame) {
  ReplayAll("GLD-15");
}
TEST(GoldenSequences, Gld16StreamingListExpired) {
  ReplayAll("GLD-16");
}
TEST(GoldenSequences, Gld17StreamingListEndsEarly) {
  ReplayAll("GLD-17");
}
TEST(GoldenSequences, Gld18ListWithoutAVersion) {
  ReplayAll("GLD-18");
}

// The player sees what is wrong with a client: these sequences are no client's of ours.
TEST(GoldenSequences, AreToldWhereTheyDiffer) {
  const auto wrong = [](const std::string& rest) {
    const std::vector<GoldenSequence> sequences = ParseGoldenSequences("= X x\nmode list\n" + rest);
    EXPECT_THAT(sequences, SizeIs(1));
    return testing::Replay(sequences[0], nullptr);
  };
  const std::string list = "> LIST limit=500 resourceVersion=0\n< list 10\n";
  const std::string watch =
      "> WATCH allowWatchBookmarks=true resourceVersion=10 timeoutSeconds=300..599\n";
  EXPECT_THAT(wrong(list + watch + "quiet 9\n! position 10\n"), IsEmpty());
  EXPECT_THAT(wrong("> LIST resourceVersion=0\n"), HasSubstr("has limit=500"));
  EXPECT_THAT(wrong("> LIST limit=500 resourceVersion=0 x=y\n"), HasSubstr("has no x=y"));
  EXPECT_THAT(wrong("> WATCH limit=500 resourceVersion=0\n"), HasSubstr("has a LIST"));
  EXPECT_THAT(wrong(list + "> WATCH allowWatchBookmarks=true resourceVersion=10 "
                           "timeoutSeconds=301..599\n"),
              HasSubstr("has timeoutSeconds=300"));
  EXPECT_THAT(wrong(list + "after 0.8..1.6\n" + watch), HasSubstr("0 s before request 2"));
  EXPECT_THAT(wrong(list + "quiet 1\n"), HasSubstr("too many requests"));
  EXPECT_THAT(wrong(list + watch + watch + "quiet 1\n"), HasSubstr("before request 3"));
  EXPECT_THAT(wrong("< refused\n< refused\n"), HasSubstr("0.8 s before request 0"));
  EXPECT_THAT(wrong(list + watch + "! position 9\n"), HasSubstr("position is 10"));
}

}  // namespace golden_sequences_test
}  // namespace relist
