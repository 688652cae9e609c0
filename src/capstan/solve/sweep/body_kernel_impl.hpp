// Included by body_kernel_portable.cpp and body_kernel_avx2.cpp, inside a namespace of their own.
// No Eigen and no other header with inline code: what is compiled here for AVX2 must not be linked in
// elsewhere.

using V = stdx::native_simd<double>;
constexpr int kWide =
    V::size() < kLanes ? V::size() : kLanes;  // contacts at a time: a group, or a half of it
static_assert(V::size() == 2 || V::size() == 4);
typedef double RawLanes __attribute__((vector_size(kWide * sizeof(double))));
typedef float RawFloats __attribute__((vector_size(kWide * sizeof(float))));

inline V load(const double* p) { return V(p, stdx::element_aligned); }
inline V load(const float* p) {
  RawFloats narrow;
  __builtin_memcpy(&narrow, p, sizeof narrow);
  return __builtin_bit_cast(V, __builtin_convertvector(narrow, RawLanes));
}
inline void store(const V& x, double* p) { x.copy_to(p, stdx::element_aligned); }

/// Rows to columns: from kWide bodies with one dof after the other to kWide dofs with one body after the
/// other. simd has no shuffle, so it goes through the compiler's own vectors.
inline void transpose(V* row) {
  RawLanes r[kWide];
  for (int k = 0; k < kWide; ++k) r[k] = __builtin_bit_cast(RawLanes, row[k]);
#ifdef __AVX__
  const RawLanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
                 b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  const RawLanes c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
                 d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  row[0] = __builtin_bit_cast(V, __builtin_shufflevector(a, c, 0, 1, 4, 5));
  row[1] = __builtin_bit_cast(V, __builtin_shufflevector(b, d, 0, 1, 4, 5));
  row[2] = __builtin_bit_cast(V, __builtin_shufflevector(a, c, 2, 3, 6, 7));
  row[3] = __builtin_bit_cast(V, __builtin_shufflevector(b, d, 2, 3, 6, 7));
#else
  row[0] = __builtin_bit_cast(V, __builtin_shufflevector(r[0], r[1], 0, 2));
  row[1] = __builtin_bit_cast(V, __builtin_shufflevector(r[0], r[1], 1, 3));
#endif
}

/// Velocities of four bodies; their storage is padded to a multiple of four dofs. They are gathered and
/// scattered in line, so that they stay in registers: as calls, which the compiler would make of it, a sweep
/// over spheres takes a fifth longer.
template <int M>
struct Velocities {
  V dof[M == 0 ? kMaxBodyDofs : (M + 3) / 4 * 4];
};

template <int M>
[[gnu::always_inline]] inline void gather(const std::uint32_t* body, int dofs, const double* v,
                                          Velocities<M>& out) {
  const int padded = ((M ? M : dofs) + kWide - 1) / kWide * kWide;
  for (int k = 0; k < padded; k += kWide) {
    for (int lane = 0; lane < kWide; ++lane) out.dof[k + lane] = load(v + body[lane] + k);
    transpose(out.dof + k);
  }
}

template <int M>
[[gnu::always_inline]] inline void scatter(const std::uint32_t* body, int dofs, Velocities<M>& in,
                                           double* v) {
  const int padded = ((M ? M : dofs) + kWide - 1) / kWide * kWide;
  for (int k = 0; k < padded; k += kWide) {
    transpose(in.dof + k);
    for (int lane = 0; lane < kWide; ++lane) store(in.dof[k + lane], v + body[lane] + k);
  }
}

template <int D, int M, class S>
inline void add_relative_velocity(const S* H, int dofs, const Velocities<M>& v, V (&u)[D]) {
  const int count = M ? M : dofs;
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < D; ++a) u[a] += load(H + (k * D + a) * kLanes) * v.dof[k];
}

template <int D, int M, class S>
inline void add_impulse(const S* H, int dofs, const V (&x)[D], Velocities<M>& v) {
  const int count = M ? M : dofs;
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < D; ++a) v.dof[k] += load(H + (k * D + a) * kLanes) * x[a];
}

/// Where the parts of contacts [lane, lane + kWide) of a group are.
template <int D, int M, class S>
struct Parts {
  Parts(const Group& group, int lane)
      : dofs_a(M ? M : group.dofs[0]),
        dofs_b(M ? M : group.dofs[1]),
        state(group.data + lane),
        constants(reinterpret_cast<const S*>(group.data + constants_offset(D)) + lane),
        Ha(constants + constants_of_a_contact(D) * kLanes),
        Hb(Ha + std::size_t(dofs_a) * D * kLanes) {}
  int dofs_a, dofs_b;
  double* state;
  const S *constants, *Ha, *Hb;
};

