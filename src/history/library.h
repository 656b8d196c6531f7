#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/knowledge.h"
#include "history/signature.h"
#include "history/skeleton.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::history {

// A set of sort kinds, a bit for each.
using KindSet = uint32_t;
constexpr KindSet kind_bit(ir::SortKind kind) { return KindSet{1} << static_cast<uint32_t>(kind); }

// Knowledge made ready for an engine: read once, used for many tests.
class Library {
 public:
  explicit Library(std::shared_ptr<const Knowledge> knowledge);

  struct Entry {
    Signature signature;
    KindSet kinds = 0;            // of its operands
    uint32_t count = 0;           // inputs that have it
    std::vector<uint32_t> atoms;  // texts that have it
  };

  std::span<const Skeleton> skeletons() const { return skeletons_; }
  std::span<const Entry> signatures() const { return signatures_; }
  std::span<const Rule> rules() const { return knowledge_->rules; }
  // For each input, the kinds of sorts in it.
  std::span<const KindSet> themes() const { return themes_; }
  // None when nothing like it was seen.
  static constexpr uint32_t kUnknown = UINT32_MAX;
  uint32_t find(const std::string& signature) const;

  // Atoms as terms of a store, with what they declare.
  struct Sample {
    std::vector<ir::TermId> atoms;     // in the order asked for
    std::vector<ir::FunId> functions;  // that they use
    std::vector<ir::DatatypeId> datatypes;
  };
  // Names that functions of the store have already get a prefix. With `wants_datatypes`, a few
  // datatypes are declared as well: atoms as text have none.
  Sample sample(ir::TermStore& store, std::span<const uint32_t> atoms, bool wants_datatypes) const;

 private:
  // A text and the places in it where a declared name starts.
  struct Text {
    std::string text;
    std::vector<uint32_t> names;  // offsets
    std::vector<uint32_t> uses;   // declarations, by number
  };
  std::string script_for(std::span<const uint32_t> atoms, std::span<const uint32_t> used,
                         const std::string& prefix, bool wants_datatypes) const;

  std::shared_ptr<const Knowledge> knowledge_;
  std::vector<Skeleton> skeletons_;
  std::vector<Entry> signatures_;
  std::vector<KindSet> themes_;
  std::unordered_map<std::string, uint32_t> places_;  // of signatures
  std::vector<Text> texts_;
  std::vector<std::string> names_;  // of declarations
  std::vector<std::string> sorts_;
};

}  // namespace elenchus::history
