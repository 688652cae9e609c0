// What a run is judged by, and what its user is told to change.
#include "capstan/record/verdict.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace capstan::record {
namespace {

constexpr RunDemands kDemands{.tolerance = 1e-4, .dt = 4e-3};

Summary good() {
  Summary summary;
  summary.steps = 100;
  summary.max_penetration_ratio = 0.09;
  return summary;
}

TEST(Verdict, AGoodRunHasNoFindings) { EXPECT_TRUE(judge(good(), kDemands).empty()); }

TEST(Verdict, CrossingsStepsAndOverlapsAreFoundEachForItself) {
  Summary crossed = good(), missed = good(), deep = good();
  crossed.crossings = 2;
  missed.unconverged = 3;
  missed.max_error = 0.02;
  deep.max_penetration_ratio = 0.11;
  const auto kind_of = [](const Summary& summary) {
    const std::vector<Finding> findings = judge(summary, kDemands);
    return findings.size() == 1 ? findings[0].kind : "several, or none";
  };
  EXPECT_EQ(kind_of(crossed), "crossings");
  EXPECT_EQ(kind_of(missed), "tolerance");
  EXPECT_EQ(kind_of(deep), "overlap");
  EXPECT_EQ(judge(missed, kDemands)[0].what,
            "3 of 100 steps ended above the tolerance of 0.0001, the largest error is 0.02");
  EXPECT_NE(judge(deep, kDemands)[0].advice.find("--set simulation.dt=0.002"), std::string::npos);
  EXPECT_NE(judge(deep, {.tolerance = 1e-4, .dt = 0})[0].advice.find("a smaller dt"), std::string::npos);
}

TEST(Verdict, WhatWasNotRecordedIsNotCalledGood) {
  Summary old = good();
  old.crossings = kNotRecorded;
  old.max_penetration_ratio = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Finding> findings = judge(old, kDemands);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, "not_recorded");
}

}  // namespace
}  // namespace capstan::record
