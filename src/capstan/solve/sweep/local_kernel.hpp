#pragma once
#include <experimental/simd>

/// The update of one contact, written once for any number of contacts at a time: V is a simd type (several
/// contacts, one a lane) or its scalar form. Included by translation units compiled for different processors,
/// so it must not pull in Eigen.
namespace capstan::kernel {

namespace stdx = std::experimental;

/// In the rotated frame of RotatedContact. All per lane.
template <class V, int D>
struct LocalData {
  V inverse_normal, step;
  V g[D - 1], lambda[D - 1], inverse_lambda[D - 1];
};

/// Where a contact slides: x_T(a) = -c / (l + a), x_N(a) = h - g.x_T(a), and a > 0 is a root of
/// F(a) = x_N/|x_T| - 1. F(0) < 0 and F goes to infinity, so a bracket always exists and the search is kept
/// inside it; it starts from the last a. s is x_T, q is x_N, see solve_exactly.
template <class V, int T>
[[gnu::noinline]] void solve_sliding(const V (&g)[T], const V (&lambda)[T], const V& h, const V (&c)[T],
                                     const typename V::mask_type& slides, V (&s)[T], V& q, V& alpha) {
  V low = 0, high = 1e300, at = alpha;
  for (int iteration = 0; iteration < 60; ++iteration) {
    V t[T], m2 = 0, r = h, n1 = 0, n2 = 0, r1 = 0, r2 = 0;
    for (int a = 0; a < T; ++a) {
      const V p = V(1) / (lambda[a] + at);
      t[a] = -c[a] * p;
      m2 += t[a] * t[a];
      r -= g[a] * t[a];
      const V tp = t[a] * p, gtp = g[a] * tp;
      n1 += t[a] * tp;
      n2 += tp * tp;
      r1 += gtp;
      r2 += gtp * p;
    }
    const V m = stdx::sqrt(m2), F = r - m;  // F |x_T|, to save a division
    for (int a = 0; a < T; ++a) where(slides, s[a]) = t[a];
    where(slides, q) = m;
    const auto open_lanes = slides && stdx::abs(F) > V(1e-10) * m;
    if (none_of(open_lanes)) break;
    where(F < V(0), low) = stdx::max(low, at);
    where(F >= V(0), high) = stdx::min(high, at);
    // Halley on f = x_N/|x_T| - 1 = r/m - 1, with f' m^3 = d1 and f'' m^5 = d2.
    const V d1 = r1 * m2 + r * n1;
    const V d2 = m2 * (V(2) * (r1 * n1 - r2 * m2) - V(3) * r * n2) + V(3) * r * n1 * n1;
    const V halley = at - V(2) * F * d1 * m2 / (V(2) * d1 * d1 - F * d2);
    const V inside = V(0.5) * (low + stdx::min(high, V(4) * low + V(1)));
    V next = inside;
    where(halley > low && halley < high, next) = halley;
    where(open_lanes, at) = next;
  }
  where(slides, alpha) = at;
}

/// Opens, sticks with x_T = s = -c/l, or calls slide(which lanes) to replace s and q = x_N.
template <class V, int T, class Slide>
[[gnu::always_inline]] inline void solve_in_cone(const V (&g)[T], const V& h, V (&s)[T], V& q,
                                                 const Slide& slide) {
  V s2 = 0;
  q = h;
  for (int a = 0; a < T; ++a) {
    s2 += s[a] * s[a];
    q -= g[a] * s[a];
  }
  const auto open = h <= V(0);
  const auto slides = !open && (q < V(0) || s2 > q * q);
  if (any_of(slides)) slide(slides);
  where(open, q) = V(0);
  for (int a = 0; a < T; ++a) where(open, s[a]) = V(0);
}

/// Exact solve of the local problem: y = W_ii (x - x_old) + u, (x, y) canonical. With
///   h = x_N + g.x_T - u_N/w_N,  c = u_T - g u_N - l x_T   (of the old x)
/// the answer is 0 if h <= 0, and otherwise x_T(a) = -c / (l + a), x_N(a) = h - g.x_T(a), where a = 0 (stick)
/// if that lies in the cone, and else a > 0 (slide: u_T = -a x_T). [canonical form, eq. 7]
template <class V, int D>
[[gnu::always_inline]] inline void solve_exactly(const LocalData<V, D>& w, const V (&u)[D], V (&x)[D],
                                                 V& alpha) {
  constexpr int T = D - 1;
  V h = x[0] - u[0] * w.inverse_normal, slip[T], s[T], q;
  for (int a = 0; a < T; ++a) h += w.g[a] * x[1 + a];
  for (int a = 0; a < T; ++a) {
    slip[a] = u[1 + a] - w.g[a] * u[0];
    s[a] = x[1 + a] - slip[a] * w.inverse_lambda[a];  // -c/l; at rest it is x, however l and 1/l are rounded
  }
  solve_in_cone<V, T>(w.g, h, s, q, [&](const auto& slides) {
    V c[T];
    for (int a = 0; a < T; ++a) c[a] = slip[a] - w.lambda[a] * x[1 + a];
    solve_sliding<V, T>(w.g, w.lambda, h, c, slides, s, q, alpha);
  });
  x[0] = q;
  for (int a = 0; a < T; ++a) x[1 + a] = s[a];
}

/// What a contact with a traction r = r' - E u' has beside LocalData, which is that of S W' S, W' = (W_ii^-1
/// + E)^-1, rotated by R.
template <class V, int D>
struct SpringData {
  V W[D][D];          // W'
  V E[D];             // diagonal
  V P[D - 1][D - 1];  // S R
};

/// The same of a contact with a traction: with the others frozen, u' = W' r' + b', and (r', u') is a plain
/// contact. x is the whole impulse r, u is u'. [canonical form, eq. 5]
template <class V, int D>
void solve_with_spring(const LocalData<V, D>& w, const SpringData<V, D>& spring, const V (&u)[D], V (&x)[D],
                       V& alpha) {
  V r[D], b[D], u_local[D], x_local[D];
  for (int a = 0; a < D; ++a) r[a] = x[a] + spring.E[a] * u[a];
  for (int a = 0; a < D; ++a) {
    b[a] = u[a];
    for (int c = 0; c < D; ++c) b[a] -= spring.W[a][c] * r[c];
  }
  u_local[0] = b[0];
  x_local[0] = V(0);
  for (int a = 1; a < D; ++a) {
    x_local[a] = u_local[a] = V(0);
    for (int c = 1; c < D; ++c) u_local[a] += spring.P[c - 1][a - 1] * b[c];
  }
  solve_exactly<V, D>(w, u_local, x_local, alpha);
  r[0] = x_local[0];
  for (int a = 1; a < D; ++a) {
    r[a] = V(0);
    for (int c = 1; c < D; ++c) r[a] += spring.P[a - 1][c - 1] * x_local[c];
  }
  for (int a = 0; a < D; ++a) {
    V after = b[a];
    for (int c = 0; c < D; ++c) after += spring.W[a][c] * r[c];
    x[a] = r[a] - spring.E[a] * after;
  }
}

/// The same where friction and traction do not depend on the direction of a tangent, mu and E_T: then R turns
/// the tangents of the contact themselves, and W' = [w_N, w^T; w, diag(l) + w w^T / w_N], g = w / w_N, as
/// W_ii of a plain contact. 1/mu is 0 where mu is.
template <class V, int D>
struct RoundSpring {
  V normal, inverse_normal, E_N, E_T, mu, inverse_mu;
  V g[D - 1], lambda[D - 1], inverse_lambda[D - 1];
};

template <class V, int D>
[[gnu::always_inline]] inline void solve_with_round_spring(const RoundSpring<V, D>& spring, const V (&u)[D],
                                                           V (&x)[D], V& alpha) {
  constexpr int T = D - 1;
  V r[T], slip[T], s[T], g[T], q;  // r is r'_T, the old one; s, g and q are of S W' S
  V h = x[0] + u[0] * (spring.E_N - spring.inverse_normal);
  for (int a = 0; a < T; ++a) {
    r[a] = x[1 + a] + spring.E_T * u[1 + a];
    h += spring.g[a] * r[a];
    slip[a] = u[1 + a] - spring.g[a] * u[0];
    s[a] = spring.inverse_mu * (r[a] - slip[a] * spring.inverse_lambda[a]);
    g[a] = spring.mu * spring.g[a];
  }
  solve_in_cone<V, T>(g, h, s, q, [&](const auto& slides) {
    V c[T], lambda[T];
    for (int a = 0; a < T; ++a) {
      c[a] = spring.mu * (slip[a] - spring.lambda[a] * r[a]);
      lambda[a] = spring.mu * spring.mu * spring.lambda[a];
    }
    solve_sliding<V, T>(g, lambda, h, c, slides, s, q, alpha);
  });
  const V after = spring.normal * stdx::max(-h, V(0));  // u'_N: 0 unless it opens
  x[0] = q - spring.E_N * after;
  for (int a = 0; a < T; ++a) {
    const V now = spring.mu * s[a];
    x[1 + a] = now - spring.E_T * (slip[a] + spring.g[a] * after + spring.lambda[a] * (now - r[a]));
  }
}

/// x <- P_K(x - step T(u)).
template <class V, int D>
void project_step(const LocalData<V, D>& w, const V (&u)[D], V (&x)[D]) {
  constexpr int T = D - 1;
  V slip2 = 0, n2 = 0, z[D];
  for (int a = 1; a <= T; ++a) slip2 += u[a] * u[a];
  z[0] = x[0] - w.step * (u[0] + stdx::sqrt(slip2));
  for (int a = 1; a <= T; ++a) {
    z[a] = x[a] - w.step * u[a];
    n2 += z[a] * z[a];
  }
  const V n = stdx::sqrt(n2), half = V(0.5) * (z[0] + n);
  const auto inside = n <= z[0], polar = n <= -z[0];
  V scale = half / stdx::max(n, V(1e-300));
  where(inside, scale) = V(1);
  where(polar, scale) = V(0);
  x[0] = half;
  where(inside, x[0]) = z[0];
  where(polar, x[0]) = V(0);
  for (int a = 1; a <= T; ++a) x[a] = scale * z[a];
}

}  // namespace capstan::kernel
