#include "capstan/files/hair.hpp"
#include "capstan/errors.hpp"
#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"

namespace capstan::exports {

void write_hair(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  const record::Manifest& manifest = footage.manifest();
  if (manifest.layout.strands() == 0) throw InputError("hair: holds strands alone, and the run has none");
  footage.begin(1, progress);
  for (int k = 0; k < footage.frames(); ++k) {
    const record::Snapshot snapshot = footage.read(k);
    HairFile hair;
    hair.default_thickness = 2 * manifest.radii[0];
    hair.information = "Capstan. Metres, z up; thickness is the diameter.";
    Eigen::Index at = 0;
    for (std::size_t s = 0; s < manifest.radii.size(); ++s) {
      auto& strand = hair.strands.emplace_back();
      for (int i = 0; i < manifest.layout.points_per_strand[s]; ++i)
        strand.push_back(snapshot.points.col(at++));
      hair.thickness.emplace_back(strand.size(), 2 * manifest.radii[s]);
    }
    OutputFile file(folder / series_name(footage, k, ".hair"));
    file.write(hair_bytes(hair));
    file.close();
  }
}

}  // namespace capstan::exports
