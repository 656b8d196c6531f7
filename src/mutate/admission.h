#pragma once

#include "gen/admission.h"

namespace elenchus::mutate {

using gen::is_value;
using gen::kAnyone;
using gen::readers_of_application;
using gen::readers_of_junction;

}  // namespace elenchus::mutate
