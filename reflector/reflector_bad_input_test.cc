// What no server should send, through the whole client: what becomes of it, of its neighbours, and
// what the log says. "As client-go" is what its dynamic client v0.37 was seen to do.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace reflector_bad_input_test {

using testing::Answer;
using ::testing::ElementsAre;
using testing::EventLine;
using ::testing::HasSubstr;
using testing::InformerWorld;
using testing::InformerWorldOptions;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::Step;
using testing::WatchOf;

constexpr char kFirstList[] = "LIST limit=500 resourceVersion=0";
constexpr char kWatch[] = "WATCH allowWatchBookmarks=true resourceVersion=10";

// What a client did and said in the second after this answer: long enough for one try more.
struct Lived {
  std::vector<std::string> story, calls, log;
};

Lived Live(const std::vector<Step>& steps) {
  const auto log = std::make_shared<CollectedLog>();
  InformerWorldOptions options;
  options.informer.reflector.name = "cms";
  options.informer.reflector.log = log;
  InformerWorld world(std::move(options));
  for (const Step& step : steps) world.server.Then(step);
  world.RunFor(Seconds(1));
  return {world.Story(), world.handler.calls, log->lines()};
}

Lived List(const std::string& items) {
  return Live({ListOf("10", {items, Item("good", "7")})});
}

Lived Watch(const std::string& object) {
  return Live({ListOf("10", {}), WatchOf({EventLine("ADDED", "first", "11"),
                                          R"({"type":"ADDED","object":)" + object + "}\n",
                                          EventLine("ADDED", "good", "13")})});
}

std::string ConfigMap(const std::string& more) {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"odd","resourceVersion":"12"},)" +
         more + "}";
}

// The story of a watch that ended in an ERROR, and of the list that made up for it.
void ExpectRelist(const Lived& lived, const std::string& version) {
  EXPECT_THAT(lived.story,
              ElementsAre(kFirstList, kWatch, "+0.800", "LIST resourceVersion=" + version));
}

TEST(ReflectorBadInput, ObjectsWithoutMetadataHaveNoName) {  // as client-go: one key for them all
  for (const char* metadata : {"", R"("metadata":null,)", R"("metadata":[],)", R"("metadata":"x",)",
                               R"("metadata":{"name":5},)"}) {
    const std::string object =
        "{" + std::string(metadata) + R"("kind":"ConfigMap","apiVersion":"v1"})";
    const Lived listed = List(object);
    EXPECT_THAT(listed.calls, ElementsAre("add @ initial", "add good@7 initial"));
    EXPECT_THAT(listed.log, ElementsAre(HasSubstr("W odd items in a list")));
    const Lived watched = Watch(object);
    EXPECT_THAT(watched.calls, ElementsAre("add first@11", "add @", "add good@13"));
    EXPECT_THAT(watched.log, ElementsAre(HasSubstr("W watch event object without a name")));
    EXPECT_THAT(watched.story, ElementsAre(kFirstList, kWatch));
  }
}

TEST(ReflectorBadInput, OfDuplicateKeysTheLastCounts) {
  const std::string twice =
      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"metadata":{"name":"y","name":"z"}})";
  EXPECT_THAT(List(twice).calls, ElementsAre("add z@ initial", "add good@7 initial"));
  EXPECT_THAT(Watch(twice).calls, ElementsAre("add first@11", "add z@", "add good@13"));
  EXPECT_THAT(Watch(twice).log, IsEmpty());
}

TEST(ReflectorBadInput, LargeNumbersStayWhatTheyAre) {
  const std::string numbers = R"("n":9007199254740993,"m":123456789012345678901234567890)";
  InformerWorld world;
  world.server.Then(ListOf("10", {R"({"metadata":{"name":"listed"},)" + numbers + "}"}));
  world.server.Then(WatchOf({R"({"type":"ADDED","object":)" + ConfigMap(numbers) + "}\n"}));
  world.RunFor(Seconds(1));
  const std::vector<ObjectRef> objects = world.informer.indexer().List();
  ASSERT_EQ(objects.size(), 2u);
  for (const ObjectRef& object : objects) {
    EXPECT_THAT(object->bytes(), HasSubstr(numbers));
    EXPECT_EQ(object->json()["n"], 9007199254740993);
  }
}

TEST(ReflectorBadInput, NumbersBeyondADoubleAreAnError) {  // as client-go
  const Lived watched = Watch(ConfigMap(R"("n":1e400)"));
  EXPECT_THAT(watched.calls, ElementsAre("add first@11"));
  EXPECT_THAT(watched.log, ElementsAre(HasSubstr("W watch ended with error")));
  ExpectRelist(watched, "11");
  EXPECT_THAT(List(R"({"metadata":{"name":"x"},"n":1e400})").log,
              ElementsAre(HasSubstr("E Failed to watch")));
}

TEST(ReflectorBadInput, InvalidUtf8IsMended) {
  const std::string bad = "\"data\":{\"k\":\"x\xff\"}";
  EXPECT_THAT(List(ConfigMap(bad)).calls, ElementsAre("add odd@12 initial", "add good@7 initial"));
  EXPECT_THAT(Watch(ConfigMap(bad)).calls,
              ElementsAre("add first@11", "add odd@12", "add good@13"));
  EXPECT_THAT(Watch(ConfigMap(bad)).log, IsEmpty());
}

