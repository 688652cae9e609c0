#include "capstan/surface/texture_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Red 255 with green in the middle: along t (0.3 degrees off, since a byte has no middle).
const Bytes kAlongT{255, 128, 0}, kAgainstT{0, 127, 0}, kAlongB{128, 255, 0}, kDiagonal{255, 255, 9},
    kNone{127, 128, 77};
constexpr double kByte = 0.005;

StructureTexture texture(int width, int height, const std::vector<Bytes>& pixels,
                         TextureWrap wrap = TextureWrap::repeat) {
  Bytes rgb;
  for (const Bytes& pixel : pixels) rgb.insert(rgb.end(), pixel.begin(), pixel.end());
  return StructureTexture(width, height, rgb, wrap);
}

void expect_along(const Vector2d& s, const Vector2d& direction, double tolerance = kByte) {
  EXPECT_NEAR(s.norm(), 1, 1e-14);
  EXPECT_NEAR(std::abs(s.dot(direction.normalized())), 1, tolerance);
}

TEST(StructureTexture, DecodesRedAndGreen) {
  expect_along(texture(1, 1, {kDiagonal}).at(0.3, 0.9), {1, 1}, 1e-14);
  expect_along(texture(1, 1, {kAlongT}).at(0, 0), {1, 1.0 / 255}, 1e-14);
  expect_along(texture(1, 1, {{0, 255, 0}}).at(0, 0), {-1, 1}, 1e-14);
  expect_along(texture(1, 1, {{255, 191, 0}}).at(0, 0), {1, 127.0 / 255}, 1e-14);
}

TEST(StructureTexture, TheMiddleOfAByteIsNoStructure) {
  for (const int red : {127, 128})
    for (const int green : {127, 128})
      EXPECT_EQ(texture(1, 1, {{std::uint8_t(red), std::uint8_t(green), 0}}).at(0.5, 0.5), Vector2d(0, 0));
  // 0.05 is 6.4 steps of 2/255 from the middle at 127.5.
  EXPECT_EQ(texture(1, 1, {{133, 127, 0}}).at(0.5, 0.5), Vector2d(0, 0));
  EXPECT_NEAR(texture(1, 1, {{134, 127, 0}}).at(0.5, 0.5).norm(), 1, 1e-15);
  EXPECT_NEAR(StructureTexture(1, 1, {129, 127, 0}, TextureWrap::repeat, 0.01).at(0, 0).norm(), 1, 1e-15);
}

TEST(StructureTexture, TheFirstRowIsAtTheTop) {
  const StructureTexture t = texture(2, 2, {kAlongT, kAlongB, kDiagonal, kNone});
  expect_along(t.at(0.25, 0.75), {1, 0});
  expect_along(t.at(0.75, 0.75), {0, 1});
  expect_along(t.at(0.25, 0.25), {1, 1});
  EXPECT_EQ(t.at(0.75, 0.25), Vector2d(0, 0));
}

TEST(StructureTexture, SignFlipsDoNotCancelBetweenPixels) {
  const StructureTexture t = texture(2, 1, {kAlongT, kAgainstT});
  for (const double u : {0.25, 0.4, 0.5, 0.6, 0.75, 0.99}) expect_along(t.at(u, 0.5), {1, 0});
}

TEST(StructureTexture, InterpolatesTheAngleAndHasNoneWhereDirectionsCancel) {
  // From along t to 45 degrees: halfway at 22.5. From t to b they cancel in the middle only.
  expect_along(texture(2, 1, {kAlongT, kDiagonal}, TextureWrap::clamp).at(0.5, 0.5),
               {std::cos(M_PI / 8), std::sin(M_PI / 8)}, 1e-4);
  const StructureTexture crossed =
      StructureTexture(2, 1, {255, 255, 0, 0, 255, 0}, TextureWrap::clamp);  // 45 and 135 degrees, exactly
  EXPECT_EQ(crossed.at(0.5, 0.5), Vector2d(0, 0));
  expect_along(crossed.at(0.49, 0.5), {1, 1}, 1e-12);
  expect_along(crossed.at(0.51, 0.5), {-1, 1}, 1e-12);
}

TEST(StructureTexture, StructureEndsHalfwayToAPixelWithout) {
  const StructureTexture t = texture(2, 1, {kAlongT, kNone}, TextureWrap::clamp);
  expect_along(t.at(0.49, 0.5), {1, 0});
  EXPECT_EQ(t.at(0.51, 0.5), Vector2d(0, 0));
}

TEST(StructureTexture, RepeatsOrClampsOutside) {
  const std::vector<Bytes> pixels{kAlongT, kAlongB};
  const StructureTexture repeated = texture(2, 1, pixels),
                         clamped = texture(2, 1, pixels, TextureWrap::clamp);
  for (const double tile : {-3.0, -1.0, 0.0, 1.0, 1e12}) {
    expect_along(repeated.at(0.25 + tile, 0.5 - tile), {1, 0});
    expect_along(repeated.at(0.75 + tile, 0.5 + tile), {0, 1});
  }
  expect_along(clamped.at(-7, -7), {1, 0});
  expect_along(clamped.at(1e300, 9), {0, 1});
  // At the edges: repeat blends the last pixel with the first, clamp does not.
  expect_along(clamped.at(0, 0.5), {1, 0});
  expect_along(clamped.at(1, 1), {0, 1});
  expect_along(repeated.at(0.1, 0.5), {1, 0});
  expect_along(texture(3, 1, {kAlongT, kAlongB, kAgainstT}).at(0, 0.5), {1, 0});  // the first and the last
  EXPECT_EQ(texture(2, 1, {{255, 255, 0}, {0, 255, 0}}).at(1, 0.5), Vector2d(0, 0));  // equal shares, crossed
}

