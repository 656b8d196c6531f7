#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "history/atom.h"
#include "history/knowledge.h"
#include "history/report.h"
#include "history/signature.h"
#include "ir/term_store.h"

namespace elenchus::history {

// What became of the inputs.
struct LearnCounts {
  uint64_t inputs = 0;
  uint64_t learnt = 0;
  uint64_t known = 0;       // the same as another one, but for names, or learnt before
  uint64_t ill_formed = 0;  // they do not parse, or are not well-sorted
  uint64_t empty = 0;       // no assertion that something could be learnt from
  uint64_t assertions = 0;
  uint64_t large_skeletons = 0;  // assertions whose skeleton was too large
  uint64_t nameless_atoms = 0;   // atoms that have no signature, or that cannot stand by themselves
};

// Takes inputs apart and adds what they teach to knowledge.
class Learner {
 public:
  explicit Learner(KnowledgeBuilder& builder);

  // The reason when the input is ill-formed. Everything is counted.
  base::Result<void> add(const Report& report);

  const LearnCounts& counts() const { return counts_; }

 private:
  void add_assertion(ir::TermId formula, KnowledgeBuilder::RawLesson& lesson);
  void add_atom(ir::TermId atom, KnowledgeBuilder::RawLesson& lesson);
  bool reads_back(const NamedAtom& atom);

  KnowledgeBuilder& builder_;
  ir::TermStore store_;
  ir::TermStore::Mark clean_;
  Signatures signatures_;
  AtomNamer namer_;
  ir::TermStore scratch_;  // where texts are read back
  ir::TermStore::Mark scratch_clean_;
  std::unordered_set<std::string> readable_;
  std::unordered_set<uint32_t> seen_;  // atoms of the input under way
  LearnCounts counts_;
};

}  // namespace elenchus::history
