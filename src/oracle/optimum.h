#pragma once

#include <optional>
#include <vector>

#include "oracle/exam.h"
#include "oracle/finding.h"
#include "oracle/objectives.h"

namespace elenchus::oracle {

// What a solver says that its objectives reach at a check.
struct Optimum {
  size_t solver = 0;
  size_t check = 0;
  Objectives objectives;
  Reached reached;
};

// The optima that a solver claims in its run, those that can be read.
std::vector<Optimum> optima_of(Exam& exam, size_t solver);

// An objective that has another value under a model than it is said to reach.
struct Miss {
  size_t objective = 0;
  mpq_class value;
};

// The objective in which a model beats the optimum, if it does.
std::optional<Miss> beaten_by(const ir::TermStore& store, const Optimum& optimum,
                              const ir::Model& model);

// The finding that a model which holds beats the optimum; nothing where it does not. `from`: whose
// model that is.
std::optional<Finding> beaten_finding(Exam& exam, const Optimum& optimum, const ir::Model& model,
                                      std::string_view from);

// The same for a model that the solver itself gives when it is asked for a better one.
std::optional<Finding> better_when_asked(Exam& exam, const Optimum& optimum);

// Shows a wrong optimum again: by the solver's own model, by the finding's witness or one nearby,
// or by asking for something better.
std::optional<Finding> recheck_wrong_optimum(Exam& exam, const Finding& finding);

}  // namespace elenchus::oracle
