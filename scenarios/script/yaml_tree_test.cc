#include "scenarios/script/yaml_tree.h"

#include <gtest/gtest.h>

#include "scenarios/script/yaml_text.h"

namespace relist {
namespace {

YamlTree TreeOf(const std::string& text) {
  const Result<YAML::Node> root = ReadYamlText(text, "t.yaml");
  if (!root.ok()) {
    ADD_FAILURE() << root.error().message() << "\n" << text;
    return {};
  }
  return YamlTree::Of(*root);
}

TEST(YamlTreeTest, WhatIsWrittenIsReadAgain) {
  for (const char* text :
       {"a: 1\n", "a: \"1\"\nb: [x, 'true', true, ~, \"\"]\n", "a: {b: {c: [1, {d: 2}]}}\n",
        "a:\n- x: 1\n  y: \"{n}\"\n- z: [\"added default/a {L} initial\", \"b: c\"]\n",
        "a: \"tab\\tquote\\\"back\\\\slash\"\nb: >\n  folded\n  text\n\"odd: key\": 1\n",
        "a: {}\nb: []\nc: \"# no comment\"\nd: -1\ne: \"- x\"\nf: 'it''s'\n",
        "a: caf\u00e9\nb: \"caf\u00e9\"\n", "a: &x {b: 1}\nc: *x\n"}) {
    const YamlTree tree = TreeOf(text);
    const std::string written = tree.Write();
    YamlTree again = TreeOf(written);
    // What was plain and could not stay so is text, which it was.
    EXPECT_EQ(again.Write(), written) << text;
    EXPECT_EQ(again.Size(), tree.Size()) << text;
  }
}

TEST(YamlTreeTest, TextStaysTextAndNumbersStayNumbers) {
  const YamlTree tree = TreeOf("a: \"1\"\nb: 1\nc: \"true\"\nd: null\n");
  EXPECT_EQ(tree.Write(), "a: \"1\"\nb: 1\nc: \"true\"\nd: null\n");
  EXPECT_EQ(TreeOf(tree.Write()), tree);
}

TEST(YamlTreeTest, IsALineForEachStep) {
  const YamlTree tree = TreeOf(
      "name: n\nsteps:\n- at: 1s\n  do: evict\nexpect:\n  client:\n    store: [default/a]\n"
      "    requests:\n    - LIST limit=2 -> 200\n");
  EXPECT_EQ(tree.Write(),
            "name: n\nsteps:\n  - {at: 1s, do: evict}\nexpect:\n  client:\n    store: "
            "[default/a]\n    requests:\n      - LIST limit=2 -> 200\n");
}

TEST(YamlTreeTest, FindsAndCounts) {
  YamlTree tree = TreeOf("a: 1\nb: [1, 2]\n");
  ASSERT_NE(tree.Find("b"), nullptr);
  EXPECT_EQ(tree.Find("c"), nullptr);
  const size_t size = tree.Size();
  tree.Find("b")->items.pop_back();
  EXPECT_EQ(tree.Size(), size - 1);
}

}  // namespace
}  // namespace relist
