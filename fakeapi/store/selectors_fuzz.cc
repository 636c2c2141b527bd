// Selectors of any text. The first byte of the input says of labels or of which kind's fields, the
// rest is the selector. It is refused with a 400, or it selects: the same each time, the same where
// it stands twice, and never more than either of two that are joined. Its corpus, replayed by the
// ordinary tests, is in fakeapi/testdata/fuzz/selectors.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fakeapi/api/resources.h"
#include "fakeapi/store/selectors.h"

namespace selectors_fuzz {
namespace {

using namespace relist::fakeapi;
using relist::LabelSelector;
using relist::StringMap;

void Require(bool condition) {
  if (!condition) std::abort();
}

const std::vector<StringMap>& Objects() {
  static const std::vector<StringMap> objects = {
      {},
      {{"app", "x"}},
      {{"app", "x"}, {"tier", "1"}, {"n", "10"}},
      {{"app", ""}, {"in", "notin"}, {"a.b/c", "d_e-f"}},
      {{"metadata.name", "a"}, {"metadata.namespace", "ns"}, {"spec.nodeName", "n1"}},
      {{"metadata.name", "b"}, {"status.phase", "Running"}, {"type", "Opaque"}}};
  return objects;
}

// Which of the objects it selects: a bit for each.
template <class Selector>
unsigned Selected(const Selector& selector) {
  unsigned bits = 0;
  for (size_t i = 0; i < Objects().size(); ++i) {
    if (selector.Matches(Objects()[i])) bits |= 1u << i;
  }
  return bits;
}

template <class Parse>
void Check(const std::string& text, const Parse& parse) {
  const auto selector = parse(text);
  const auto again = parse(text);
  Require(selector.ok() == again.ok());
  if (!selector.ok()) {
    Require(selector.error().status.code == 400 && !selector.error().message().empty());
    Require(again.error().message() == selector.error().message());
    return;
  }
  const unsigned bits = Selected(*selector);
  Require(Selected(*selector) == bits && Selected(*again) == bits);
  if (selector->everything()) {
    Require(bits == (1u << Objects().size()) - 1);
    return;
  }
  // Joined by a comma, both count. A text that ends within an escape or a term takes the comma.
  if (const auto twice = parse(text + ',' + text); twice.ok()) Require(Selected(*twice) == bits);
  const auto half = text.find(',');
  if (half == std::string::npos) return;
  const auto left = parse(text.substr(0, half)), right = parse(text.substr(half + 1));
  if (left.ok() && right.ok() && text[half == 0 ? 0 : half - 1] != '\\') {
    Require((Selected(*left) & Selected(*right)) == bits);
  }
}

}  // namespace
}  // namespace selectors_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace selectors_fuzz;
  if (size == 0 || size > 1 << 12) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    Check(text, [](const std::string& one) { return LabelSelector::Parse(one); });
  } else {
    const std::vector<const ResourceType*>& all = AllResources();
    const ResourceType& resource = *all[data[0] / 2 % all.size()];
    Check(text, [&](const std::string& one) { return FieldSelector::Parse(resource, one); });
  }
  return 0;
}
