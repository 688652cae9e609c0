#include "bindings/picture.hpp"

#include <nanobind/stl/string.h>

#include "bindings/bind.hpp"
#include "capstan/errors.hpp"

namespace capstan::python {
namespace {

using PixelsIn = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::bytes png(const PixelsIn& pixels) {
  record::Image image{int(pixels.shape(1)), int(pixels.shape(0)), {}};
  image.rgb.assign(pixels.data(), pixels.data() + pixels.size());
  const std::string bytes = png_bytes(image);
  return nb::bytes(bytes.data(), bytes.size());
}

void set_color(record::PictureOptions& options, const std::string& name) {
  if (name != "own" && name != "strain")
    throw InputError("color: is '" + name + "', expected 'own' or 'strain'");
  options.mesh_color = name == "own" ? record::MeshColor::own : record::MeshColor::strain;
}

}  // namespace

Pixels draw(const record::PictureScene& scene, record::PictureOptions options) {
  record::Image image;
  {
    const nb::gil_scoped_release released;
    if (options.strain_high == 0) options.strain_high = scene.high_strain();
    image = draw_picture(scene, options);
  }
  const std::array shape{std::size_t(image.height), std::size_t(image.width), std::size_t(3)};
  return to_numpy(std::move(image.rgb), shape);
}

void bind_picture(nb::module_& module) {
  using record::PictureOptions;
  nb::class_<PictureOptions>(module, "PictureOptions")
      .def(nb::init<>())
      .def_rw("width", &PictureOptions::width)
      .def_rw("height", &PictureOptions::height)
      .def_rw("samples", &PictureOptions::samples)
      .def_rw("wireframe", &PictureOptions::wireframe)
      .def_rw("strain_high", &PictureOptions::strain_high)
      .def_prop_rw(
          "azimuth", [](const PictureOptions& o) { return o.view.azimuth; },
          [](PictureOptions& o, double value) { o.view.azimuth = value; })
      .def_prop_rw(
          "elevation", [](const PictureOptions& o) { return o.view.elevation; },
          [](PictureOptions& o, double value) { o.view.elevation = value; })
      .def_prop_rw(
          "zoom", [](const PictureOptions& o) { return o.view.zoom; },
          [](PictureOptions& o, double value) { o.view.zoom = value; })
      .def_prop_rw(
          "orthographic", [](const PictureOptions& o) { return o.view.orthographic; },
          [](PictureOptions& o, bool value) { o.view.orthographic = value; })
      .def_prop_rw(
          "color",
          [](const PictureOptions& o) {
            return std::string(o.mesh_color == record::MeshColor::own ? "own" : "strain");
          },
          &set_color);
  module.def("png", &png, nb::arg("pixels").noconvert());
}

}  // namespace capstan::python
