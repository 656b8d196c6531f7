#pragma once

#include "campaign/shared.h"

namespace elenchus::cli {

// While it lives, Ctrl-C (and SIGTERM) asks the campaign to end, a second one to end with the runs
// under way, and a third one ends the process.
class Interrupts {
 public:
  explicit Interrupts(campaign::Control& control);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
};

}  // namespace elenchus::cli
