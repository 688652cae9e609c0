
#include "capstan/files/fclib.hpp"
#include "capstan/files/hdf5_access.hpp"
#include "capstan/files/isolated.hpp"
#include "capstan/files/stored_problem.hpp"

namespace capstan::files {
namespace {

constexpr int kCompressedColumns = -1, kCompressedRows = -2;  // values of nz

void check_index(const Hdf5Reader& in, const std::string& path, std::size_t entry, int index, int size) {
  if (index < 0 || index >= size)
    in.refuse(path, "entry " + std::to_string(entry) + " is " + std::to_string(index) +
                        ", expected an index from 0 to " + std::to_string(size - 1));
}

/// p is the column and i the row, as in CSparse; the header of FCLib says the opposite, its files do not.
void read_triplets(const Hdf5Reader& in, const std::string& group, int nz, StoredMatrix& matrix) {
  const std::string p_path = group + "/p", i_path = group + "/i";
  const std::vector<int> column = in.integers(p_path, nz), row = in.integers(i_path, nz);
  const std::vector<double> x = in.reals(group + "/x", {nz});
  matrix.entries.reserve(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    check_index(in, p_path, k, column[k], matrix.columns);
    check_index(in, i_path, k, row[k], matrix.rows);
    matrix.add(row[k], column[k], x[k]);
  }
}

/// p[0] = 0 <= p[1] <= ... <= nzmax.
std::vector<int> read_pointers(const Hdf5Reader& in, const std::string& path, int lines, int nzmax) {
  std::vector<int> p = in.integers(path, lines + 1);
  for (int k = 0; k <= lines; ++k) {
    const int low = k == 0 ? 0 : p[k - 1], high = k == 0 ? 0 : nzmax;
    if (p[k] < low || p[k] > high)
      in.refuse(path, "entry " + std::to_string(k) + " is " + std::to_string(p[k]) +
                          ", expected a pointer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return p;
}

void read_compressed(const Hdf5Reader& in, const std::string& group, bool by_rows, int nzmax,
                     StoredMatrix& matrix) {
  const int lines = by_rows ? matrix.rows : matrix.columns, across = by_rows ? matrix.columns : matrix.rows;
  if (lines == kAny) in.refuse(group, "is too large");
  const std::vector<int> p = read_pointers(in, group + "/p", lines, nzmax);
  const std::string i_path = group + "/i";
  const std::vector<int> index = in.integers(i_path, nzmax);
  const std::vector<double> x = in.reals(group + "/x", {nzmax});
  matrix.entries.reserve(p.back());
  for (int line = 0; line < lines; ++line)
    for (int k = p[line]; k < p[line + 1]; ++k) {
      check_index(in, i_path, k, index[k], across);
      by_rows ? matrix.add(line, index[k], x[k]) : matrix.add(index[k], line, x[k]);
    }
}

StoredMatrix read_matrix(const Hdf5Reader& in, const std::string& group) {
  if (!in.has(group)) in.refuse(group, "is missing");
  StoredMatrix matrix;
  matrix.rows = in.integer(group + "/m", 0, kAny);
  matrix.columns = in.integer(group + "/n", 0, kAny);
  const int nz = in.integer(group + "/nz", kCompressedRows, kAny);
  const int nzmax = in.integer(group + "/nzmax", 0, kAny);  // room for entries; may exceed those there are
  if (nzmax < nz)
    in.refuse(group + "/nzmax",
              "is " + std::to_string(nzmax) + ", expected at least nz = " + std::to_string(nz));
  if (nz >= 0)
    read_triplets(in, group, nz, matrix);
  else
    read_compressed(in, group, nz == kCompressedRows, nzmax, matrix);
  return matrix;
}

void check_matrix_size(const Hdf5Reader& in, const std::string& group, const StoredMatrix& matrix, int rows,
                       int columns) {
  if (matrix.rows != rows || matrix.columns != columns)
    in.refuse(group, "is " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) +
                         ", expected " + std::to_string(rows) + " x " + std::to_string(columns));
}

void refuse_bilateral(const Hdf5Reader& in, const std::string& group,
                      std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (in.has(group + part))
      in.refuse(group + part,
                "bilateral constraints are not supported; expected a problem of contacts alone");
}

int read_dimension(const Hdf5Reader& in, const std::string& group) {
  const std::string path = group + "/spacedim";
  const int dimension = in.integer(path, 2, 5);
  if (dimension == 5)
    in.refuse(path,
              "contacts have dimension 5 (rolling friction), which is not supported yet; expected 2 or 3");
  if (dimension == 4 && !in.has("/capstan"))
    in.refuse(path, "is 4, expected 2 or 3 (4 only beside the group /capstan, which says what it means)");
  return dimension;
}

/// Laws that FCLib has no words for; written by fclib_image.
void read_full_laws(const Hdf5Reader& in, std::vector<ContactLaw>& laws) {
  in.integer("/capstan/version", 1, 1);
  const int contacts = static_cast<int>(laws.size());
  const std::vector<double> friction = in.reals("/capstan/friction", {contacts, 3});
  const std::vector<double> traction = in.reals("/capstan/traction", {contacts, 4});
  const std::vector<double> shift = in.reals("/capstan/shift", {contacts, 4});
  for (int i = 0; i < contacts; ++i) {
    for (int a = 0; a < 3; ++a) laws[i].friction[a] = friction[std::size_t(i) * 3 + a];
    for (int a = 0; a < 4; ++a) laws[i].traction[a] = traction[std::size_t(i) * 4 + a];
    for (int a = 0; a < 4; ++a) laws[i].shift[a] = shift[std::size_t(i) * 4 + a];
  }
}

std::vector<ContactLaw> read_laws(const Hdf5Reader& in, const std::string& group, int contacts) {
  const std::string path = group + "/vectors/mu";
  std::vector<ContactLaw> laws;
  for (const double mu : in.reals(path, {contacts})) {
    if (mu < 0)
      in.refuse(path,
                "entry " + std::to_string(laws.size()) + " is " + to_text(mu) + ", expected a number >= 0");
    laws.push_back(ContactLaw::coulomb(mu));
  }
  if (in.has("/capstan")) read_full_laws(in, laws);
  return laws;
}

int count_contacts(const Hdf5Reader& in, const std::string& group, int rows, int dimension) {
  if (rows % dimension != 0)
    in.refuse(group,
              "has " + std::to_string(rows) +
                  " contact components, expected a multiple of spacedim = " + std::to_string(dimension));
  return rows / dimension;
}

StoredProblem read_global(const Hdf5Reader& in) {
  const std::string group = "/fclib_global";
  StoredProblem stored;
  stored.dimension = read_dimension(in, group);
  refuse_bilateral(in, group, {"/G", "/vectors/b"});
  stored.M = read_matrix(in, group + "/M");
  stored.H = read_matrix(in, group + "/H");
  check_matrix_size(in, group + "/M", stored.M, stored.M.rows, stored.M.rows);
  check_matrix_size(in, group + "/H", *stored.H, stored.M.rows, stored.H->columns);
  stored.f = in.vector(group + "/vectors/f", stored.M.rows);
  stored.w = in.vector(group + "/vectors/w", stored.H->columns);
  stored.laws = read_laws(in, group, count_contacts(in, group + "/H", stored.H->columns, stored.dimension));
  return stored;
}

StoredProblem read_local(const Hdf5Reader& in) {
  const std::string group = "/fclib_local";
  StoredProblem stored;
  stored.dimension = read_dimension(in, group);
  refuse_bilateral(in, group, {"/V", "/R", "/vectors/s"});
  stored.M = read_matrix(in, group + "/W");
  check_matrix_size(in, group + "/W", stored.M, stored.M.rows, stored.M.rows);
  stored.f = in.vector(group + "/vectors/q", stored.M.rows);
  stored.laws = read_laws(in, group, count_contacts(in, group + "/W", stored.M.rows, stored.dimension));
  return stored;
}

StoredProblem read_stored(const Hdf5Reader& in) {
  if (in.has("/fclib_global")) return read_global(in);
  if (in.has("/fclib_local")) return read_local(in);
  if (in.has("/fclib_global_rolling"))
    in.refuse("/fclib_global_rolling", "rolling friction is not supported yet");
  in.refuse("/", "has no contact problem, expected a group /fclib_global or /fclib_local");
}

// What the child process hands over.

void pack(ParcelWriter& parcel, const Eigen::VectorXd& x) {
  parcel.put_list(x.data(), static_cast<std::size_t>(x.size()));
}

Eigen::VectorXd unpacked_vector(ParcelReader& parcel) {
  const std::vector<double> x = parcel.get_list<double>();
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void pack(ParcelWriter& parcel, const StoredMatrix& matrix) {
  parcel.put(matrix.rows).put(matrix.columns);
  parcel.put_list(matrix.entries.data(), matrix.entries.size());
}

StoredMatrix unpacked_matrix(ParcelReader& parcel) {
  StoredMatrix matrix;
  matrix.rows = parcel.get<int>();
  matrix.columns = parcel.get<int>();
  matrix.entries = parcel.get_list<Eigen::Triplet<double>>();
  return matrix;
}

void pack(ParcelWriter& parcel, const ContactLaw& law) {
  parcel.put(law.friction);
  for (int a = 0; a < 4; ++a) parcel.put(law.traction[a]).put(law.shift[a]);
}

ContactLaw unpacked_law(ParcelReader& parcel) {
  ContactLaw law;
  law.friction = parcel.get<std::array<double, 3>>();
  for (int a = 0; a < 4; ++a) {
    law.traction[a] = parcel.get<double>();
    law.shift[a] = parcel.get<double>();
  }
  return law;
}

std::string packed(const StoredProblem& stored) {
  ParcelWriter parcel;
  parcel.put(stored.dimension).put(stored.H.has_value());
  pack(parcel, stored.M);
  if (stored.H) pack(parcel, *stored.H);
  pack(parcel, stored.f);
  pack(parcel, stored.w);
  parcel.put(stored.laws.size());
  for (const ContactLaw& law : stored.laws) pack(parcel, law);
  return parcel.take();
}

StoredProblem unpacked(ParcelReader parcel) {
  StoredProblem stored;
  stored.dimension = parcel.get<int>();
  const bool global = parcel.get<bool>();
  stored.M = unpacked_matrix(parcel);
  if (global) stored.H = unpacked_matrix(parcel);
  stored.f = unpacked_vector(parcel);
  stored.w = unpacked_vector(parcel);
  for (std::size_t left = parcel.get<std::size_t>(); left > 0; --left)
    stored.laws.push_back(unpacked_law(parcel));
  return stored;
}

std::string packed_info(const Hdf5Reader& in) {
  const std::string group =
      (in.has("/fclib_global") ? "/fclib_global" : "/fclib_local") + std::string("/info/");
  ParcelWriter parcel;
  for (const char* key : {"title", "description", "math_info"})
    parcel.put_text(in.has(group + key) ? in.text(group + key) : std::string());
  return parcel.take();
}

/// Empty without a solution.
std::string packed_solution(const Hdf5Reader& in) {
  if (!in.has("/solution")) return {};
  const Eigen::VectorXd r = in.vector("/solution/r", -1);
  ParcelWriter parcel;
  pack(parcel, r);
  pack(parcel, in.vector("/solution/u", static_cast<int>(r.size())));
  pack(parcel, in.has("/solution/v") ? in.vector("/solution/v", -1) : Eigen::VectorXd());
  return parcel.take();
}

}  // namespace

bool is_hdf5(std::string_view bytes) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  if (bytes.substr(0, kSignature.size()) == kSignature) return true;
  for (std::size_t at = 512; at < bytes.size(); at *= 2)
    if (bytes.substr(at, kSignature.size()) == kSignature) return true;
  return false;
}

ContactProblem parse_fclib(std::string_view image, const std::string& name) {
  const std::string parcel =
      read_isolated(image, name, [](const Hdf5Reader& in) { return packed(read_stored(in)); });
  return to_problem(unpacked(ParcelReader(parcel, name)), name);
}

ProblemInfo parse_fclib_info(std::string_view image, const std::string& name) {
  const std::string bytes = read_isolated(image, name, packed_info);
  ParcelReader parcel(bytes, name);
  ProblemInfo info;
  for (std::string* text : {&info.title, &info.description, &info.math_info}) *text = parcel.get_text();
  return info;
}

std::optional<StoredSolution> parse_fclib_solution(std::string_view image, const std::string& name) {
  const std::string bytes = read_isolated(image, name, packed_solution);
  if (bytes.empty()) return std::nullopt;
  ParcelReader parcel(bytes, name);
  StoredSolution solution;
  solution.r = unpacked_vector(parcel);
  solution.u = unpacked_vector(parcel);
  solution.v = unpacked_vector(parcel);
  return solution;
}

}  // namespace capstan::files
