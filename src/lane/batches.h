#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "gen/grammar.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "lane/forms.h"
#include "lane/term_session.h"

namespace elenchus::lane {

// Terms to be asked about together.
struct Batch {
  ir::Script script;  // declares what they are over
  std::vector<ir::TermId> terms;
  std::vector<ir::Model> assignments;
};

// One of several that share something out.
struct Part {
  size_t number = 0;
  size_t of = 1;
};

// Terms that come from nowhere, for one solver: applications of all that it reads to values, the
// same nested, subterms of generated scripts. What it keeps is in the store for good; what the
// batches hold may be taken back after each.
class Batches {
 public:
  // Of several that share the work, each goes through the applications of some forms; of the others
  // it asks for one, to know whether they are taken.
  Batches(ir::TermStore& store, uint16_t reader, Part part = {});

  // Applications of some forms to values, none of them twice until each has had its turn. Empty
  // where all have.
  Batch folded(ir::TermStore& store, base::Rng& rng);
  Batch nested(ir::TermStore& store, base::Rng& rng);
  Batch generated(ir::TermStore& store, base::Rng& rng);

  // What became of the latest folded batch. Forms that the solver does not take are left alone, and
  // of those that it was not asked about yet, only a few come at a time: some solvers end at the
  // first thing that they do not like.
  void learn(std::span<const Reply> replies);

  const Forms& forms() const { return forms_; }

 private:
  enum class Standing : uint8_t { kNew, kTaken, kRefused };
  // What is known of a form.
  struct Account {
    Standing standing = Standing::kNew;
    std::optional<Tour> tour;  // over its applications, once it was drawn
    uint32_t answered = 0;
    uint32_t refused = 0;
  };
  void draw(ir::TermStore& store, size_t form, uint64_t most, base::Rng& rng, Batch& batch);

  bool is_mine(size_t form) const { return form % part_.of == part_.number; }

  Part part_;
  Forms forms_;
  gen::Grammar grammar_;
  std::vector<Account> accounts_;  // by form
  std::vector<size_t> new_;        // forms, in the order in which they are tried
  std::vector<size_t> open_;       // forms that are taken and have applications left
  std::vector<size_t> drawn_;      // the forms of the latest folded batch
};

// The subterms of all that these scripts say, where their declarations go together: the first
// script counts most. `models`: assignments beside the random ones, such as the first script's
// models.
Batch subterms_of(ir::TermStore& store, std::span<const ir::Script> scripts,
                  std::span<const ir::Model> models, base::Rng& rng);

}  // namespace elenchus::lane
