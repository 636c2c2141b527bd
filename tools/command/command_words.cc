#include "tools/command/command_words.h"

#include <fmt/format.h>

#include <map>

namespace relist::command {
namespace {

Error WrongWord(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

bool LooksLikeOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

// "--seed" of "--seed=7", "-n" of "-nteam".
std::string NameOf(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

// -A, or several flags in one word: -Ah.
bool AreFlags(const std::string& word, const FindOption& find) {
  for (size_t i = 1; i < word.size(); ++i) {
    const std::optional<KnownOption> known = find({'-', word[i]});
    if (!known || known->takes_value) return false;
  }
  return true;
}

// Says what was given twice: the second would take the first one's place unseen, or the parser's
// own complaint be longer than a line.
class GivenOptions {
 public:
  Result<void> Add(const std::string& typed, const KnownOption& option) {
    const auto [first, is_new] = typed_.emplace(option.name, typed);
    if (is_new || option.repeatable) return {};
    return WrongWord(
        typed == first->second
            ? fmt::format("{} is given twice; once is right", typed)
            : fmt::format("{} and {} are the same option: once is right", first->second, typed));
  }

 private:
  std::map<std::string, std::string> typed_;  // by the option's name
};

Result<void> CheckValue(const std::string& name, const std::vector<std::string>& words, size_t at,
                        const FindOption& find) {
  if (at == words.size()) return WrongWord(name + ": its value is missing");
  if (words[at].empty()) return WrongWord(name + ": the value is empty; leave the option out");
  if (LooksLikeOption(words[at]) && find(NameOf(words[at]))) {
    return WrongWord(
        fmt::format("{0}: its value is missing before {1}; if {1} is the value, write "
                    "{0}={1}",
                    name, words[at]));
  }
  return {};
}

}  // namespace

Result<void> CheckWords(const std::string& command, const std::vector<std::string>& words,
                        const FindOption& find) {
  bool options_over = false;
  GivenOptions given;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty()) return WrongWord(fmt::format("{}: an argument is empty", command));
    if (word == "--") options_over = true;
    if (options_over || !LooksLikeOption(word)) continue;
    const std::string name = NameOf(word);
    const std::optional<KnownOption> known = find(name);
    if (!known || (!known->takes_value && !word.starts_with("--") && !AreFlags(word, find))) {
      return WrongWord(fmt::format("unknown option {}; `relist {} --help` lists what there is",
                                   known ? word : name, command));
    }
    // Of several flags in one word each counts.
    for (size_t at = 1; at < (word.starts_with("--") || known->takes_value ? 2 : word.size());
         ++at) {
      const std::string flag = at == 1 ? name : std::string{'-', word[at]};
      const Result<void> added = given.Add(flag, *find(flag));
      if (!added.ok()) return added.error();
    }
    if (!known->takes_value) continue;
    if (word == name) {
      const Result<void> good = CheckValue(name, words, ++i, find);
      if (!good.ok()) return good.error();
    } else if (word == name + "=") {
      return WrongWord(name + ": the value is empty; leave the option out");
    }
  }
  return {};
}

}  // namespace relist::command
