// Bugs that can be planted in the client, for the suite that tests the tests: property_tests turns
// one on and must find it. All off by default; each is looked at in exactly one line of the code.
#pragma once

namespace relist {

struct PlantedBugs {
  bool delete_keeps_position = false;     // a DELETED event does not move the resourceVersion
  bool lose_tombstones = false;           // deletions missed while away are not told to handlers
  bool bookmark_is_object = false;        // a BOOKMARK's object goes into the store
  bool resume_from_partial_line = false;  // a half-received event moves the resourceVersion
  bool ignore_silent_expiry = false;      // a watch that ends at once, empty, causes no relist
};

}  // namespace relist