/// The next constant of kWide contacts.
template <class S>
struct Constants {
  const S* at;
  V next() {
    const V value = load(at);
    at += kLanes;
    return value;
  }
};

template <int D, class S>
inline LocalData<V, D> load_local(Constants<S>& constants) {
  LocalData<V, D> w;
  w.inverse_normal = constants.next();
  w.step = constants.next();
  for (int a = 0; a < D - 1; ++a) w.g[a] = constants.next();
  for (int a = 0; a < D - 1; ++a) w.lambda[a] = constants.next();
  for (int a = 0; a < D - 1; ++a) w.inverse_lambda[a] = constants.next();
  return w;
}

template <int D>
inline void update_with_round_spring(const double* spring, const V (&u)[D], V (&x)[D], V& alpha) {
  Constants<double> constants{spring};
  RoundSpring<V, D> s;
  s.normal = constants.next();
  s.inverse_normal = constants.next();
  s.E_N = constants.next();
  s.E_T = constants.next();
  s.mu = constants.next();
  s.inverse_mu = constants.next();
  for (V& value : s.g) value = constants.next();
  for (V& value : s.lambda) value = constants.next();
  for (V& value : s.inverse_lambda) value = constants.next();
  solve_with_round_spring<V, D>(s, u, x, alpha);
}

/// Seldom needed, so written out but once.
template <int D>
[[gnu::noinline]] void update_with_spring(const double* spring, const V (&u)[D], V (&x)[D], V& alpha) {
  Constants<double> constants{spring};
  const LocalData<V, D> w = load_local<D>(constants);
  SpringData<V, D> s;
  for (auto& row : s.W)
    for (V& value : row) value = constants.next();
  for (V& value : s.E) value = constants.next();
  for (auto& row : s.P)
    for (V& value : row) value = constants.next();
  solve_with_spring<V, D>(w, s, u, x, alpha);
}

inline bool have_no_load(const Group& group, int lane) {
  return !group.spring && all_of(load(group.data + impulse_offset + lane) == V(0));
}

/// Whether they had no impulse in this sweep and the last, do not approach, and so have none. Their normals
/// alone tell, and neither impulses nor velocities change. A call, so that the others find all registers.
template <int D, int M, class S>
[[gnu::noinline]] bool stay_open(const Group& group, int lane, const double* v) {
  const Parts<D, M, S> at(group, lane);
  for (int a = 1; a < 2 * D; ++a)
    if (any_of(load(at.state + impulse_offset + a * kLanes) != V(0))) return false;
  Velocities<M> va, vb;
  gather<M>(group.body[0] + lane, at.dofs_a, v, va);
  gather<M>(group.body[1] + lane, at.dofs_b, v, vb);
  V u = load(at.state + shift_offset(D));
  for (int k = 0; k < at.dofs_a; ++k) u += load(at.Ha + k * D * kLanes) * va.dof[k];
  for (int k = 0; k < at.dofs_b; ++k) u += load(at.Hb + k * D * kLanes) * vb.dof[k];
  return all_of(u * load(at.constants) >= V(0));
}

template <int D, int M, class S, bool Exact>
inline void update_contacts(const Group& group, int lane, double* v, double beta, V& step, V& alignment) {
  const Parts<D, M, S> at(group, lane);
  double* const impulse = at.state + impulse_offset;
  V alpha = load(at.state), u[D], x[D], y[D], z[D];
  for (int a = 0; a < D; ++a) z[a] = load(impulse + a * kLanes);
  for (int a = 0; a < D; ++a) x[a] = y[a] = z[a] + V(beta) * (z[a] - load(impulse + (D + a) * kLanes));
  for (int a = 0; a < D; ++a) u[a] = load(at.state + shift_offset(D) + a * kLanes);  // w
  Velocities<M> va, vb;
  gather<M>(group.body[0] + lane, at.dofs_a, v, va);
  gather<M>(group.body[1] + lane, at.dofs_b, v, vb);
  add_relative_velocity<D, M>(at.Ha, at.dofs_a, va, u);
  add_relative_velocity<D, M>(at.Hb, at.dofs_b, vb, u);
  if (group.spring) {
    group.round ? update_with_round_spring<D>(group.spring + lane, u, x, alpha)
                : update_with_spring<D>(group.spring + lane, u, x, alpha);
  } else {
    Constants<S> constants{at.constants};
    const LocalData<V, D> w = load_local<D>(constants);
    if constexpr (Exact)
      solve_exactly<V, D>(w, u, x, alpha);
    else
      project_step<V, D>(w, u, x);
  }
  store(alpha, at.state);
  V dx[D];
  for (int a = 0; a < D; ++a) {
    dx[a] = x[a] - y[a];
    step += dx[a] * dx[a];
    alignment += dx[a] * (x[a] - z[a]);
    store(x[a], impulse + a * kLanes);
    store(z[a], impulse + (D + a) * kLanes);
  }
  add_impulse<D, M>(at.Ha, at.dofs_a, dx, va);
  add_impulse<D, M>(at.Hb, at.dofs_b, dx, vb);
  scatter<M>(group.body[0] + lane, at.dofs_a, va, v);
  scatter<M>(group.body[1] + lane, at.dofs_b, vb, v);
}

