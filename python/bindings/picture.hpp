#pragma once
#include "bindings/arrays.hpp"
#include "capstan/record/picture/picture.hpp"

namespace capstan::python {

using Pixels = Numpy<std::uint8_t, 3>;

/// (height, width, 3), sRGB. Lets other Python threads run.
Pixels draw(const record::PictureScene& scene, record::PictureOptions options);

}  // namespace capstan::python
