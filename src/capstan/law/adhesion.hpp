#pragma once

namespace capstan {

/// How the intensity of a bond goes from one step to the next, pressure and distance held.
enum class BondSteps {
  exponential,  ///< the exact solution: it cannot overshoot, whatever dt
  euler,        ///< explicit, as in [Gascon10, sec. 5.3]
};

/// How adhesion and friction share what a contact bears along the surface.
enum class Coupling {
  rcc,  ///< springs, and beside them friction mu (1 - beta) in the exact cone [Raous, Cangemi, Cocou 1999]
  box,  ///< axis by axis the spring or friction mu, whichever bears less [Gascon10, sec. 5.2]
};

/// How two surfaces stick to each other: a bed of springs between them, of an intensity beta from 0 to 1 that
/// grows under pressure and decays where they are pulled too far apart. With g the distance between two
/// points that were together, the traction is -C beta^2 g. [Gascon10, sec. 4]
struct Adhesion {
  double stiffness = 0;     ///< C, N/m^3, > 0
  double tangential = 1;    ///< the part of C that holds along the surface, >= 0
  double energy = 0;        ///< W, J/m^2, >= 0: bonds decay where C g^2 beta exceeds it
  double viscosity = 0;     ///< eta, J s/m^2, > 0
  double bonding_rate = 0;  ///< r, 1/(Pa s), >= 0
  double saturation = 0;    ///< p0, Pa, >= 0: a pressure p makes no bonds beyond beta = p/p0; 0: up to 1
  double debond_gap = 0;    ///< m, > 0: what is further apart lets go
  double initial = 0;       ///< beta of what touches when time begins, 0 to 1
  BondSteps steps = BondSteps::exponential;
  Coupling coupling = Coupling::rcc;
};

/// Throws InputError, naming the field and its value, unless the numbers are as described above.
void check(const Adhesion& adhesion);

/// beta after dt under a pressure >= 0 (Pa).  d beta/dt = r max(p - beta p0, 0)   [Gascon10, eq. 11]
double bonded(const Adhesion& adhesion, double beta, double pressure, double dt);

/// beta after dt at a squared distance g^2 (m^2).  d beta/dt = min(W - C g^2 beta, 0)/eta   [Gascon10, eq.
/// 12]
double debonded(const Adhesion& adhesion, double beta, double squared_distance, double dt);

/// The spring of a patch over one step, kg: the E of a contact law, dt^2 A C beta^2.
double bond_traction(const Adhesion& adhesion, double beta, double area, double dt);

}  // namespace capstan
