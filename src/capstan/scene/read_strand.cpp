#include "capstan/scene/names.hpp"
#include "capstan/scene/read_rods.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

using StrandKind = StrandScript::Shape;

StrandKind strand_kind_named(const std::string& name) {
  if (name == "points") return StrandKind::points;
  if (name == "natural") return StrandKind::natural;
  if (name == "arc") return StrandKind::arc;
  if (name == "helix") return StrandKind::helix;
  if (name == "wrap") return StrandKind::wrap;
  return name == "overhand_knot" ? StrandKind::overhand_knot : StrandKind::line;
}

void read_points(TableReader& table, StrandScript& strand) {
  strand.points = table.required("points", table.points("points"));
  if (table.has("points") && strand.points.size() == 1) table.wrong("points", "two points or more");
  for (std::size_t i = 1; i < strand.points.size(); ++i)
    if (!((strand.points[i] - strand.points[i - 1]).norm() > 0))
      table.wrong_item("points", i, "is the point before again, expected another");
}

/// Start, direction, and what the curve needs beside them.
void read_curve(TableReader& table, StrandScript& strand) {
  const StrandKind shape = strand.shape;
  strand.start = table.vector("start").value_or(strand.start);
  strand.direction = table.direction("direction").value_or(strand.direction);
  if (shape != StrandKind::wrap) strand.length = table.required("length", table.number("length"));
  const bool bent = shape != StrandKind::line && shape != StrandKind::natural;
  if (bent) strand.radius = table.required("radius", table.number("radius"));
  if (shape == StrandKind::helix || shape == StrandKind::wrap)
    strand.pitch = table.number("pitch").value_or(0);
  if (shape == StrandKind::wrap) {
    strand.angle = table.required("angle", table.number("angle"));
    strand.tails = table.required("tails", table.pair("tails"), Eigen::Vector2d(1, 1));
  }
}

/// The knot's tails leave a loop of about three turns of the circle behind.
void check_knot(TableReader& table, const StrandScript& strand) {
  if (strand.shape == StrandKind::overhand_knot && strand.radius > 0 && strand.length > 0 &&
      strand.length < 20 * strand.radius)
    table.wrong("length", "at least 20 times the radius of the knot");
}

void check_normal(TableReader& table, const StrandScript& strand) {
  if (!table.has("normal") || strand.shape == StrandKind::points) return;
  if (strand.direction.cross(strand.normal).norm() < 1e-6)
    table.wrong("normal", "a vector that is not along the direction");
}

void read_loads(TableReader& table, StrandScript& strand) {
  for (TableReader& load : table.tables("load", "load")) {
    StrandScript::Load next;
    next.at = load.number("at").value_or(next.at);
    next.force = load.required("force", load.vector("force"), next.force);
    load.finish();
    strand.loads.push_back(next);
  }
}

}  // namespace

void read_strand(TableReader table, Scene& scene) {
  StrandScript strand;
  strand.name = read_name(table, scene, "strand", scene.strands.size());
  read_rods(table, scene, strand);
  const auto shape = table.text("shape");
  const bool unknown = table.has("shape") && !shape;
  const std::string shape_name = shape.value_or(table.has("points") ? "points" : "line");
  table.decided_by("shape", shape_name);
  strand.shape = strand_kind_named(shape_name);
  strand.normal = table.direction("normal").value_or(strand.normal);
  if (strand.shape == StrandKind::points) read_points(table, strand);
  if (strand.shape != StrandKind::points && !unknown) read_curve(table, strand);
  check_knot(table, strand);
  check_normal(table, strand);
  if (strand.shape != StrandKind::natural) strand.twist = table.number("twist").value_or(strand.twist);
  if (auto root = table.table("root", "end")) strand.root = read_end(*root, scene, strand.model, true);
  if (auto tip = table.table("tip", "end")) strand.tip = read_end(*tip, scene, strand.model, false);
  read_loads(table, strand);
  check_skip(table, strand, strand.length);
  table.finish();
  scene.strands.push_back(strand);
}

}  // namespace capstan::scene_text
