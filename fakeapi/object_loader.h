// Objects from files into the Store: a v1 List, any *List, one object, or a YAML stream of them, in
// YAML or JSON.
//
//   Result<Loaded> loaded = LoadObjects(store, text, now, choices);
//   if (!loaded.ok()) fmt::print("{}\n", loaded.error().message());   // items[3]: kind "Widget" of
//   v1 is not served
//
// Names, labels, uids and creation times are kept, resourceVersions are new, missing namespaces are
// made. Fields at the top level and in metadata that are not known are dropped, and told: what
// newer servers say more is no reason to refuse a dump. Nothing is stored unless everything is
// good. An object that is there already is an error, too; so is a text without any document. A List
// of none is fine.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/choices.h"
#include "core/result.h"
#include "core/time.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

struct Loaded {
  int objects = 0;  // namespaces that were made for them not counted
  // How many objects had it, by resource ("pods") and path ("metadata.colour").
  std::map<std::pair<std::string, std::string>, int> dropped;
};

Result<Loaded> LoadObjects(Store& store, const std::string& text, TimePoint now, Choices& choices);

}  // namespace relist::fakeapi
