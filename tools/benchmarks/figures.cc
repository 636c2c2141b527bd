#include "tools/benchmarks/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace relist::benchmarks {
namespace {

std::string Text(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string Text(const Bound& bound) {
  if (bound.least) return "at least " + Text(*bound.least);
  if (bound.most) return "at most " + Text(*bound.most);
  return "";
}

}  // namespace

bool Figure::Holds() const {
  return (!bound.least || value >= *bound.least) && (!bound.most || value <= *bound.most);
}

void Figures::Add(Figure figure) {
  figures_.push_back(std::move(figure));
}

std::string Figures::Table() const {
  std::string out;
  for (const Figure& figure : figures_) {
    out += fmt::format("{:<58} {:>10} {:<24} {}{}\n", figure.name, Text(figure.value), figure.unit,
                       Text(figure.bound), figure.Holds() ? "" : "  MISSED");
  }
  return out;
}

std::string Figures::ToJson() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Figure& figure : figures_) {
    nlohmann::ordered_json one = {
        {"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}};
    if (figure.bound.least) one["least"] = *figure.bound.least;
    if (figure.bound.most) one["most"] = *figure.bound.most;
    all.push_back(one);
  }
  return all.dump(1) + "\n";
}

bool Figures::AllHold() const {
  return std::all_of(figures_.begin(), figures_.end(), [](const Figure& f) { return f.Holds(); });
}

}  // namespace relist::benchmarks
