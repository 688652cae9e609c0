// Included by row_kernel_portable.cpp and row_kernel_avx2.cpp, inside a namespace of their own.
// No Eigen and no other header with inline code: what is compiled here for AVX2 must not be linked in
// elsewhere.

typedef double Column __attribute__((vector_size(kColumnSize * sizeof(double))));
typedef float RoundedColumn __attribute__((vector_size(kColumnSize * sizeof(float))));

inline Column column_at(const double* p) {
  Column c;
  __builtin_memcpy(&c, p, sizeof c);
  return c;
}
inline Column column_at(const float* p) {
#ifdef __AVX__
  return Column(_mm256_cvtps_pd(_mm_loadu_ps(p)));  // __builtin_convertvector takes four instructions
#else
  RoundedColumn c;
  __builtin_memcpy(&c, p, sizeof c);
  return __builtin_convertvector(c, Column);
#endif
}

/// Six sums that do not wait for each other.
template <class Number>
void multiply_row(const Number* block, const int* columns, int count, const double* y, double* u) {
  Column sum[2][3] = {{column_at(u), Column{}, Column{}}, {Column{}, Column{}, Column{}}};
  const auto add = [&](const Number* values, int column, Column(&to)[3]) {
    const double* const x = y + 3 * long(column);
    to[0] += column_at(values) * x[0];
    to[1] += column_at(values + kColumnSize) * x[1];
    to[2] += column_at(values + 2 * kColumnSize) * x[2];
  };
  int k = 0;
  for (; k + 1 < count; k += 2, block += 2 * kBlockSize) {
    add(block, columns[k], sum[0]);
    add(block + kBlockSize, columns[k + 1], sum[1]);
  }
  if (k < count) add(block, columns[k], sum[0]);
  const Column total = (sum[0][0] + sum[1][0]) + ((sum[0][1] + sum[1][1]) + (sum[0][2] + sum[1][2]));
  __builtin_memcpy(u, &total, sizeof total);
}
