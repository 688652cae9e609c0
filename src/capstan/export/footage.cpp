#include "capstan/export/footage.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/record/picture/shading.hpp"
#include "capstan/record/run_directory.hpp"

namespace capstan::exports {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr int kAround = 24;               // corners of a circle
constexpr double kPlaneReach = 2;         // half the side of a plane, over the diagonal of the box
constexpr std::size_t kForces = 1 << 20;  // looked at to scale their lines

fs::path checked_folder(const fs::path& run) {
  if (!fs::exists(run)) throw InputError(run.string() + ": is not there, expected the folder of a run");
  if (!record::RunDirectory::holds_run(run))
    throw InputError(run.string() + ": is not the folder of a run; 'capstan run SCENE -o " + run.string() +
                     "' makes one");
  return run;
}

std::vector<int> chosen_frames(const FrameChoice& choice, int frames, const fs::path& run) {
  if (frames == 0) throw InputError(run.string() + ": has no frames yet");
  const int last = choice.last.value_or(frames - 1);
  if (choice.every < 1)
    throw InputError("--every: is " + std::to_string(choice.every) + ", expected 1 or more");
  if (choice.first < 0 || last >= frames || choice.first > last)
    throw InputError("--frames: is " + std::to_string(choice.first) + ":" + std::to_string(last) +
                     ", expected frames from 0 to " + std::to_string(frames - 1) + " of " + run.string() +
                     ", the first before the last");
  std::vector<int> chosen;
  for (int frame = choice.first; frame <= last; frame += choice.every) chosen.push_back(frame);
  return chosen;
}

SolidShape::Kind kind_of(const std::string& shape) {
  using Kind = SolidShape::Kind;
  if (shape == "sphere") return Kind::sphere;
  if (shape == "capsule") return Kind::capsule;
  if (shape == "cylinder") return Kind::cylinder;
  if (shape == "box") return Kind::box;
  return shape == "plane" ? Kind::plane : Kind::mesh;
}

/// Profiles that are turned about an axis have triangles without area at its ends.
Eigen::Matrix3Xi with_area(const record::Solid& solid) {
  Eigen::Matrix3Xi kept(3, solid.triangles.cols());
  Eigen::Index count = 0;
  for (const auto& t : solid.triangles.colwise()) {
    const Eigen::Vector3d a = solid.vertices.col(t[0]), b = solid.vertices.col(t[1]),
                          c = solid.vertices.col(t[2]);
    if ((b - a).cross(c - a).norm() > 1e-12 * (b - a).squaredNorm()) kept.col(count++) = t;
  }
  return kept.leftCols(count);
}

SolidShape shape_of(const std::string& text, std::size_t k) {
  SolidShape shape;
  shape.surface = record::solid_from_json(text, kAround);  // refuses what is not a shape
  shape.surface.triangles = with_area(shape.surface);
  shape.color = record::solid_color(shape.surface);
  Json json = Json::parse(text);
  shape.kind = kind_of(json.at("shape").get<std::string>());
  shape.name = json.value("name", "solid_" + std::to_string(k));
  shape.radius = json.value("radius", 0.0);
  shape.length = json.value("length", 0.0);
  if (shape.kind == SolidShape::Kind::box)
    for (std::size_t d = 0; d < 3; ++d) shape.size[int(d)] = json.at("size").at(d).get<double>();
  for (const char* key : {"name", "color", "structure"}) json.erase(key);
  shape.geometry = json.dump();
  return shape;
}

/// A square of the plane z = 0 around the point next to the middle of the box.
record::Solid square(const Eigen::AlignedBox3d& box, const capstan::Frame& pose) {
  Eigen::Vector3d middle = pose.apply_inverse(box.center());
  middle.z() = 0;
  const double h = kPlaneReach * box.diagonal().norm();
  Eigen::Matrix3Xd corners(3, 4);
  corners << -h, h, h, -h, -h, -h, h, h, 0, 0, 0, 0;
  Eigen::Matrix3Xi triangles(3, 2);
  triangles << 0, 0, 1, 2, 2, 3;
  record::Solid solid = record::mesh_solid(corners.colwise() + middle, triangles);
  solid.plane = true;
  return solid;
}

void extend(Eigen::AlignedBox3d& box, const Eigen::Matrix3Xd& points) {
  if (points.cols() == 0) return;
  box.extend(points.rowwise().minCoeff().eval());
  box.extend(points.rowwise().maxCoeff().eval());
}

/// The value below which 98 of 100 lie.
double high_value(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + std::ptrdiff_t(0.98 * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

double Survey::metres_per_newton() const {
  return high_force > 0 ? 0.05 * box.diagonal().norm() / high_force : 0;
}

Footage::Footage(const fs::path& run, const FrameChoice& choice)
    : manifest_(record::read_manifest(checked_folder(run))),
      reader_(run, manifest_),
      name_(fs::absolute(run / "").lexically_normal().parent_path().filename().string()),
      chosen_(chosen_frames(choice, reader_.frames(), run)) {
  for (std::size_t k = 0; k < manifest_.obstacles.size(); ++k)
    solids_.push_back(shape_of(manifest_.obstacles[k], k));
  poses_.resize(solids_.size());
}

Eigen::Vector3d Footage::mesh_color(int mesh) const {
  return manifest_.meshes[static_cast<std::size_t>(mesh)].color.value_or(record::mesh_color(mesh));
}

double Footage::time_code(int k) const {
  const double code = time(k) * manifest_.fps;
  return std::abs(code - std::round(code)) < 1e-6 ? std::round(code) : code;
}

record::Snapshot Footage::read(int k) {
  record::Snapshot snapshot = reader_.read(number(k));
  ++reads_;
  if (progress_) progress_(std::min(1.0, double(reads_) / expected_));
  return snapshot;
}

void Footage::begin(int passes, std::function<void(double)> progress) {
  progress_ = std::move(progress);
  reads_ = 0;
  expected_ = (passes + 1) * frames();
  look_around();
}

void Footage::look_around() {
  survey_ = {};
  for (auto& poses : poses_) poses.clear();
  std::vector<double> reach, forces;
  for (const SolidShape& solid : solids_)
    reach.push_back(solid.surface.vertices.cols() ? solid.surface.vertices.colwise().norm().maxCoeff() : 0);
  for (int k = 0; k < frames(); ++k) {
    const record::Snapshot snapshot = read(k);
    extend(survey_.box, snapshot.points);
    extend(survey_.box, snapshot.mesh_points);
    for (std::size_t s = 0; s < solids_.size(); ++s) {
      poses_[s].push_back(snapshot.obstacles[s]);
      if (solids_[s].kind == SolidShape::Kind::plane) continue;
      survey_.box.extend((snapshot.obstacles[s].x.array() - reach[s]).matrix().eval());
      survey_.box.extend((snapshot.obstacles[s].x.array() + reach[s]).matrix().eval());
    }
    survey_.has_contacts |= !snapshot.contacts.empty();
    for (const record::RecordedContact& contact : snapshot.contacts)
      if (forces.size() < kForces && contact.f.norm() > 0) forces.push_back(contact.f.norm());
  }
  if (survey_.box.isEmpty()) survey_.box = {Eigen::Vector3d::Constant(-1), Eigen::Vector3d::Constant(1)};
  survey_.high_force = high_value(forces);
  for (std::size_t s = 0; s < solids_.size(); ++s)
    if (solids_[s].kind == SolidShape::Kind::plane)
      solids_[s].surface = square(survey_.box, poses_[s].front());
}

bool stands_still(const std::vector<capstan::Frame>& poses) {
  return std::all_of(poses.begin(), poses.end(), [&](const capstan::Frame& pose) {
    return pose.x == poses.front().x && pose.R == poses.front().R;
  });
}

std::vector<Eigen::Quaterniond> turns_of(const std::vector<capstan::Frame>& poses) {
  std::vector<Eigen::Quaterniond> turns;
  for (const capstan::Frame& pose : poses) {
    Eigen::Quaterniond turn(pose.R);
    turn.normalize();
    if (turns.empty() ? turn.w() < 0 : turns.back().dot(turn) < 0) turn.coeffs() = -turn.coeffs();
    turns.push_back(turn);
  }
  return turns;
}

}  // namespace capstan::exports
