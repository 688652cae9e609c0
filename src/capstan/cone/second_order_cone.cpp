#include "capstan/cone/second_order_cone.hpp"

namespace capstan::cone {

template SquareRoot<2> root_of_squares<2>(const Vector<2>&, const Vector<2>&);
template SquareRoot<3> root_of_squares<3>(const Vector<3>&, const Vector<3>&);
template SquareRoot<4> root_of_squares<4>(const Vector<4>&, const Vector<4>&);
template Vector<2> fischer_burmeister<2>(const Vector<2>&, const Vector<2>&);
template Vector<3> fischer_burmeister<3>(const Vector<3>&, const Vector<3>&);
template Vector<4> fischer_burmeister<4>(const Vector<4>&, const Vector<4>&);
template FischerBurmeister<2> fischer_burmeister_jacobian<2>(const Vector<2>&, const Vector<2>&);
template FischerBurmeister<3> fischer_burmeister_jacobian<3>(const Vector<3>&, const Vector<3>&);
template FischerBurmeister<4> fischer_burmeister_jacobian<4>(const Vector<4>&, const Vector<4>&);
template AlartCurnier<2> alart_curnier<2>(const Vector<2>&, const Vector<2>&, double, double);
template AlartCurnier<3> alart_curnier<3>(const Vector<3>&, const Vector<3>&, double, double);
template AlartCurnier<4> alart_curnier<4>(const Vector<4>&, const Vector<4>&, double, double);

}  // namespace capstan::cone
