// The real server's rules for names, label keys and values, and their texts.
//
//   for (const std::string& why : QualifiedNameErrors("-bad-")) ...   // "name part must consist of
//   ..."
//
// An empty answer is a good name. Texts are those of the recordings (chapter validation).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace relist {

using NameErrors = std::vector<std::string>;

NameErrors Dns1123LabelErrors(std::string_view text);      // namespaces
NameErrors Dns1123SubdomainErrors(std::string_view text);  // most kinds
NameErrors Dns1035LabelErrors(std::string_view text);      // services
NameErrors QualifiedNameErrors(std::string_view text);     // label and annotation keys, finalizers
NameErrors LabelValueErrors(std::string_view text);
NameErrors ConfigKeyErrors(std::string_view text);  // keys of data in configmaps and secrets

}  // namespace relist
