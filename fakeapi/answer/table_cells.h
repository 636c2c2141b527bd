// The cells of each kind's row, in the order of its columns; see table.h.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/time.h"
#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {

// Time since metadata.creationTimestamp.
std::string AgeCell(const nlohmann::ordered_json& value, TimePoint now);

nlohmann::ordered_json ConfigMapCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json SecretCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json NamespaceCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json LeaseCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json ServiceCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json DeploymentCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json NodeCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json EventCells(const nlohmann::ordered_json& value, TimePoint now);
nlohmann::ordered_json PodCells(const nlohmann::ordered_json& value,
                                TimePoint now);  // pod_cells.cc

}  // namespace relist::fakeapi
