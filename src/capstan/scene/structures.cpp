#include "capstan/scene/structures.hpp"

#include "capstan/errors.hpp"
#include "capstan/surface/texture_field.hpp"

namespace capstan {
namespace {

using StructureKind = StructureSpec::Kind;

template <class Field>
std::shared_ptr<const StructureField> shared_field(Field field) {
  return std::make_shared<Field>(std::move(field));
}

std::shared_ptr<const StructureField> structure_of(const StructureSpec& s) {
  const PlaneAxes axes{s.origin, s.x, s.y};
  switch (s.kind) {
    case StructureKind::constant:
      return shared_field(ConstantField(s.direction));
    case StructureKind::axial:
      return shared_field(SweepField::axial(s.axis, s.origin));
    case StructureKind::radial:
      return shared_field(SweepField::radial(s.axis, s.origin));
    case StructureKind::concentric:
      return shared_field(SweepField::concentric(s.axis, s.origin));
    case StructureKind::sweep:
      return shared_field(SweepField(s.axis, s.origin, s.reference, s.direction));
    case StructureKind::channel:
      return shared_field(SteeringField::channel(axes, s.angle, s.width));
    case StructureKind::spread:
      return shared_field(SteeringField::spread(axes, s.angle, s.width));
    case StructureKind::slalom:
      return shared_field(SteeringField::slalom(axes, s.angle, s.wavelength));
    case StructureKind::texture:
      break;
  }
  const TextureWrap wrap = s.repeat ? TextureWrap::repeat : TextureWrap::clamp;
  return shared_field(PlanarTextureField(read_structure_png(s.file, wrap), s.origin, s.x, s.y));
}

}  // namespace

std::shared_ptr<const StructureField> make_structure(const SolidSpec& solid) {
  if (!solid.structure) return nullptr;
  try {
    return structure_of(*solid.structure);
  } catch (const InputError& error) {
    throw InputError("structure of '" + solid.name + "': " + error.what());
  }
}

}  // namespace capstan