TEST(PlanarTextureField, LaysThePictureOnThePlane) {
  // Origin (1, 0, 0), 2 m wide along y, 4 m high along z: t = y, b = z.
  const StructureTexture t = texture(2, 2, {kAlongT, kAlongB, kDiagonal, kNone});
  const PlanarTextureField field(t, {1, 0, 0}, {0, 2, 0}, {0, 0, 4});
  const auto at = [&](const Vector3d& p) { return field.at({p, Vector3d::UnitX()}); };
  EXPECT_NEAR(std::abs(at({1, 0.5, 3}).dot(Vector3d::UnitY())), 1, kByte);
  EXPECT_NEAR(std::abs(at({1, 1.5, 3}).dot(Vector3d::UnitZ())), 1, kByte);
  EXPECT_NEAR(std::abs(at({4, 0.5, 1}).dot(Vector3d(0, 1, 1).normalized())), 1, 1e-14);  // off the plane
  EXPECT_EQ(at({1, 1.5, 1}), Vector3d(Vector3d::Zero()));
  EXPECT_LT((at({1, 0.5, 3}) - at({1, 2.5, 7})).norm(), 1e-14);  // one tile on
}

TEST(PlanarTextureField, SkewedAxesKeepTheCoordinatesAndPaintAtRightAngles) {
  const PlanarTextureField field(texture(1, 2, {kAlongB, kAlongT}), {0, 0, 0}, {1, 0, 0}, {1, 1, 0});
  // (u, v) = (0.1, 0.75) is at (0.85, 0.75): the upper pixel, along b = y.
  EXPECT_NEAR(std::abs(field.at({{0.85, 0.75, 0}, Vector3d::UnitZ()})[1]), 1, kByte);
}

TEST(MeshTextureField, FollowsTheCoordinatesOfTheVertices) {
  // The texture is turned by 90 degrees on the mesh: u grows along y, v along -x.
  const MeshSurface square({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  const std::vector<Vector2d> uv{{0, 1}, {0, 0}, {1, 0}, {1, 1}};
  const MeshTextureField field(texture(2, 1, {kAlongT, {255, 191, 0}}), square, uv);
  EXPECT_NEAR(std::abs(field.at({{0.5, 0.25, 0}, Vector3d::UnitZ()})[1]), 1, kByte);
  const Vector3d expected = Vector3d(-127.0 / 255, 1, 0).normalized();  // t = y, b = -x
  EXPECT_NEAR(
      std::abs(field.at({{0.5, 0.75, 0}, Vector3d::UnitZ(), 1, Vector3d(0.25, 0.5, 0.25)}).dot(expected)), 1,
      1e-14);
}

TEST(MeshTextureField, AgreesWithThePlanarFieldOnAPlane) {
  const StructureTexture t = texture(2, 2, {kAlongT, kDiagonal, kAlongB, {0, 255, 0}});
  const PlanarTextureField planar(t, {0, 0, 0}, {2, 0, 0}, {0, 2, 0});
  const MeshTextureField mesh(t, MeshSurface({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}),
                              std::vector<Vector2d>{{0, 0}, {2, 0}, {0, 2}});
  for (double x = 0.05; x < 2; x += 0.3)
    for (double y = 0.05; y < 2; y += 0.3) {
      const SurfacePlace place{{x, y, 0}, Vector3d::UnitZ()};
      EXPECT_LT((planar.at(place) - mesh.at(place)).norm(), 1e-12) << x << ", " << y;
    }
}

template <class Act>
std::string texture_complaint(Act act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(StructureTexture, ComplaintsNameTheValue) {
  EXPECT_EQ(texture_complaint([] { StructureTexture(0, 4, {}); }),
            "texture: size 0 x 4, expected at least 1 x 1");
  EXPECT_EQ(texture_complaint([] {
              StructureTexture(1, 2, {1, 2, 3});
            }),
            "texture: 3 bytes, expected 3 for each of 1 x 2 pixels");
  EXPECT_NE(texture_complaint([] {
              StructureTexture(1, 1, {1, 2, 3}, TextureWrap::clamp, 1);
            }).find("dead_zone"),
            std::string::npos);
  const StructureTexture t = texture(1, 1, {kAlongT});
  EXPECT_NE(texture_complaint([&] {
              PlanarTextureField(t, {0, 0, 0}, {1, 0, 0}, {2, 0, 0});
            }).find("v axis"),
            std::string::npos);
  EXPECT_NE(texture_complaint([&] {
              PlanarTextureField(t, {0, 0, 0}, {0, 0, 0}, {2, 0, 0});
            }).find("u axis"),
            std::string::npos);
  const MeshSurface mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  EXPECT_NE(texture_complaint([&] {
              MeshTextureField(t, mesh, std::vector<Vector2d>{{0, 0}, {1, 1}, {2, 2}});
            }).find("triangle 0 has texture coordinates"),
            std::string::npos);
  EXPECT_EQ(texture_complaint([&] {
              MeshTextureField(t, mesh, std::vector<Vector2d>{{0, 0}});
            }),
            "structure: 1 texture coordinates, expected one for each of 3 vertices");
}

}  // namespace
}  // namespace capstan
