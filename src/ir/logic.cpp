#include "ir/logic.h"

namespace elenchus::ir {

// A logic's name ends with its arithmetic: RDL, LRA, NRA; LIRA and NIRA have integers, too. A final
// T adds transcendental functions. The strings of QF_S... bring the integers with them.
bool numerals_are_real(std::string_view logic) {
  if (logic.starts_with("QF_")) logic.remove_prefix(3);
  if (logic.starts_with("S")) return false;
  if (logic.ends_with("RAT")) logic.remove_suffix(1);
  return logic.ends_with("RDL") || logic.ends_with("LRA") || logic.ends_with("NRA");
}

}  // namespace elenchus::ir
