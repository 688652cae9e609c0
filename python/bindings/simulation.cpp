#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings/bind.hpp"
#include "bindings/held_run.hpp"
#include "bindings/picture.hpp"
#include "bindings/solving.hpp"
#include "capstan/record/checkpoint.hpp"

namespace capstan::python {
namespace {

using Names = std::vector<std::string>;
using Pose = std::pair<Numpy<double, 1>, Numpy<double, 1>>;  // x, quaternion

std::unique_ptr<HeldRun> start(const std::string& text, const std::string& name, const std::string& folder,
                               const std::vector<std::pair<std::string, std::string>>& overrides,
                               int threads) {
  const nb::gil_scoped_release released;
  RunOptions options;
  options.threads = threads;
  for (const auto& [path, value] : overrides) options.overrides.push_back({path, value});
  return std::make_unique<HeldRun>(SceneRun::start(SceneText{text, name, folder}, options));
}

Fields report_fields(const StepReport& report) {
  Fields result;
  result["t"] = report.t;
  result["dt"] = report.dt;
  result["contacts"] = report.contacts;
  result["sweeps"] = report.sweeps;
  result["nu"] = report.nu;
  result["error"] = report.error;
  result["status"] = to_string(report.status);
  result["attempts"] = report.attempts;
  result["at_floor"] = report.at_floor;
  result["penetration"] = report.penetration;
  result["obstacle_penetration"] = report.obstacle_penetration;
  result["penetration_ratio"] = report.penetration_ratio;
  result["crossings"] = report.crossings;
  result["held"] = report.held;
  result["seconds_detect"] = report.seconds_detect;
  result["seconds_assemble"] = report.seconds_assemble;
  result["seconds_solve"] = report.seconds_solve;
  result["seconds_advance"] = report.seconds_advance;
  return result;
}

Fields step(HeldRun& held) {
  return report_fields(held.work([](SceneRun& run) { return run.step(); }));
}

nb::bytes checkpoint(HeldRun& held) {
  const std::string bytes = record::checkpoint_bytes(held.run().moment());
  return nb::bytes(bytes.data(), bytes.size());
}

void restore(HeldRun& held, const nb::bytes& bytes, const std::string& name) {
  held.run().go_to(record::parse_checkpoint({bytes.c_str(), bytes.size()}, name));
}

std::tuple<double, double, double> energy(HeldRun& held) {
  const Energy now = held.world().energy();
  return {now.kinetic, now.elastic, now.gravity};
}

/// 0 strand, 1 rigid, 2 soft, 3 obstacle; as Contacts of _contacts.py has them.
std::pair<std::uint8_t, int> named(const ContactSide& side) {
  if (side.strand >= 0) return {0, side.strand};
  if (side.rigid >= 0) return {1, side.rigid};
  if (side.soft >= 0) return {2, side.soft};
  return {3, side.obstacle};
}

Fields contacts(HeldRun& held) {
  const Simulation& simulation = held.run().simulation();
  const std::vector<Contact>& all = simulation.contacts();
  const std::size_t count = simulation.contact_states().size();  // none after restore()
  std::vector<std::uint8_t> states, kinds;
  std::vector<int> bodies;
  std::vector<double> gaps;
  for (std::size_t k = 0; k < count; ++k) {
    states.push_back(static_cast<std::uint8_t>(simulation.contact_states()[k]));
    gaps.push_back(all[k].gap);
    for (const ContactSide& side : {all[k].a, all[k].b}) {
      kinds.push_back(named(side).first);
      bodies.push_back(named(side).second);
    }
  }
  Fields result;
  result["points_a"] = rows_of(count, 3, [&](std::size_t k) { return all[k].point_a; });
  result["points_b"] = rows_of(count, 3, [&](std::size_t k) { return all[k].point_b; });
  result["normals"] = rows_of(count, 3, [&](std::size_t k) { return all[k].frame.col(0); });
  result["tangents"] = rows_of(count, 3, [&](std::size_t k) { return all[k].frame.col(1); });
  result["gaps"] = to_numpy(std::move(gaps));
  result["impulses"] = rows_of(count, 3, [&](std::size_t k) { return simulation.impulses()[k]; });
  result["friction"] = rows_of(count, 2, [&](std::size_t k) { return simulation.contact_friction()[k]; });
  const std::vector<double>& beta = simulation.contact_intensity();
  result["beta"] = to_numpy(std::vector<double>(beta.begin(), beta.begin() + std::ptrdiff_t(count)));
  result["state_codes"] = to_numpy(std::move(states));
  result["kind_codes"] = to_numpy(std::move(kinds), std::array{count, std::size_t(2)});
  result["bodies"] = to_numpy(std::move(bodies), std::array{count, std::size_t(2)});
  return result;
}

template <class All>
Names names_of(const All& all) {
  Names names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

/// A vector at every point of every strand.
template <class At>
Numpy<double, 2> at_points(const World& world, const At& at) {
  std::vector<Eigen::Vector3d> values;
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) values.push_back(at(*strand.body, s));
  return rows_of(values.size(), 3, [&](std::size_t k) { return values[k]; });
}

Numpy<int, 1> strand_starts(HeldRun& held) {
  std::vector<int> starts{0};
  for (const WorldStrand& strand : held.world().strands)
    starts.push_back(starts.back() + static_cast<int>(strand.collision_s.size()));
  return to_numpy(std::move(starts));
}

template <class Of>
Numpy<double, 2> of_rigid(const World& world, int size, const Of& of) {
  return rows_of(world.rigid.size(), size, [&](std::size_t k) { return of(*world.rigid[k].body); });
}

Numpy<double, 1> numbers_of(std::size_t count, const auto& of) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = of(k);
  return to_numpy(std::move(values));
}

void bind_strands(nb::class_<HeldRun>& held) {
  held.def("strand_names", [](HeldRun& h) { return names_of(h.world().strands); })
      .def("strand_starts", &strand_starts)
      .def("strand_radii",
           [](HeldRun& h) {
             const World& world = h.world();
             return numbers_of(world.strands.size(),
                               [&](std::size_t k) { return world.strands[k].body->properties().radius; });
           })
      .def("strand_positions",
           [](HeldRun& h) {
             return at_points(h.world(), [](const Strand& strand, double s) { return strand.position(s); });
           })
      .def("strand_velocities",
           [](HeldRun& h) {
             return at_points(h.world(), [](const Strand& strand, double s) { return strand.velocity(s); });
           })
      .def("set_strand_forces", &HeldRun::set_strand_forces, nb::arg("forces").noconvert());
}

void bind_rigid(nb::class_<HeldRun>& held) {
  held.def("rigid_names", [](HeldRun& h) { return names_of(h.world().rigid); })
      .def("rigid_masses",
           [](HeldRun& h) {
             const World& world = h.world();
             return numbers_of(world.rigid.size(),
                               [&](std::size_t k) { return world.rigid[k].body->mass_properties().mass; });
           })
      .def("rigid_positions",
           [](HeldRun& h) { return of_rigid(h.world(), 3, [](const RigidBody& b) { return b.frame().x; }); })
      .def("rigid_centres",
           [](HeldRun& h) { return of_rigid(h.world(), 3, [](const RigidBody& b) { return b.centre(); }); })
      .def("rigid_quaternions",
           [](HeldRun& h) {
             return of_rigid(h.world(), 4, [](const RigidBody& b) { return quaternion_of(b.frame().R); });
           })
      .def("rigid_velocities",
           [](HeldRun& h) {
             return of_rigid(h.world(), 3, [](const RigidBody& b) { return b.twist().linear; });
           })
      .def("rigid_angular_velocities",
           [](HeldRun& h) {
             return of_rigid(h.world(), 3, [](const RigidBody& b) { return b.twist().angular; });
           })
      .def("set_rigid_forces", &HeldRun::set_rigid_forces, nb::arg("forces").noconvert(),
           nb::arg("torques").noconvert());
}

/// The numbers of a soft body, where they are: nodes are columns there, so rows here.
using View = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
View view_of(const Eigen::Matrix3Xd& nodes) {
  return View(nodes.data(), {std::size_t(nodes.cols()), std::size_t(3)});
}

const SoftBody& soft_body(HeldRun& held, int k) { return *held.world().soft.at(std::size_t(k)).body; }

Numpy<int, 2> soft_triangles(HeldRun& held, int k) {
  std::vector<int> corners;
  for (const auto& triangle : soft_body(held, k).triangles())
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  const std::size_t count = corners.size() / 3;
  return to_numpy(std::move(corners), std::array{count, std::size_t(3)});
}

void bind_soft(nb::class_<HeldRun>& held) {
  held.def("soft_names", [](HeldRun& h) { return names_of(h.world().soft); })
      .def("soft_closed", [](HeldRun& h, int k) { return h.world().soft.at(std::size_t(k)).surface.closed; })
      .def(
          "soft_positions", [](HeldRun& h, int k) { return view_of(soft_body(h, k).positions()); },
          nb::rv_policy::reference_internal)
      .def(
          "soft_velocities", [](HeldRun& h, int k) { return view_of(soft_body(h, k).velocities()); },
          nb::rv_policy::reference_internal)
      .def("soft_masses",
           [](HeldRun& h, int k) { return to_numpy(Eigen::VectorXd(soft_body(h, k).masses())); })
      .def("soft_strain", [](HeldRun& h, int k) { return to_numpy(soft_body(h, k).strain()); })
      .def("soft_triangles", &soft_triangles)
      .def("soft_holds",
           [](HeldRun& h, int k) {
             std::vector<Numpy<int, 1>> holds;
             for (const HeldNodes& hold : soft_body(h, k).held())
               holds.push_back(to_numpy(std::vector(hold.nodes)));
             return holds;
           })
      .def("set_soft_forces", &HeldRun::set_soft_forces, nb::arg("body"), nb::arg("forces").noconvert());
}

Frame frame_of(const Vector& x, const Vector& quaternion) {
  const auto q = view(quaternion);
  return {view(x), Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix()};
}

Pose pose_fields(const Frame& frame) {
  return {to_numpy(Eigen::VectorXd(frame.x)), to_numpy(Eigen::VectorXd(quaternion_of(frame.R)))};
}

void bind_driven(nb::class_<HeldRun>& held) {
  held.def("obstacle_names", [](HeldRun& h) { return names_of(h.world().obstacles); })
      .def("pose", [](HeldRun& h, const HeldRun::Driven& what) { return pose_fields(h.pose(what)); })
      .def(
          "drive_to",
          [](HeldRun& h, const HeldRun::Driven& what, const Vector& x, const Vector& q, double end) {
            h.drive_to(what, frame_of(x, q), end);
          },
          nb::arg("what"), nb::arg("x").noconvert(), nb::arg("quaternion").noconvert(), nb::arg("end"))
      .def(
          "drive_at",
          [](HeldRun& h, const HeldRun::Driven& what, const Vector& v, const Vector& w, double end) {
            h.drive_at(what, {view(v), view(w)}, end);
          },
          nb::arg("what"), nb::arg("velocity").noconvert(), nb::arg("angular_velocity").noconvert(),
          nb::arg("end"))
      .def("let_go", &HeldRun::let_go, nb::arg("what"));
}

void bind_recording(nb::class_<HeldRun>& held) {
  held.def(
          "record",
          [](HeldRun& h, const std::string& folder, bool overwrite) { h.run().record(folder, overwrite); },
          nb::arg("folder"), nb::arg("overwrite"))
      .def("is_recording", [](HeldRun& h) { return h.run().is_recording(); })
      .def("finish", [](HeldRun& h) { h.run().finish(); })
      .def("stop_recording", [](HeldRun& h) { h.run().stop_recording(); })
      .def("checkpoint", &checkpoint)
      .def("restore", &restore, nb::arg("bytes"), nb::arg("name"));
}

}  // namespace