/// The next group while this one is worked on: its data come from far away, its velocities from all over the
/// place.
template <int D, class S>
inline void prefetch(const Group& group, const double* v) {
  const char* const data = reinterpret_cast<const char*>(group.data);
  const std::size_t bytes =
      group_size(D, group.dofs[0], group.dofs[1], sizeof(S) == sizeof(float)) * sizeof(double);
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(data + at);
  for (const auto& slot : group.body)
    for (const std::uint32_t body : slot) __builtin_prefetch(v + body);
}

template <int D, int M, class S, bool Exact>
Sums sweep_groups(const Group* groups, int count, double* v, double beta) {
  V step = 0, alignment = 0;
  for (int i = 0; i < count; ++i) {
    if (i + 1 < count) prefetch<D, S>(groups[i + 1], v);
    for (int lane = 0; lane < kLanes; lane += kWide) {
      if constexpr (Exact)
        if (have_no_load(groups[i], lane) && stay_open<D, M, S>(groups[i], lane, v)) continue;
      update_contacts<D, M, S, Exact>(groups[i], lane, v, beta, step, alignment);
    }
  }
  return {reduce(step), reduce(alignment)};
}

template <int D, int M, class S>
void add_group_impulses(const Group* groups, int count, double* v) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < kLanes; lane += kWide) {
      const Group& group = groups[i];
      const Parts<D, M, S> at(group, lane);
      V x[D];
      for (int a = 0; a < D; ++a) x[a] = load(at.state + impulse_offset + a * kLanes);
      Velocities<M> va, vb;
      gather<M>(group.body[0] + lane, at.dofs_a, v, va);
      gather<M>(group.body[1] + lane, at.dofs_b, v, vb);
      add_impulse<D, M>(at.Ha, at.dofs_a, x, va);
      add_impulse<D, M>(at.Hb, at.dofs_b, x, vb);
      scatter<M>(group.body[0] + lane, at.dofs_a, va, v);
      scatter<M>(group.body[1] + lane, at.dofs_b, vb, v);
    }
}

template <int D, int M, class S>
void subtract_group_velocity(const Group* groups, int count, const double* v) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < kLanes; lane += kWide) {
      const Group& group = groups[i];
      const Parts<D, M, S> at(group, lane);
      Velocities<M> va, vb;
      gather<M>(group.body[0] + lane, at.dofs_a, v, va);
      gather<M>(group.body[1] + lane, at.dofs_b, v, vb);
      V u[D];
      for (int a = 0; a < D; ++a) u[a] = 0;
      add_relative_velocity<D, M>(at.Ha, at.dofs_a, va, u);
      add_relative_velocity<D, M>(at.Hb, at.dofs_b, vb, u);
      double* const w = at.state + shift_offset(D);
      for (int a = 0; a < D; ++a) store(load(w + a * kLanes) - u[a], w + a * kLanes);
    }
}

/// Calls f<D, M, S>, M = 0 for a number of dofs that is only known at run time.
template <class S, class F>
auto dispatch_size(const Layout& layout, F f) {
  const int dofs = layout.dofs;
  if (layout.dimension == 2)
    return dofs == 3 ? f.template operator()<2, 3, S>() : f.template operator()<2, 0, S>();
  if (layout.dimension == 4)
    return dofs == 6 ? f.template operator()<4, 6, S>() : f.template operator()<4, 0, S>();
  return dofs == 6 ? f.template operator()<3, 6, S>() : f.template operator()<3, 0, S>();
}

template <class F>
auto dispatch(const Layout& layout, F f) {
  return layout.rounded ? dispatch_size<float>(layout, f) : dispatch_size<double>(layout, f);
}

Sums sweep(const Layout& layout, const Group* groups, int count, double* v, double beta, bool exact) {
  return dispatch(layout, [=]<int D, int M, class S>() {
    return exact ? sweep_groups<D, M, S, true>(groups, count, v, beta)
                 : sweep_groups<D, M, S, false>(groups, count, v, beta);
  });
}

void add_impulses(const Layout& layout, const Group* groups, int count, double* v) {
  dispatch(layout, [=]<int D, int M, class S>() { return add_group_impulses<D, M, S>(groups, count, v); });
}

void subtract_velocity(const Layout& layout, const Group* groups, int count, const double* v) {
  dispatch(layout,
           [=]<int D, int M, class S>() { return subtract_group_velocity<D, M, S>(groups, count, v); });
}
