// Included by front_kernel_portable.cpp and front_kernel_avx2.cpp, inside a namespace of their own.
// No Eigen and no other header with inline code: what is compiled here for AVX2 must not be linked in
// elsewhere.

#ifdef __AVX__
constexpr int kWide = 4;
#else
constexpr int kWide = 2;
#endif
typedef double Vector __attribute__((vector_size(kWide * sizeof(double))));
constexpr int kVectors = 3, kTileRows = kVectors * kWide, kTileColumns = 4;  // twelve sums fit the registers
constexpr int kPanelColumns = 32;                                            // factorised one by one

inline Vector load(const double* p) {
  Vector v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(const Vector& v, double* p) { __builtin_memcpy(p, &v, sizeof v); }

inline int smaller(int a, int b) { return a < b ? a : b; }

/// Strips of `strip` rows, in each of them one column after the other; missing rows are zero.
inline double* pack(const Strided& A, int rows, int depth, int strip, double* to) {
  for (int first = 0; first < rows; first += strip) {
    const int count = smaller(strip, rows - first);
    for (int k = 0; k < depth; ++k, to += strip) {
      const double* const from = A.value + first * A.row_step + k * A.column_step;
      for (int r = 0; r < count; ++r) to[r] = from[r * A.row_step];
      for (int r = count; r < strip; ++r) to[r] = 0;
    }
  }
  return to;
}

/// The tile of A B^T of one strip of each.
inline void multiply_strips(const double* a, const double* b, int depth,
                            Vector (&sum)[kTileColumns][kVectors]) {
  for (int c = 0; c < kTileColumns; ++c)
    for (int v = 0; v < kVectors; ++v) sum[c][v] = Vector{};
  for (int k = 0; k < depth; ++k, a += kTileRows, b += kTileColumns) {
    const Vector a0 = load(a), a1 = load(a + kWide), a2 = load(a + 2 * kWide);
    for (int c = 0; c < kTileColumns; ++c) {
      sum[c][0] += a0 * b[c];
      sum[c][1] += a1 * b[c];
      sum[c][2] += a2 * b[c];
    }
  }
}

void subtract_product(double* C, long stride, int rows, int columns, const Strided& A, const Strided& B,
                      int depth, bool lower, double* work) {
  double* const packed_b = pack(A, rows, depth, kTileRows, work);
  pack(B, columns, depth, kTileColumns, packed_b);
  for (int j = 0; j < columns; j += kTileColumns) {
    const double* const b = packed_b + long(j) * depth;
    const int first = lower ? j / kTileRows * kTileRows : 0;
    for (int i = first; i < rows; i += kTileRows) {
      Vector sum[kTileColumns][kVectors];
      multiply_strips(work + long(i) * depth, b, depth, sum);
      double* const tile = C + i + j * stride;
      const bool whole = i + kTileRows <= rows && j + kTileColumns <= columns;
      if (whole && (!lower || i >= j + kTileColumns - 1)) {
        for (int c = 0; c < kTileColumns; ++c)
          for (int v = 0; v < kVectors; ++v) {
            double* const at = tile + c * stride + v * kWide;
            store(load(at) - sum[c][v], at);
          }
        continue;
      }
      double values[kTileColumns][kTileRows];
      __builtin_memcpy(values, sum, sizeof values);
      for (int c = 0; c < smaller(kTileColumns, columns - j); ++c)
        for (int r = 0; r < smaller(kTileRows, rows - i); ++r)
          if (!lower || i + r >= j + c) tile[r + c * stride] -= values[c][r];
    }
  }
}

/// Columns [first, last) of the front, from their diagonals down, from one another.
bool factor_panel(double* L, int rows, int first, int last) {
  for (int j = first; j < last; ++j) {
    double* const column = L + long(j) * rows;
    int k = first;
    for (; k + 3 < j; k += 4) {
      const double *const p = L + long(k) * rows, *const q = p + rows, *const r = q + rows,
                          *const s = r + rows;
      const double a = p[j], b = q[j], c = r[j], d = s[j];
      for (int i = j; i < rows; ++i) column[i] -= a * p[i] + b * q[i] + (c * r[i] + d * s[i]);
    }
    for (; k < j; ++k) {
      const double* const p = L + long(k) * rows;
      const double a = p[j];
      for (int i = j; i < rows; ++i) column[i] -= a * p[i];
    }
    const double pivot = column[j];
    if (!(pivot > 0) || pivot > 1e300) return false;
    const double inverse = 1 / __builtin_sqrt(pivot);
    for (int i = j; i < rows; ++i) column[i] *= inverse;
  }
  return true;
}

bool factor(double* L, int rows, int columns, double* update, double* work) {
  for (int first = 0; first < columns; first += kPanelColumns) {
    const int last = smaller(first + kPanelColumns, columns);
    if (!factor_panel(L, rows, first, last)) return false;
    if (last == columns) break;
    const Strided panel{L + last + long(first) * rows, 1, rows};
    subtract_product(L + last + long(last) * rows, rows, rows - last, columns - last, panel, panel,
                     last - first, true, work);
  }
  const int below = rows - columns;
  const Strided all{L + columns, 1, rows};
  if (below > 0) subtract_product(update, below, below, below, all, all, columns, true, work);
  return true;
}
