#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/picture.hpp"
#include "bindings/solving.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/statistics.hpp"

namespace capstan::python {
namespace {

using record::RecordedContact;

/// The frames of a run's folder.
class RunReader {
 public:
  explicit RunReader(const std::string& folder)
      : manifest_(record::read_manifest(folder)), reader_(folder, manifest_) {}
  record::FrameReader& frames() { return reader_; }
  const record::Manifest& manifest() const { return manifest_; }

 private:
  record::Manifest manifest_;
  record::FrameReader reader_;
};

Fields contacts_of(const std::vector<RecordedContact>& all) {
  const std::size_t count = all.size();
  std::vector<int> bodies;
  std::vector<std::uint8_t> states;
  std::vector<double> beta;
  for (const RecordedContact& contact : all) {
    bodies.insert(bodies.end(), {contact.a, contact.b});
    states.push_back(static_cast<std::uint8_t>(contact.state));
    beta.push_back(contact.beta);
  }
  Fields result;
  result["points"] = rows_of(count, 3, [&](std::size_t k) { return all[k].x; });
  result["forces"] = rows_of(count, 3, [&](std::size_t k) { return all[k].f; });
  result["bodies"] = to_numpy(std::move(bodies), std::array{count, std::size_t(2)});
  result["state_codes"] = to_numpy(std::move(states));
  result["beta"] = to_numpy(std::move(beta));
  return result;
}

Fields read_frame(RunReader& run, int frame) {
  record::Snapshot snapshot = run.frames().read(frame);
  const std::vector<Frame>& solids = snapshot.obstacles;
  Fields result;
  result["t"] = snapshot.t;
  result["contacts"] = contacts_of(snapshot.contacts);
  result["strand_points"] = rows_to_numpy(snapshot.points);
  result["solid_positions"] = rows_of(solids.size(), 3, [&](std::size_t k) { return solids[k].x; });
  result["solid_quaternions"] =
      rows_of(solids.size(), 4, [&](std::size_t k) { return quaternion_of(solids[k].R); });
  result["mesh_points"] = rows_to_numpy(snapshot.mesh_points);
  result["mesh_strain"] = to_numpy(Eigen::VectorXd(snapshot.mesh_values.cast<double>()));
  return result;
}

std::vector<double> times_of(RunReader& run) {
  std::vector<double> times;
  for (int k = 0; k < run.frames().frames(); ++k) times.push_back(run.frames().time(k));
  return times;
}

/// Rows of stats.csv in the order of its columns.
using Row = std::tuple<int, double, double, int, double, int, double, bool, double, double, double, double,
                       double, double, double, double, double, double, double, int, std::string>;
std::vector<Row> statistics(const std::string& folder) {
  std::vector<Row> rows;
  for (const record::StepStatistics& s : record::read_statistics(folder).steps)
    rows.emplace_back(s.step, s.t, s.dt, s.contacts, s.nu, s.sweeps, s.error, s.converged, s.detect,
                      s.assemble, s.solve, s.advance, s.record, s.kinetic, s.elastic, s.gravity,
                      s.penetration, s.obstacle_penetration, s.penetration_ratio, s.crossings, s.status);
  return rows;
}

}  // namespace

void bind_record(nb::module_& module) {
  nb::class_<RunReader>(module, "RunReader")
      .def(nb::init<const std::string&>(), nb::arg("folder"))
      .def("times", &times_of)
      .def("dropped", [](RunReader& run) { return run.frames().dropped(); })
      .def("points_per_strand", [](RunReader& run) { return run.manifest().layout.points_per_strand; })
      .def("points_per_mesh", [](RunReader& run) { return run.manifest().layout.points_per_mesh; })
      .def("solids", [](RunReader& run) { return run.manifest().obstacles; })
      .def("frame", &read_frame, nb::arg("frame"))
      .def(
          "picture",
          [](RunReader& run, int frame, const record::PictureOptions& options) {
            return draw(record::picture_scene(run.manifest(), run.frames().read(frame)), options);
          },
          nb::arg("frame"), nb::arg("options"));
  module.def("statistics", &statistics, nb::arg("folder"));
}

}  // namespace capstan::python
