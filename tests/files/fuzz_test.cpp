// Seeded mutations of small valid files: each is a valid problem or an InputError. Damage to the structure of
// HDF5 is done through its API, and random bytes only where values lie: what libhdf5 makes of damaged
// metadata differs from version to version. A failure prints its seed, which gives the same mutation again.
#include <array>

#include "files/support.hpp"

namespace capstan::test {
namespace {

using Random = std::mt19937;

int below(int bound, Random& random) { return std::uniform_int_distribution<int>(0, bound - 1)(random); }

template <class List>
const auto& pick(const List& list, Random& random) {
  return list[below(static_cast<int>(std::size(list)), random)];
}

/// True if read, false if refused; anything else fails.
bool read_or_refuse(const std::string& contents, const testing::Message& which) {
  try {
    const ContactProblem problem = parse_problem(contents, "fuzz");
    EXPECT_GE(problem.contacts(), 0) << which;
    EXPECT_TRUE(problem.b().size() == problem.contacts() * problem.dimension()) << which;
    return true;
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("fuzz", 0), 0u) << which << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << which << "threw another exception: " << error.what();
  }
  return false;
}

std::vector<std::string> text_samples() {
  const Scratch scratch;
  std::vector<std::string> samples{"2\n1\n0\n2\n2\n2\t2\n4 1\n3 5\n-1 0.5\n0.3\n",
                                   "2\n1\n2\n2\n2\n1\nCSparse Version 3.2.0\ntriplet: 2-by-2, nzmax: 3 nnz: "
                                   "3\n0 0 : 4\n1 0 : 1\n1 1 : 5\n1 2\n0.5\n1\n",
                                   "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9\n2-by-2, nzmax: 3 nnz: 3, "
                                   "1-norm: 5\ncol 0 : locations 0 to 1\n0 : 4\n1 : 1\n"
                                   "col 1 : locations 2 to 2\n1 : 5\n1 2\n0.5\n",
                                   "2 1  0 2 2 2 2  2 0 0 4  0 2 2 2 2  1 5 0 1  7 8  9 10  0.5 0"};
  for (const int d : {2, 3})
    for (const ContactProblem& problem : {sample_local(d, 2), sample_global(d, 2), sample_local(d, 0)}) {
      write_siconos(scratch / "sample", problem);
      samples.push_back(contents(scratch / "sample"));
    }
  return samples;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> tokens;
  for (std::string token; in >> token;) tokens.push_back(token);
  return tokens;
}

std::string mutate_tokens(const std::string& text, Random& random) {
  static const std::array<std::string, 16> kNasty{
      "nan", "-inf", "1e999",  "-1", "0", "2147483647", "-2147483648", "4294967296",
      "0.5", "x",    "1e-400", ":",  "-", "+",          "3",           "99999999999999999999"};
  std::vector<std::string> tokens = split(text);
  if (tokens.empty()) return text;
  const int at = below(static_cast<int>(tokens.size()), random);
  switch (below(4, random)) {
    case 0:
      tokens[at] = pick(kNasty, random);
      break;
    case 1:
      std::swap(tokens[at], tokens[below(static_cast<int>(tokens.size()), random)]);
      break;
    case 2:
      tokens.erase(tokens.begin() + at);
      break;
    default:
      tokens.insert(tokens.begin() + at, pick(tokens, random));
      break;
  }
  std::string result;
  for (const std::string& token : tokens) result += token + (token.rfind("3.", 0) == 0 ? "\n" : " ");
  return result;
}

std::string flip_bit(std::string bytes, std::size_t begin, std::size_t end, Random& random) {
  if (begin < end)
    bytes[begin + below(static_cast<int>(end - begin), random)] ^= static_cast<char>(1 << below(8, random));
  return bytes;
}

TEST(Fuzz, MutatedTextIsReadOrRefused) {
  const std::vector<std::string> samples = text_samples();
  for (const std::string& sample : samples)
    EXPECT_TRUE(read_or_refuse(sample, testing::Message() << "unchanged:\n" << sample));
  int read = 0;
  constexpr int kCases = 6000;
  for (int k = 0; k < kCases; ++k) {
    Random random(1000 + k);
    std::string text = pick(samples, random);
    for (int mutations = 1 + below(3, random); mutations > 0; --mutations) switch (below(4, random)) {
        case 0:
          text = flip_bit(text, 0, text.size(), random);
          break;
        case 1:
          text = text.substr(0, below(static_cast<int>(text.size()) + 1, random));
          break;
        default:
          text = mutate_tokens(text, random);
          break;
      }
    read += read_or_refuse(text, testing::Message() << "seed " << 1000 + k << ":\n" << text << "\n");
  }
  EXPECT_GT(read, kCases / 50);  // the mutations are not all beyond repair,
  EXPECT_LT(read, kCases / 2);   // nor all harmless
}

struct Sample {
  std::string bytes;
  std::vector<std::string> integers, reals;                 ///< datasets
  std::vector<std::pair<std::size_t, std::size_t>> values;  ///< byte ranges of the values of datasets
};

void note_dataset(hid_t file, const std::string& path, Sample& sample) {
  const hid_t dataset = H5Dopen2(file, path.c_str(), H5P_DEFAULT), type = H5Dget_type(dataset);
  (H5Tget_class(type) == H5T_INTEGER ? sample.integers : sample.reals).push_back(path);
  const haddr_t begin = H5Dget_offset(dataset);
  if (begin != HADDR_UNDEF) sample.values.emplace_back(begin, begin + H5Dget_storage_size(dataset));
  H5Tclose(type);
  H5Dclose(dataset);
}

Sample sample_of(const ContactProblem& problem) {
  const Scratch scratch;
  write_fclib(scratch / "sample", problem);
  Sample sample;
  sample.bytes = contents(scratch / "sample");
  std::vector<std::string> paths{"/capstan"};
  for (const std::string group : {"/fclib_local", "/fclib_global"})
    for (const std::string part : {"", "/vectors", "/W", "/M", "/H"}) paths.push_back(group + part);
  const hid_t file = H5Fopen((scratch / "sample").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (const std::string& group : paths) {
    H5E_BEGIN_TRY {  // most of them are not there
      for (const std::string name : {"/spacedim", "/q", "/f", "/w", "/mu", "/m", "/n", "/nz", "/nzmax", "/p",
                                     "/i", "/x", "/version", "/friction", "/traction", "/shift"})
        if (H5Lexists(file, (group + name).c_str(), H5P_DEFAULT) > 0)
          note_dataset(file, group + name, sample);
    }
    H5E_END_TRY;
  }
  H5Fclose(file);
  return sample;
}

std::string mutate_structure(const Sample& sample, Random& random) {
  static const std::array<int, 8> kIntegers{0, 1, -1, -2, 3, 5, 1000, 2147483647};
  static const std::array<double, 6> kReals{0,
                                            -1,
                                            1e308,
                                            1e-308,
                                            std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity()};
  static const std::array<hsize_t, 4> kSizes{0, 1, 5, 2147483647};
  Image image(sample.bytes);
  const std::string &integers = pick(sample.integers, random), &reals = pick(sample.reals, random);
  std::vector<int> some_integers(below(12, random));
  for (int& value : some_integers) value = pick(kIntegers, random);
  std::vector<double> some_reals(below(12, random));
  for (double& value : some_reals) value = pick(kReals, random);
  switch (below(7, random)) {
    case 0:
      image.integers(integers, {pick(kIntegers, random)});
      break;
    case 1:
      image.integers(integers, some_integers);
      break;
    case 2:
      image.reals(reals, some_reals);
      break;
    case 3:
      image.reals(integers, some_reals);
      break;
    case 4:
      image.declare(reals, H5T_NATIVE_DOUBLE, {pick(kSizes, random)});
      break;
    case 5:
      image.remove(below(2, random) ? integers : reals);
      break;
    default:
      image.group(below(2, random) ? integers : reals);
      break;
  }
  return image.take();
}

std::string mutate_values(const Sample& sample, Random& random) {
  std::string bytes = sample.bytes;
  for (int flips = 1 + below(3, random); flips > 0; --flips) {
    const auto& [begin, end] = pick(sample.values, random);
    bytes = flip_bit(bytes, begin, end, random);
  }
  return bytes;
}

TEST(Fuzz, MutatedHdf5IsReadOrRefused) {
  const ContactProblem plain = sample_local(3, 2);
  const std::vector<Sample> samples{
      sample_of(plain), sample_of(sample_global(2, 2)), sample_of(sample_local(2, 0)),
      sample_of(ContactProblem::from_delassus(plain.W(), plain.b(),
                                              {ContactLaw::elliptic(0.2, 0.3), ContactLaw::coulomb(1)}))};
  int read = 0;
  constexpr int kCases = 300;
  for (int k = 0; k < kCases; ++k) {
    Random random(5000 + k);
    const Sample& sample = pick(samples, random);
    const int kind = below(8, random);
    const std::string bytes =
        kind == 0  ? sample.bytes.substr(0, below(static_cast<int>(sample.bytes.size()), random))
        : kind < 4 ? mutate_structure(sample, random)
                   : mutate_values(sample, random);
    read += read_or_refuse(bytes, testing::Message() << "seed " << 5000 + k << ": ");
  }
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  EXPECT_GT(read, kCases / 50);
  EXPECT_LT(read, kCases / 2);
}

}  // namespace
}  // namespace capstan::test
