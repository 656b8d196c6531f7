#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "history/atom.h"
#include "history/rules.h"

namespace elenchus::history {

// Where an input comes from. Everything but the fingerprint may be empty.
struct Origin {
  std::string solver;  // "z3"
  uint64_t issue = 0;  // 0: none
  std::string date;    // when the issue was resolved, YYYY-MM-DD
  std::string kind;    // "soundness", "invalid-model", "crash"

  bool operator==(const Origin&) const = default;
  bool operator<(const Origin& other) const {
    return std::tie(solver, issue, date, kind) <
           std::tie(other.solver, other.issue, other.date, other.kind);
  }
};

// What one bug-triggering input taught. The numbers are places in the lists of Knowledge.
struct Lesson {
  uint64_t fingerprint = 0;  // of its skeletons and renamed atoms: equal inputs are learnt once
  Origin origin;
  std::vector<uint32_t> skeletons;   // one for each assertion, ascending
  std::vector<uint32_t> signatures;  // ascending, each once
  std::vector<uint32_t> shapes;      // the same
  std::vector<uint32_t> atoms;       // the same; empty where texts were not to be kept

  bool operator==(const Lesson&) const = default;
};

// An atom that is kept as text, or the shape of one.
struct AtomText {
  uint32_t signature = 0;
  std::string text;
};

// What is known from bug-triggering inputs. Everything can be recomputed from the lessons, so that
// knowledge can be merged, cut and added to; the lists hold each text once, in order.
struct Knowledge {
  std::vector<std::string> skeletons;
  std::vector<std::string> signatures;
  std::map<std::string, std::string> declarations;  // "(Int) Bool" by name
  std::vector<AtomText> shapes;
  std::vector<AtomText> atoms;
  std::vector<Lesson> lessons;  // by origin and fingerprint
  RuleSettings settings;
  std::vector<Rule> rules;  // over signatures

  // How many lessons have each skeleton or signature.
  std::vector<uint32_t> skeleton_counts() const;
  std::vector<uint32_t> signature_counts() const;
};

// Collects lessons by text; gives Knowledge with everything in its place. The result does not
// depend on the order of additions.
class KnowledgeBuilder {
 public:
  struct RawAtom {
    std::string signature;
    std::optional<NamedAtom> named;
    std::optional<NamedAtom> shape;
  };
  struct RawLesson {
    Origin origin;
    std::vector<std::string> skeletons;
    std::vector<RawAtom> atoms;
  };

  // False when the same input was known already; then only its origin may change.
  bool add(const RawLesson& raw);
  // How many of its lessons were new.
  uint32_t add(const Knowledge& knowledge);

  // Leaves out the texts of atoms; their shapes stay.
  void forget_texts() { keeps_texts_ = false; }
  bool keeps_texts() const { return keeps_texts_; }

  // With rules mined afresh.
  Knowledge build(const RuleSettings& settings) const;

 private:
  struct Entry {
    Origin origin;
    std::vector<std::string> skeletons;
    std::set<std::string> signatures;
    std::set<std::string> shapes;  // texts
    std::set<std::string> atoms;   // the same
  };
  // What is known of texts.
  struct Texts {
    std::map<std::string, std::string> signatures;
    std::map<std::string, std::vector<std::string>> names;  // declarations used
  };

  bool add(uint64_t fingerprint, Entry entry);
  void keep(const NamedAtom& named, const std::string& signature, Texts& texts,
            std::set<std::string>& list);
  std::vector<char> take_over(const Knowledge& knowledge, const std::vector<AtomText>& list,
                              Texts& texts);
  bool declare(const Declaration& declaration);

  bool keeps_texts_ = true;
  std::map<uint64_t, Entry> entries_;  // by fingerprint
  Texts shapes_;
  Texts atoms_;
  std::map<std::string, std::string> declarations_;
};

// Which lessons to keep.
struct Cut {
  std::string solver;       // only of this one; empty: of all
  std::string until;        // resolved by this day; lessons without a date are left out
  uint64_t last_issue = 0;  // only issues up to this number; 0: all
};
Knowledge cut(const Knowledge& knowledge, const Cut& cut);

}  // namespace elenchus::history
