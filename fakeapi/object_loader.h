// Objects from files into the Store: a v1 List, any *List, one object, or a YAML stream of them, in
// YAML or JSON.
//
//   Result<int> loaded = LoadObjects(store, text, now, choices);
//   if (!loaded.ok()) fmt::print("{}\n", loaded.error().message());   // items[3]: kind "Widget" of
//   v1 is not served
//
// Names, labels, uids and creation times are kept, resourceVersions are new, missing namespaces are
// made. Nothing is stored unless everything is good. An object that is there already is an error,
// too.
#pragma once

#include <string>

#include "core/choices.h"
#include "core/result.h"
#include "core/time.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// The number of objects stored, namespaces that were made for them not counted.
Result<int> LoadObjects(Store& store, const std::string& text, TimePoint now, Choices& choices);

}  // namespace relist::fakeapi
