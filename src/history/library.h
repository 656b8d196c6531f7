#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/atom.h"
#include "history/knowledge.h"
#include "history/signature.h"
#include "history/skeleton.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::history {

// A set of sort kinds, a bit for each.
using KindSet = uint32_t;
constexpr KindSet kind_bit(ir::SortKind kind) { return KindSet{1} << static_cast<uint32_t>(kind); }

// The kinds of sorts that parts of the term have.
KindSet kinds_in(const ir::TermStore& store, ir::Walker& walker, ir::TermId term);

// Knowledge made ready for an engine: read once, used for many tests.
class Library {
 public:
  explicit Library(std::shared_ptr<const Knowledge> knowledge);

  struct Entry {
    AtomSignature signature;
    KindSet kinds = 0;             // of its operands
    uint32_t count = 0;            // inputs that have it
    std::vector<uint32_t> shapes;  // forms that have it
    std::vector<uint32_t> atoms;   // the same
  };
  // A variable of an atom, or a constant of a shape.
  struct Leaf {
    ir::TermId term;
    LeafName meaning;
  };
  // An atom, or the shape of one, as a term of the library's store.
  struct Form {
    ir::TermId term;
    KindSet kinds = 0;
    std::vector<Leaf> leaves;
  };

  std::span<const Skeleton> skeletons() const { return skeletons_; }
  std::span<const Entry> signatures() const { return signatures_; }
  std::span<const Form> forms() const { return forms_; }
  std::span<const Rule> rules() const { return knowledge_->rules; }
  // For each input, the kinds of sorts in it.
  std::span<const KindSet> themes() const { return themes_; }
  // None when nothing like it was seen.
  static constexpr uint32_t kUnknown = UINT32_MAX;
  uint32_t find(const std::string& signature) const;

  // Where the forms live, with a few datatypes that no form uses.
  const ir::TermStore& store() const { return store_; }
  std::span<const ir::DatatypeId> datatypes() const { return datatypes_; }
  static constexpr std::string_view kFirstConstructor = "d0nil";

 private:
  void read_forms();
  Form form_of(ir::Walker& walker, ir::TermId term) const;

  std::shared_ptr<const Knowledge> knowledge_;
  std::vector<Skeleton> skeletons_;
  std::vector<Entry> signatures_;
  std::vector<KindSet> themes_;
  std::unordered_map<std::string, uint32_t> places_;  // of signatures
  // Texts are read once, into a store of their own.
  ir::TermStore store_;
  std::vector<Form> forms_;  // shapes, then atoms
  std::vector<ir::DatatypeId> datatypes_;
};

}  // namespace elenchus::history
