#pragma once

#include <string>

#include "docket/prosecutor.h"
#include "docket/suspicion.h"
#include "store/campaign_store.h"

namespace elenchus::docket {

// What it takes that the solver itself calls experimental: options, or a format of floats. Empty:
// nothing.
std::string experimental_need(const Indictment& indictment);

// All that the folder of a bug holds: manifest, scripts, witness, outputs, repro.sh, report.md.
// `outside_policy`: why it is not to be reported, if it is not. `is_provisional`: more is to come.
store::Finding dossier(const Indictment& indictment, const Origin& origin,
                       const std::string& outside_policy, bool is_provisional = false);

}  // namespace elenchus::docket
