// yaml-cpp's nodes into JSON values, as sigs.k8s.io/yaml makes them of go-yaml's. For
// yaml_codec.cc.
//
//   YamlConverter(text.size(), &repeated).Convert(YAML::Load(text));
//
// Throws YamlTrouble, and what yaml-cpp throws. One thread.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace relist::fakeapi {

// Its text is the whole message of the error.
class YamlTrouble : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A document without anchors has no more nodes than twice its bytes; a budget lets anchors multiply
// that a little, and no alias bomb go off.
class YamlConverter {
 public:
  // `repeated` as for ReadYaml.
  YamlConverter(size_t bytes, std::vector<std::string>* repeated)
      : budget_(bytes * 8 + 1000), repeated_(repeated) {}

  nlohmann::ordered_json Convert(const YAML::Node& node);

 private:
  class Fields;

  // Counts a level, and a node, while it lives.
  class Level {
   public:
    explicit Level(YamlConverter* converter);
    ~Level() { --converter_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    YamlConverter* const converter_;
  };

  nlohmann::ordered_json Value(const YAML::Node& node);
  void Fill(const YAML::Node& map, Fields* fields);
  void Merge(const YAML::Node& from, Fields* fields);
  void NoteRepeated(const YAML::Node& key, const std::string& shown);

  size_t budget_;
  std::vector<std::string>* const repeated_;
  int depth_ = 0;
};

}  // namespace relist::fakeapi
