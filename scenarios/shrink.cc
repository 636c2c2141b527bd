#include "scenarios/shrink.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/duration.h"
#include "scenarios/runner.h"
#include "scenarios/script/scenario.h"
#include "scenarios/script/yaml_text.h"
#include "scenarios/script/yaml_tree.h"
#include "scenarios/shrink_failure.h"

namespace relist {
namespace {

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Simpler values than `scalar`, the simplest first.
std::vector<std::string> SimplerThan(const std::string& scalar) {
  std::vector<std::string> simpler;
  if (IsNumber(scalar) && scalar.size() < 10) {
    const int number = std::stoi(scalar);
    for (const int less : {0, 1, 2, number / 2, number - 1}) {
      if (less >= 0 && less < number) simpler.push_back(std::to_string(less));
    }
    return simpler;
  }
  const Result<Duration> length = ParseDuration(scalar);
  if (!length.ok()) return simpler;
  for (const char* round : {"1s", "2s", "5s", "10s", "30s", "1m", "5m", "1h"}) {
    if (*ParseDuration(round) < *length) simpler.emplace_back(round);
  }
  return simpler;
}

// Who can be expected to do something.
std::set<std::string> NamesIn(const YamlTree& root) {
  std::set<std::string> names = {"verdicts"};
  const YamlTree* clients = root.Find("clients");
  if (!clients || clients->items.empty()) names.insert("client");
  if (clients) {
    for (const YamlTree& client : clients->items) {
      const YamlTree* name = client.Find("name");
      names.insert(name ? name->scalar : "client");
    }
  }
  if (const YamlTree* steps = root.Find("steps")) {
    for (const YamlTree& step : steps->items) {
      if (const YamlTree* as = step.Find("as")) names.insert(as->scalar);
    }
  }
  return names;
}

// "default/a", of a step or an object; else "".
std::string ObjectOf(const YamlTree& item) {
  const YamlTree* object = item.Find("object");
  return object ? object->scalar : "";
}

// What is expected of an object goes with it.
void DropLinesOf(const std::string& object, YamlTree* tree) {
  std::erase_if(tree->items, [&](const YamlTree& line) {
    const std::string words = " " + line.scalar + " ";
    return words.find(" " + object + " ") != std::string::npos;
  });
  for (YamlTree& item : tree->items) DropLinesOf(object, &item);
  for (auto& [key, value] : tree->entries) DropLinesOf(object, &value);
}

// A name of many objects, "default/x-{n}": what is before the number, and behind it.
struct Numbered {
  std::string before, behind;

  static std::optional<Numbered> Of(const std::string& name) {
    static constexpr std::string_view kNumber = "{n}";
    const size_t slash = name.find('/');
    const size_t at = name.find(kNumber, slash == std::string::npos ? 0 : slash);
    if (at == std::string::npos) return std::nullopt;
    return Numbered{name.substr(0, at), name.substr(at + kNumber.size())};
  }

  // The numbers of those that the script names, in its steps and in what it expects.
  void FindIn(const YamlTree& tree, std::vector<std::string>* numbers) const {
    std::istringstream words(tree.scalar);
    for (std::string word; words >> word;) {
      const size_t around = before.size() + behind.size();
      if (word.size() <= around || !word.starts_with(before) || !word.ends_with(behind)) continue;
      const std::string number = word.substr(before.size(), word.size() - around);
      if (IsNumber(number) && std::find(numbers->begin(), numbers->end(), number) == numbers->end())
        numbers->push_back(number);
    }
    for (const YamlTree& item : tree.items) FindIn(item, numbers);
    for (const auto& [key, value] : tree.entries) FindIn(value, numbers);
  }
};

// A place in the tree: which entry, or item, of which.
using Path = std::vector<size_t>;

YamlTree& At(YamlTree& root, const Path& path) {
  YamlTree* node = &root;
  for (const size_t index : path)
    node = node->kind == YamlTree::Kind::kMap ? &node->entries[index].second : &node->items[index];
  return *node;
}

class Shrinker {
 public:
  Shrinker(YamlTree tree, std::string file, const ShrinkOptions& options)
      : tree_(std::move(tree)), file_(std::move(file)), options_(options) {}

  // `given`: the script as it was written, so that what is told of it has its own lines.
  Result<Shrunk> Shrink(const Scenario& given) {
    const RunResult run = Run(given);
    failure_ = FailureOf(given, run);
    if (failure_.empty()) return NothingToShrink(run);
    problems_ = run.problems.size();
    Shrunk shrunk;
    shrunk.size_before = tree_.Size();
    do {
      changed_ = false;
      Reduce({});
    } while (changed_ && runs_ < options_.runs_max);
    shrunk.text = tree_.Write();
    shrunk.failure = failure_.Text();
    shrunk.size = tree_.Size();
    shrunk.runs = runs_;
    shrunk.complete = runs_ < options_.runs_max;
    return shrunk;
  }

 private:
  RunResult Run(const Scenario& scenario) {
    ++runs_;
    return RunScenario(scenario, {.seed = options_.seed, .bugs = options_.bugs});
  }

  Error NothingToShrink(const RunResult& run) const {
    if (run.exit_status == 0) {
      return Error::Net(
          Transport::kOther,
          fmt::format("{}: this scenario is good: there is nothing to shrink", file_));
    }
    std::string report = run.report;
    if (report.ends_with('\n')) report.pop_back();
    return Error::Net(
        Transport::kOther,
        fmt::format("{}: could not be run as written, and breaks nothing: nothing to shrink\n{}",
                    file_, report));
  }

