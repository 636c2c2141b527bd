// What was measured: a name, a number, a unit, and the bound that the project promises, if any.
//
//   Figures figures;
//   figures.Add({"idle memory", 9.1, "MB", {.most = 15}});
//   figures.Table();   // for people
//   figures.ToJson();  // for machines
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace relist::benchmarks {

struct Bound {
  std::optional<double> least, most;
};

struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  Bound bound = {};
  bool Holds() const;
};

class Figures {
 public:
  void Add(Figure figure);
  std::string Table() const;
  std::string ToJson() const;
  bool AllHold() const;

 private:
  std::vector<Figure> figures_;
};

// Each measures one thing and adds its figures. Phases are repeated until they took a CPU second.
void MeasureStart(Figures& figures);
void MeasureMemory(Figures& figures);
void MeasureList(Figures& figures);
void MeasureFanOut(Figures& figures);
void MeasureIngest(Figures& figures);
void MeasureLives(Figures& figures);
void MeasurePump(Figures& figures);
// Takes ten minutes. `serve` is tools/real/serve.
void MeasureBesideReal(Figures& figures, const std::string& serve);
// `client` is what `go build` makes of tools/benchmarks/client_go. With `serve`, which may be
// empty, protobuf from a real server is measured, too.
void MeasureBesideClientGo(Figures& figures, const std::string& client, const std::string& serve);

}  // namespace relist::benchmarks
