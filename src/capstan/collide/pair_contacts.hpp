#pragma once
#include "capstan/collide/manifold.hpp"

// The parts of manifold(), by kinds of solids. All work in the frame of A, where B has the pose `b_in_a`, and
// append points up to the margin.

namespace capstan {

/// One point from the signed distance of B, whatever that is.
void append_ball_contact(double radius, const Solid& b, const Frame& b_in_a, double margin, Manifold& points);

void append_capsule_contacts(const Solid::Capsule& a, const Solid::Capsule& b, const Frame& b_in_a,
                             double margin, Manifold& points);

/// Capsules, boxes, hulls, cylinders.
void append_convex_contacts(const Solid& a, const Solid& b, const Frame& b_in_a, double margin,
                            Manifold& points);

/// B is a half space.
void append_floor_contacts(const Solid& a, const Frame& b_in_a, double margin, Manifold& points);

/// B is general, A anything bounded.
void append_general_contacts(const Solid& a, const Solid& b, const Frame& b_in_a, double margin,
                             Manifold& points);

}  // namespace capstan
