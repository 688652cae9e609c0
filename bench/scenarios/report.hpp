#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/scenarios/row.hpp"

namespace capstan::scenarios {

/// Writes rows.csv, rows.json, summary.md (distributions and the worst scenes) and worst.txt into a folder.
void write_report(const std::vector<Row>& rows, const std::filesystem::path& folder);

/// How many did what, in a few lines for a person.
std::string summary_text(const std::vector<Row>& rows);
std::string summary_json(const std::vector<Row>& rows);

}  // namespace capstan::scenarios