  // Adopts the candidate if it fails as the script did.
  bool Try(YamlTree candidate) {
    if (runs_ >= options_.runs_max) return false;
    if (YamlTree* expect = candidate.Find("expect")) {
      const std::set<std::string> names = NamesIn(candidate);
      std::erase_if(expect->entries,
                    [&](const auto& entry) { return !names.contains(entry.first); });
    }
    if (candidate == tree_) return false;
    const Result<Scenario> scenario = ParseScenario(candidate.Write(), file_);
    if (!scenario.ok()) return false;
    const RunResult run = Run(*scenario);
    // What never happens may go, and must not come.
    if (run.problems.size() > problems_ || !FailureOf(*scenario, run).Includes(failure_))
      return false;
    problems_ = run.problems.size();
    tree_ = std::move(candidate);
    changed_ = true;
    if (options_.on_progress) options_.on_progress(runs_, tree_.Size());
    return true;
  }

  void Reduce(const Path& path) {
    switch (At(tree_, path).kind) {
      case YamlTree::Kind::kScalar:
        return Simplify(path);
      case YamlTree::Kind::kList:
        DropItems(path);
        break;
      case YamlTree::Kind::kMap:
        DropEntries(path);
        MakePlain(path);
        break;
    }
    const YamlTree& node = At(tree_, path);
    const size_t count = node.items.size() + node.entries.size();
    for (size_t i = 0; i < count; ++i) {
      Path inside = path;
      inside.push_back(i);
      // What was dropped for the sake of something else, such as an expectation.
      const YamlTree& now = At(tree_, path);
      if (i < now.items.size() + now.entries.size()) Reduce(inside);
    }
  }

  // First many at once, then one by one; from the end, where nothing depends on what is dropped.
  void DropItems(const Path& path) {
    for (size_t many = At(tree_, path).items.size(); many > 0; many /= 2) {
      size_t end = At(tree_, path).items.size();
      while (end > 0) {
        const size_t begin = end > many ? end - many : 0;
        YamlTree candidate = tree_;
        std::vector<YamlTree>& items = At(candidate, path).items;
        const std::string object = end - begin == 1 ? ObjectOf(items[begin]) : "";
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(begin),
                    items.begin() + static_cast<std::ptrdiff_t>(end));
        YamlTree without = candidate;
        if (!Try(std::move(candidate)) && !object.empty() && without.Find("expect")) {
          DropLinesOf(object, without.Find("expect"));
          Try(std::move(without));
        }
        end = std::min(begin, At(tree_, path).items.size());
      }
    }
  }

  void DropEntries(const Path& path) {
    for (size_t i = At(tree_, path).entries.size(); i > 0; --i) {
      if (i > At(tree_, path).entries.size()) continue;
      YamlTree candidate = tree_;
      auto& entries = At(candidate, path).entries;
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i - 1));
      Try(std::move(candidate));
    }
  }

  // One object instead of many: the first, the last, or one that the script names.
  void MakePlain(const Path& path) {
    const YamlTree map = At(tree_, path);
    const YamlTree* many = map.Find("many");
    const std::optional<Numbered> name = Numbered::Of(ObjectOf(map));
    if (!many || !name) return;
    std::vector<std::string> numbers = {"1"};
    if (many->scalar != "1") numbers.push_back(many->scalar);
    name->FindIn(tree_, &numbers);
    for (const std::string& number : numbers) {
      YamlTree candidate = tree_;
      YamlTree& plain = At(candidate, path);
      std::erase_if(plain.entries, [](const auto& entry) {
        return entry.first == "many" || entry.first == "bytes";
      });
      *plain.Find("object") = {.scalar = name->before + number + name->behind};
      if (Try(std::move(candidate))) return;
    }
  }

  void Simplify(const Path& path) {
    const YamlTree scalar = At(tree_, path);
    if (scalar.quoted || IsName(path)) return;
    for (const std::string& simpler : SimplerThan(scalar.scalar)) {
      YamlTree candidate = tree_;
      At(candidate, path).scalar = simpler;
      if (Try(std::move(candidate))) return;
    }
  }

  // A number that says which, not how many: another would be another thing.
  bool IsName(const Path& path) {
    const Path parent(path.begin(), path.end() - 1);
    const YamlTree& map = At(tree_, parent);
    return map.kind == YamlTree::Kind::kMap && map.entries[path.back()].first == "code";
  }

  YamlTree tree_;
  const std::string file_;
  const ShrinkOptions& options_;
  Failure failure_;
  size_t problems_ = 0;  // of tree_'s run: what never happened, and what could not be done
  int runs_ = 0;
  bool changed_ = false;
};

}  // namespace

Result<Shrunk> ShrinkScenario(const std::string& text, const std::string& file,
                              const ShrinkOptions& options) {
  // What is wrong with it is told with the places of the text itself.
  const Result<Scenario> scenario = ParseScenario(text, file);
  if (!scenario.ok()) return scenario.error();
  const Result<YAML::Node> root = ReadYamlText(text, file);
  if (!root.ok()) return root.error();
  return Shrinker(YamlTree::Of(*root), file, options).Shrink(*scenario);
}

}  // namespace relist