TEST(ReflectorBadInput, DeepObjectsAreTakenUpToTenThousandLevels) {
  const auto nested = [](size_t depth) {
    return "\"x\":" + std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_THAT(Watch(ConfigMap(nested(9990))).calls,
              ElementsAre("add first@11", "add odd@12", "add good@13"));
  const Lived deeper = Watch(ConfigMap(nested(10001)));
  EXPECT_THAT(deeper.calls, ElementsAre("add first@11"));
  EXPECT_THAT(deeper.log, ElementsAre(HasSubstr("JSON nests deeper than 10000")));
  ExpectRelist(deeper, "11");
  EXPECT_THAT(List(ConfigMap(nested(9990))).calls,
              ElementsAre("add odd@12 initial", "add good@7 initial"));
  EXPECT_THAT(List(ConfigMap(nested(10001))).log[0], HasSubstr("E Failed to watch"));
}

TEST(ReflectorBadInput, LinesOfTenMegabytesAreTakenAndOfSeventeenNot) {
  const auto data = [](size_t megabytes) {
    return R"("data":{"k":")" + std::string(megabytes << 20, 'x') + "\"}";
  };
  const Lived taken = Watch(ConfigMap(data(10)));
  EXPECT_THAT(taken.calls, ElementsAre("add first@11", "add odd@12", "add good@13"));
  EXPECT_THAT(taken.log, IsEmpty());
  const Lived refused = Watch(ConfigMap(data(17)));
  EXPECT_THAT(refused.calls, ElementsAre("add first@11"));
  EXPECT_THAT(refused.log,
              ElementsAre(HasSubstr("object to decode was longer than maximum allowed size")));
  ExpectRelist(refused, "11");
}

TEST(ReflectorBadInput, AnEventOfUnknownTypeEndsTheWatchAndAListMakesUpForIt) {  // as client-go
  const Lived lived =
      Live({ListOf("10", {}),
            WatchOf({EventLine("ADDED", "first", "11"), EventLine("WHAT", "odd", "12"),
                     EventLine("ADDED", "good", "13")}),
            ListOf("13", {Item("first", "11"), Item("good", "13")})});
  EXPECT_THAT(lived.calls, ElementsAre("add first@11", "update first@11->11", "add good@13"));
  EXPECT_THAT(lived.log, ElementsAre(HasSubstr("W watch ended with error reflector=\"cms\"")));
  EXPECT_THAT(lived.log[0], HasSubstr("got invalid watch event type: WHAT"));
}

TEST(ReflectorBadInput, ItemsThatAreNullAreLeftOut) {  // client-go keeps one without a name
  const Lived lived = Live({ListOf("10", {"null", Item("good", "7"), "null"})});
  EXPECT_THAT(lived.calls, ElementsAre("add good@7 initial"));
  EXPECT_THAT(lived.log, ElementsAre(HasSubstr("W odd items in a list reflector=\"cms\" type=\"/, "
                                               "Kind=ConfigMap\" null=\"2\" nameless=\"0\"")));
  const Lived none = Live({Answer(
      200,
      R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":null})")});
  EXPECT_THAT(none.story, ElementsAre(kFirstList, kWatch));
  EXPECT_THAT(none.log, IsEmpty());
}

TEST(ReflectorBadInput, HtmlForAListIsAnErrorThatSaysSo) {
  const std::string page = "<html><body>please log in</body></html>";
  Step html;
  html.Send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 39\r\n\r\n" + page);
  Step untyped;
  untyped.Send("HTTP/1.1 200 OK\r\nContent-Length: 39\r\n\r\n" + page);
  for (const auto& [step, words] :
       {std::pair(html, "text/html"), std::pair(untyped, "<html><body>"),
        std::pair(Answer(200, page), "<html><body>")}) {
    const Lived lived = Live({step, ListOf("10", {Item("good", "7")})});
    EXPECT_THAT(lived.story, ElementsAre(kFirstList, "+0.800", kFirstList, kWatch));
    EXPECT_THAT(lived.calls, ElementsAre("add good@7 initial"));
    EXPECT_THAT(lived.log, ElementsAre(HasSubstr("E Failed to watch")));
    EXPECT_THAT(lived.log[0], HasSubstr(words));
  }
}

TEST(ReflectorBadInput, HtmlForAWatchIsAnErrorThatSaysSo) {
  const std::string page = "<html><body>please log in</body></html>";
  Step html;
  html.Send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 39\r\n\r\n" + page);
  const Lived typed = Live({ListOf("10", {}), html});
  EXPECT_THAT(typed.log, ElementsAre(HasSubstr("E Failed to watch")));
  EXPECT_THAT(typed.log[0], HasSubstr("text/html"));
  ExpectRelist(typed, "10");
  const Lived mute = Live({ListOf("10", {}), Answer(200, page)});
  EXPECT_THAT(mute.log, ElementsAre(HasSubstr("W watch ended with error")));
  EXPECT_THAT(mute.log[0], HasSubstr("not a JSON object: it begins with '<'"));
  ExpectRelist(mute, "10");
}

TEST(ReflectorBadInput, AListThatIsNoneIsNotTakenForAnEmptyOne) {  // client-go's are
  for (const char* body :
       {R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"10"}})",
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"})"}) {
    const Lived lived = Live({Answer(200, body), ListOf("10", {})});
    EXPECT_THAT(lived.story, ElementsAre(kFirstList, "+0.800", kFirstList, kWatch));
    EXPECT_THAT(lived.log, ElementsAre(HasSubstr("unable to understand list result")));
  }
}

}  // namespace reflector_bad_input_test
}  // namespace relist
