// The server's side of a scenario, the same in both worlds: the fake apiserver, the script of its
// faults, and the hand that writes objects and moves floors.
//
//   Stage stage(scenario, seed, port.Now());
//   stage.Prepare(now);                // initial objects
//   stage.Do(scenario.steps[0], now);
//   stage.Truth(scenario.clients[0]);  // what that client should have
//
// Belongs to the server's thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "fakeapi/api_server.h"
#include "scenarios/play/fault_script.h"
#include "scenarios/script/scenario.h"

namespace relist {

// Keys with their versions, as text.
using KeyVersions = std::map<ObjectKey, std::string>;

// What `relist serve` needs beside a scenario.
struct StageOptions {
  std::string token;             // asked of every request
  Duration compaction_period{};  // of etcd; zero: a script says when
  uint64_t start_revision = 1;   // of the first life; a later one begins beyond it
};

class Stage {
 public:
  // All outlive the stage. `history` gets the server's lines, and may be null.
  Stage(const Scenario& scenario, uint64_t seed, TimePoint start, History* history,
        const StageOptions& options = {});

  fakeapi::ApiServer& server() { return server_; }
  FaultScript& faults() { return faults_; }
  // The server's replicas but for the first, which is the server itself.
  std::vector<fakeapi::RequestHandler*> Replicas();

  void Prepare(TimePoint now);
  // What is done to the server; to clients it is the cast's to do.
  void Do(const StepSpec& step, TimePoint now);
  // Whether a step that is due happens: its dice fall, and the history is told.
  bool Happens(const StepSpec& step, TimePoint now);
  // The chaos is over: no replica stays behind.
  void CatchUp(TimePoint now);
  // Writes an object into each client's scope, so that a lost tail shows. What it cannot be made to
  // match (a selector of names, of absent labels) hears of it by a bookmark: its mark.
  void WriteSentinels(TimePoint now);
  // By client: the version that it has to hear of, 0 for those that see the sentinel itself.
  const std::vector<uint64_t>& marks() const { return marks_; }
  void SendMarks(TimePoint now);  // once more, for a client whose watch was not open
  KeyVersions Truth(const ClientSpec& client);
  // Steps that could not be done.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  bool Write(const ObjectSpec& object, const std::string& what, TimePoint now);
  bool WriteStatus(const ObjectSpec& object, const std::string& what, TimePoint now);
  bool Call(const std::string& method, const std::string& path, std::string body,
            const std::string& what, TimePoint now);
  void Change(const StepSpec& step, const std::string& where, TimePoint now);
  // For the part of the script at `line` and `column`; nothing for "".
  void MakeNamespace(const std::string& ns, int line, int column, TimePoint now);

  const Scenario& scenario_;
  const StageOptions options_;
  SeededChoices choices_;
  fakeapi::ApiServer server_;
  FaultScript faults_;
  History* const history_;
  std::vector<SeededChoices> dice_;  // a stream for each step, whatever came before it
  std::vector<uint64_t> marks_;
  std::vector<std::string> problems_;
};

}  // namespace relist
