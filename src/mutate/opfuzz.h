#pragma once

#include <memory>

#include "mutate/chain.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

struct OpfuzzSettings : ChainSettings {};

std::unique_ptr<Engine> make_opfuzz(const OpfuzzSettings& settings);

}  // namespace elenchus::mutate
