#pragma once

namespace elenchus::share {

// How much time went into an engine or a seed, and what it was worth.
struct Worth {
  double value = 0;
  double seconds = 0;
};

}  // namespace elenchus::share
