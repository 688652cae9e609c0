#include "capstan/import/mjcf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "capstan/body/mass_properties.hpp"
#include "capstan/errors.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/scene/solids.hpp"
#include "support/scratch.hpp"

namespace capstan::imports {
namespace {

using Eigen::Vector3d;
using testing_support::Scratch;

ImportedScene imported(const std::string& xml, const std::filesystem::path& folder = "") {
  return scene_from_mjcf(xml, "m.xml", folder, folder);
}

Scene scene_of(const std::string& xml) { return parse_scene(imported(xml).toml, "m.toml"); }

std::string world(const std::string& bodies, const std::string& before = "") {
  return "<mujoco model=\"test\">\n" + before + "<worldbody>\n" + bodies + "\n</worldbody>\n</mujoco>\n";
}

/// A body that moves, with one geom.
std::string free_body(const std::string& geom, const std::string& attributes = "") {
  return "<body " + attributes + "><freejoint/>" + geom + "</body>";
}

RigidSpec only_body(const std::string& xml) {
  const Scene scene = scene_of(xml);
  EXPECT_EQ(scene.rigid.size(), 1u);
  return scene.rigid.at(0);
}

std::string refusal_of(const std::string& xml) {
  try {
    imported(xml);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused in " << xml;
  return {};
}

bool noted(const ImportedScene& scene, int line, const std::string& text) {
  for (const ImportNote& note : scene.ignored)
    if (note.line == line && note.text.find(text) != std::string::npos) return true;
  return false;
}

TEST(Mjcf, ShapesHaveHalfSizesThere) {
  const RigidSpec box = only_body(world(free_body("<geom type='box' size='0.1 0.2 0.3'/>")));
  EXPECT_EQ(box.shape, SolidSpec::Shape::box);
  EXPECT_EQ(box.size, Vector3d(0.2, 0.4, 0.6));
  const RigidSpec capsule = only_body(world(free_body("<geom type='capsule' size='0.1 0.2'/>")));
  EXPECT_EQ(capsule.shape, SolidSpec::Shape::capsule);
  EXPECT_EQ(capsule.radius, 0.1);
  EXPECT_EQ(capsule.length, 0.4);
  EXPECT_EQ(only_body(world(free_body("<geom type='cylinder' size='0.1 0.2'/>"))).length, 0.4);
  EXPECT_EQ(only_body(world(free_body("<geom size='0.3'/>"))).radius, 0.3);  // a sphere, if nothing is said
}

TEST(Mjcf, FromToGivesPlaceAxisAndLength) {
  const RigidSpec rod = only_body(world(free_body("<geom type='capsule' size='0.1' fromto='1 0 0 1 2 0'/>")));
  EXPECT_EQ(rod.length, 2);
  EXPECT_LT((rod.pose.x - Vector3d(1, 1, 0)).norm(), 1e-12);
  EXPECT_LT((rod.pose.R * Vector3d::UnitZ() + Vector3d::UnitY()).norm(),
            1e-12);  // from the second to the first
}

TEST(Mjcf, RotationsInEveryWayOfWritingThem) {
  // A quarter turn about x, then about the new y: z -> -y stays, x -> -z' = y.
  const Eigen::Matrix3d quarter_x = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix(),
                        quarter_y = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix();
  const auto turned = [](const std::string& attribute, const std::string& before = "") {
    return only_body(world(free_body("<geom size='1'/>", attribute), before)).pose.R;
  };
  EXPECT_LT((turned("euler='90 90 0'") - quarter_x * quarter_y).norm(), 1e-12);
  EXPECT_LT((turned("euler='90 90 0'", "<compiler eulerseq='XYZ'/>") - quarter_y * quarter_x).norm(), 1e-12);
  EXPECT_LT((turned("euler='1.5707963267948966 0 0'", "<compiler angle='radian'/>") - quarter_x).norm(),
            1e-12);
  EXPECT_LT((turned("quat='2 2 0 0'") - quarter_x).norm(), 1e-12);
  EXPECT_LT((turned("axisangle='3 0 0 90'") - quarter_x).norm(), 1e-12);
  EXPECT_LT((turned("xyaxes='1 0 0 0 0 2'") - quarter_x).norm(), 1e-12);
  EXPECT_LT((turned("zaxis='0 -1 0'") - quarter_x).norm(), 1e-12);
}

TEST(Mjcf, PlacesAddUpFromBodyToGeom) {
  // The body is turned by 90 degrees about z: the geom's x is its y.
  const RigidSpec ball = only_body(
      world("<body pos='1 0 0' euler='0 0 90'><joint type='free'/><geom pos='2 0 0' size='1'/></body>"));
  EXPECT_LT((ball.pose.x - Vector3d(1, 2, 0)).norm(), 1e-12);
}

TEST(Mjcf, WhatHasNoJointIsFixed) {
  const Scene scene = scene_of(
      world("<geom type='plane' size='0 0 1' pos='0 0 -1'/>\n<body pos='0 0 5'><geom size='1'/></body>" +
            free_body("<geom size='1'/>")));
  ASSERT_EQ(scene.obstacles.size(), 2u);
  EXPECT_EQ(scene.obstacles[0].shape, SolidSpec::Shape::plane);
  EXPECT_EQ(scene.rigid.size(), 1u);
}

TEST(Mjcf, DefaultsComeFromTheClassAndThoseAboveIt) {
  const std::string defaults =
      "<default><geom friction='0.7' density='500'/><default class='soft'><geom "
      "density='50'/></default></default>\n";
  const Scene scene =
      scene_of(world(free_body("<geom size='1'/>") + free_body("<geom size='1' class='soft'/>") +
                         free_body("<geom size='1'/>", "childclass='soft'") +
                         free_body("<geom size='1' class='soft' density='7'/>"),
                     defaults));
  std::vector<double> densities;
  for (const RigidSpec& body : scene.rigid) {
    densities.push_back(body.density);
    EXPECT_EQ(body.friction, 0.7);
  }
  EXPECT_EQ(densities, (std::vector<double>{500, 50, 50, 7}));
}

TEST(Mjcf, MassIsKept) {
  for (const char* geom : {"<geom type='box' size='0.1 0.2 0.3' mass='3'/>", "<geom size='0.2' mass='3'/>",
                           "<geom type='capsule' size='0.1 0.2' mass='3'/>",
                           "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/><geom size='0.3'/>"}) {
    const World built = build_world(scene_of(world(free_body(geom))));
    const RigidSpec body = only_body(world(free_body(geom)));
    EXPECT_NEAR(mass_of(body, make_solid(body), body.density).mass, 3, 1e-9) << geom;
    EXPECT_EQ(built.rigid.size(), 1u);
  }
}

TEST(Mjcf, APairHasTheLargerFriction) {
  const std::string toml =
      imported(world("<geom name='floor' type='plane' size='0 0 1' friction='0.2'/>" +
                     free_body("<geom size='1' friction='0.8 0.1 0.1'/>", "name='ball'") +
                     free_body("<geom size='1' condim='1' friction='0.8'/>", "name='ice'")))
          .toml;
  EXPECT_NE(toml.find("between = [\"ball\", \"ice\"]\nmu = 0.8\n"), std::string::npos) << toml;
  EXPECT_NE(toml.find("between = [\"ball\", \"floor\"]\nmu = 0.8\n"), std::string::npos);
  EXPECT_NE(toml.find("between = [\"ice\", \"floor\"]\nmu = 0.2\n"), std::string::npos);
}

TEST(Mjcf, TimeAndGravityAreThoseOfTheOption) {
  const Scene scene =
      scene_of(world(free_body("<geom size='1'/>"), "<option timestep='0.004' gravity='0 0 -1.62'/>\n"));
  EXPECT_EQ(scene.simulation.dt, 0.004);
  EXPECT_EQ(scene.simulation.gravity, Vector3d(0, 0, -1.62));
}

TEST(Mjcf, MeshesAreHullsOfTheirFiles) {
  const Scratch scratch;
  testing_support::set_contents(scratch / "cube.obj",
                                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                                "f 1 2 3\nf 1 3 4\nf 2 5 8\n");
  const std::string xml = world(free_body("<geom type='mesh' mesh='cube' mass='2'/>"),
                                "<asset><mesh file='cube.obj' scale='0.5 0.5 0.5'/></asset>\n");
  const Scene scene = parse_scene(imported(xml, scratch.path()).toml, (scratch / "m.toml").string());
  ASSERT_EQ(scene.rigid.size(), 1u);
  EXPECT_EQ(scene.rigid[0].shape, SolidSpec::Shape::hull);
  EXPECT_NEAR(scene.rigid[0].density, 2 / 0.125, 1e-9);
}

TEST(Mjcf, ListsWhatItIgnoresWithLines) {
  const ImportedScene scene = imported(
      "<mujoco>\n<option integrator='RK4'/>\n<worldbody>\n<light pos='0 0 1'/>\n"
      "<geom type='ellipsoid' size='1 1 1'/>\n<body name='arm'>\n<joint type='hinge'/><geom "
      "size='1'/>\n</body>\n" +
      free_body("<geom size='1' solref='0.1 1'/>") + "\n" + free_body("<geom size='1' solref='0.2 1'/>") +
      "\n" + free_body("<geom size='1'/><geom size='2'/>", "name='pair'") +
      "\n</worldbody>\n<actuator><motor/></actuator>\n</mujoco>");
  EXPECT_EQ(scene.rigid, 2);
  EXPECT_TRUE(noted(scene, 2, "option: integrator is ignored"));
  EXPECT_TRUE(noted(scene, 4, "<light> is ignored"));
  EXPECT_TRUE(noted(scene, 5, "geom is left out: its type is ellipsoid"));
  EXPECT_TRUE(noted(scene, 6, "body 'arm' is left out: it has a joint of type hinge"));
  EXPECT_TRUE(noted(scene, 9, "geom: solref is ignored"));
  EXPECT_TRUE(noted(scene, 11, "body 'pair' is left out: it has 2 geoms"));
  EXPECT_TRUE(noted(scene, 13, "<actuator> is ignored"));
  EXPECT_NE(scene.toml.find("#   line 9: geom: solref is ignored (2 times)"), std::string::npos);
}

TEST(Mjcf, NamesAreMadeUnique) {
  const Scene scene = scene_of(world(free_body("<geom size='1'/>", "name='a &quot;b&quot;'") +
                                     free_body("<geom size='1'/>") + free_body("<geom size='1'/>")));
  EXPECT_EQ(scene.rigid[0].name, "a \"b\"");
  EXPECT_EQ(scene.rigid[1].name, "body");
  EXPECT_EQ(scene.rigid[2].name, "body_2");
}

TEST(Mjcf, SaysWhereAModelIsWrong) {
  const auto expect = [](const std::string& xml, const std::string& message) {
    const std::string found = refusal_of(xml);
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  expect("<mujoco>\n<worldbody>\n</mujoco>", "m.xml:3:");
  expect("", "m.xml:1:1: is no XML");
  expect("<robot/>", "m.xml:1: found <robot>, expected <mujoco>");
  expect("<mujoco/>", "has no <worldbody>");
  expect(world("<geom type='plane' size='0 0 1'/>"), "has no body with a free joint");
  expect(world(free_body("<geom type='box' size='1 1'/>")), "m.xml:3: geom: size has 2 numbers, expected 3");
  expect(world(free_body("<geom size='one'/>")), "m.xml:3: geom: size is 'one', expected finite numbers");
  expect(world(free_body("<geom size='-1'/>")), "m.xml:3: geom: size is '-1', expected numbers > 0");
  expect(world(free_body("<geom type='box'/>")), "m.xml:3: geom: has no size");
  expect(world(free_body("<geom size='1'/>", "quat='0 0 0 0'")), "m.xml:3: body: quat is zero");
  expect(world(free_body("<geom size='1' class='none'/>")), "m.xml:3: geom: class 'none' is not defined");
  expect(world(free_body("<geom type='mesh' mesh='none'/>")), "mesh 'none' is not among the assets");
  expect(world(free_body("<geom size='1'/>"), "<option timestep='0'/>\n"),
         "m.xml:2: option: timestep is 0, expected > 0");
  expect(world(free_body("<geom size='1'/>"), "<compiler angle='turns'/>\n"), "expected degree or radian");
}

TEST(Mjcf, DamagedModelsAreReadOrRefused) {
  const std::string whole =
      world(free_body("<geom type='box' size='0.1 0.2 0.3' friction='0.5'/>", "pos='0 0 1' euler='1 2 3'"),
            "<compiler angle='radian'/><default><geom density='3'/></default>\n");
  std::mt19937 random(3);
  const std::string nasty = "<>/='\" -9e.&;\n";
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = whole;
    for (int change = 0; change < 2; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text[at] = nasty[random() % nasty.size()];
      else
        text.erase(at, random() % 12);
    }
    try {
      parse_scene(imported(text).toml, "m.toml");
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("m.", 0), 0u) << error.what() << text;
    }
  }
}

}  // namespace
}  // namespace capstan::imports