void bind_simulation(nb::module_& module) {
  nb::class_<HeldRun> held(module, "Run");
  held.def_static("start", &start, nb::arg("text"), nb::arg("name"), nb::arg("folder"), nb::arg("overrides"),
                  nb::arg("threads"))
      .def("step", &step)
      .def_prop_ro("t", [](HeldRun& h) { return h.run().simulation().t(); })
      .def_prop_ro("dt", [](HeldRun& h) { return h.run().simulation().dt(); })
      .def_prop_ro("steps", [](HeldRun& h) { return h.run().simulation().steps(); })
      .def_prop_ro("frames_done", [](HeldRun& h) { return h.run().frames_done(); })
      .def_prop_ro("frames_wanted", [](HeldRun& h) { return h.run().frames_wanted(); })
      .def_prop_ro("duration", [](HeldRun& h) { return h.run().scene().simulation.duration; })
      .def_prop_ro("fps", [](HeldRun& h) { return h.run().scene().simulation.fps; })
      .def_prop_ro("title", [](HeldRun& h) { return h.run().scene().title; })
      .def("gravity", [](HeldRun& h) { return to_numpy(Eigen::VectorXd(h.world().gravity)); })
      .def("set_gravity", [](HeldRun& h, const Vector& g) { h.run().simulation().world().gravity = view(g); })
      .def("warnings", [](HeldRun& h) { return h.run().warnings(); })
      .def("energy", &energy)
      .def("certificate", [](HeldRun& h) { return to_python(h.run().simulation().certificate()); })
      .def("contacts", &contacts)
      .def("change_friction", [](HeldRun& h, const std::string& tables) { h.run().change_friction(tables); })
      .def("keep_problem", &HeldRun::keep_problem)
      .def("problem", [](HeldRun& h) { return h.problem(); })
      .def(
          "picture", [](HeldRun& h, const record::PictureOptions& o) { return draw(h.run().picture(), o); },
          nb::arg("options"));
  bind_strands(held);
  bind_rigid(held);
  bind_soft(held);
  bind_driven(held);
  bind_recording(held);
}

}  // namespace capstan::python
