// A read, as the model and the server are asked it: the same values, once as they are and once as a
// query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace relist::search {

// A key of the objects that are written: two namespaces, four names.
struct Key {
  std::string ns, name;
  auto operator<=>(const Key&) const = default;
  std::string Text() const { return ns + "/" + name; }
};

// What is said of an object: enough to tell versions apart.
struct Thing {
  Key key;
  std::string app;  // the label; empty: none
  int n = 0;        // data
  uint64_t rv = 0;
  std::string Text() const {
    return key.Text() + " " + app + " " + std::to_string(n) + " @" + std::to_string(rv);
  }
};

struct Scope {
  std::string ns;     // "": all
  std::string label;  // "", "app=x", "app=y", "app!=x", "!app"
  std::string name;   // "": all; by field selector

  bool selects() const { return !label.empty() || !name.empty(); }
  // Only one object can be meant.
  bool single() const { return !ns.empty() && !name.empty(); }
  bool Holds(const Thing& thing) const {
    if (!ns.empty() && thing.key.ns != ns) return false;
    if (!name.empty() && thing.key.name != name) return false;
    if (label == "app!=x") return thing.app != "x";
    if (label == "!app") return thing.app.empty();
    return label.empty() || label == "app=" + thing.app;
  }
};

// A continue token, undone.
struct Token {
  int64_t rv = 0;
  std::string start;
};

struct ListAsk {
  size_t replica = 0;
  Scope scope;
  std::string rv;  // as sent
  std::string match;
  size_t limit = 0;
  std::optional<Token> token;
  std::string token_text;  // as the server made it
};

struct GetAsk {
  size_t replica = 0;
  Key key;
  std::string rv;
};

struct WatchAsk {
  size_t replica = 0;
  Scope scope;
  std::string rv;
  std::optional<bool> initial;  // sendInitialEvents
  bool bookmarks = false;
  int timeout = 0;  // seconds; 0: none
};

// What a command's numbers mean, whatever they are.
size_t Pick(int number, size_t size);
Key KeyOf(int which);
std::string AppOf(int which);
// 0 to 35: any namespace or one, any labels or some, any name or one.
Scope ScopeOf(int selector);

// The request line's target, of a collection or of one object; the body of a write, with the
// resourceVersion that it is for unless that is 0.
std::string TargetOf(const Scope& scope, const std::string& query);
std::string PathOf(const Key& key);
std::string BodyOf(const Thing& thing, uint64_t given);

}  // namespace relist::search
