#include "mutate/engine.h"

namespace elenchus::mutate {

const char* to_string(Truth truth) {
  switch (truth) {
    case Truth::kUnknown: return "unknown";
    case Truth::kSat: return "sat";
    case Truth::kUnsat: return "unsat";
  }
  return "unknown";
}

}  // namespace elenchus::mutate
