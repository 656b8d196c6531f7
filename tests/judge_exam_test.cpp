// The judge's own exam. Values are made in different ways (listings and complements, stores in two
// orders, lambdas, unions and insertions, sums of sequences), in a script and in models as each
// solver prints them. Two of them are equal exactly when they mean the same, they agree with their
// meaning everywhere, and no operator of the table can tell two spellings of one value apart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/evaluator.h"
#include "ir/apply.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

// --- Who writes a value. ---

enum class Dialect : uint8_t { kScript, kZ3, kCvc5, kCvc4, kBitwuzla, kBoolector };

constexpr std::array kModels = {Dialect::kZ3, Dialect::kCvc5, Dialect::kCvc4, Dialect::kBitwuzla,
                                Dialect::kBoolector};

constexpr char kNoSpelling = '?';

// Where values are written, and what they name.
struct Speaker {
  Dialect dialect;
  base::Rng& rng;
  std::string functions = {};
  int names = 0;
  int lists = 0;  // sequences and the like around the value

  bool is_cvc() const { return dialect == Dialect::kCvc4 || dialect == Dialect::kCvc5; }
  std::string fresh(std::string_view stem) { return fmt::format("{}!{}", stem, names++); }
};

// A sort and some of its values, which are all different. A value is its number.
class Sort {
 public:
  explicit Sort(std::string name) : name_(std::move(name)) {}
  Sort(const Sort&) = delete;
  Sort& operator=(const Sort&) = delete;
  virtual ~Sort() = default;

  const std::string& name() const { return name_; }
  virtual size_t count() const = 0;
  virtual bool are_all() const = 0;  // there are no others
  // In one of the ways there are; with kNoSpelling where the dialect has none.
  virtual std::string spell(Speaker& speaker, size_t value) const = 0;
  // The definition of a constant in a model.
  virtual std::string definition(Speaker& speaker, std::string_view constant, size_t value) const {
    const std::string body = spell(speaker, value);
    return fmt::format("(define-fun {} () {} {})", constant, name_, body);
  }
  // Facts that hold of a term with this value, apart from what it equals.
  virtual std::vector<std::string> facts(Speaker&, std::string_view, size_t) const { return {}; }
  // Terms with the value of which no operator of the table reads.
  virtual std::vector<std::string> uses(std::string_view) const { return {}; }
  // A sort inside, for arguments of operators.
  virtual const Sort* part() const { return nullptr; }

 private:
  std::string name_;
};

// --- Sorts without parts. ---

class PlainSort : public Sort {
 public:
  PlainSort(std::string name, bool are_all, std::vector<std::vector<std::string>> spellings)
      : Sort(std::move(name)), spellings_(std::move(spellings)), are_all_(are_all) {}

  size_t count() const override { return spellings_.size(); }
  bool are_all() const override { return are_all_; }
  std::string spell(Speaker& speaker, size_t value) const override {
    return speaker.rng.pick(std::span(spellings_[value]));
  }

 private:
  std::vector<std::vector<std::string>> spellings_;
  bool are_all_;
};

// The two elements that every model below gives it.
class ElementSort : public Sort {
 public:
  ElementSort() : Sort("U") {}

  size_t count() const override { return 2; }
  bool are_all() const override { return true; }
  std::string spell(Speaker& speaker, size_t value) const override {
    switch (speaker.dialect) {
      case Dialect::kScript: return value == 0 ? "u" : "v";
      case Dialect::kZ3: return fmt::format("U!val!{}", value);
      case Dialect::kCvc4: return fmt::format("@uc_U_{}", value);
      default: return fmt::format("(as @U_{} U)", value);
    }
  }
};

// --- Functions of some arguments: arrays and sets. ---

// The results for the known arguments, and the one for all others.
struct Meaning {
  std::vector<size_t> results;
  size_t elsewhere = 0;

  friend auto operator<=>(const Meaning&, const Meaning&) = default;
};

class MapSort : public Sort {
 public:
  MapSort(std::string name, std::vector<const Sort*> indices, const Sort& result, base::Rng& rng)
      : Sort(std::move(name)), indices_(std::move(indices)), result_(result) {
    for (const Sort* index : indices_) {
      keys_ *= index->count();
      are_keys_all_ = are_keys_all_ && index->are_all();
    }
    choose_values(rng);
  }

  size_t count() const override { return values_.size(); }
  bool are_all() const override { return are_all_; }
  const Sort* part() const override { return indices_[0]; }

  std::string spell(Speaker& speaker, size_t value) const override {
    const Meaning& meaning = values_[value];
    const uint64_t way = speaker.rng.below(4);
    if (speaker.dialect == Dialect::kScript && way == 0) return named_lambda(speaker, meaning);
    // What is neither set nor array by itself needs a place that says so.
    const bool is_plain = !is_set() || speaker.lists == 0;
    if (speaker.dialect == Dialect::kZ3 && is_plain) {
      if (way == 0) return lambda(speaker, meaning);
      if (way == 1) return named_function(speaker, meaning);
    }
    return stores(speaker, meaning);
  }

  std::string definition(Speaker& speaker, std::string_view constant, size_t value) const override {
    if (speaker.dialect != Dialect::kBoolector) return Sort::definition(speaker, constant, value);
    return function(speaker, constant, values_[value]);
  }

  std::vector<std::string> facts(Speaker& speaker, std::string_view term,
                                 size_t value) const override {
    std::vector<std::string> facts;
    for (size_t key = 0; key < keys_; ++key) {
      facts.push_back(fmt::format("(= (select {}{}) {})", term, arguments(speaker, key),
                                  result_.spell(speaker, values_[value].results[key])));
    }
    return facts;
  }

 protected:
  virtual bool is_set() const { return false; }
  const Meaning& meaning(size_t value) const { return values_[value]; }
  bool are_keys_all() const { return are_keys_all_; }
  size_t keys() const { return keys_; }
  const Sort& index() const { return *indices_[0]; }

 private:
  // All there are, if they are few; else some.
  void choose_values(base::Rng& rng) {
    constexpr size_t kMany = 16;
    size_t all = 1;
    for (size_t i = 0; i < keys_ && all <= kMany; ++i) all *= result_.count();
    are_all_ = all <= kMany && are_keys_all_ && result_.are_all();
    std::set<Meaning> chosen;
    constexpr int kDraws = 6;
    for (size_t i = 0; are_all_ ? i < all : i < kDraws; ++i) {
      Meaning meaning;
      size_t code = i;
      for (size_t key = 0; key < keys_; ++key) {
        meaning.results.push_back(are_all_ ? code % result_.count() : rng.below(result_.count()));
        code /= result_.count();
      }
      meaning.elsewhere = are_keys_all_ ? 0 : rng.below(result_.count());
      chosen.insert(std::move(meaning));
    }
    values_.assign(chosen.begin(), chosen.end());
  }

  std::vector<size_t> parts_of(size_t key) const {
    std::vector<size_t> parts;
    for (const Sort* index : indices_) {
      parts.push_back(key % index->count());
      key /= index->count();
    }
    return parts;
  }

  // " a b", each spelled anew.
  std::string arguments(Speaker& speaker, size_t key) const {
    std::string text;
    const std::vector<size_t> parts = parts_of(key);
    for (size_t i = 0; i < parts.size(); ++i) {
      text += ' ' + indices_[i]->spell(speaker, parts[i]);
    }
    return text;
  }

  size_t default_of(Speaker& speaker, const Meaning& meaning) const {
    return are_keys_all_ ? speaker.rng.below(result_.count()) : meaning.elsewhere;
  }

  // The keys in some order, now and then without those that are the default anyway.
  std::vector<size_t> listed(Speaker& speaker, const Meaning& meaning, size_t otherwise) const {
    std::vector<size_t> keys(keys_);
    std::iota(keys.begin(), keys.end(), size_t{0});
    speaker.rng.shuffle(std::span(keys));
    if (!speaker.rng.one_in(3)) {
      std::erase_if(keys, [&](size_t key) { return meaning.results[key] == otherwise; });
    }
    return keys;
  }

  std::string stores(Speaker& speaker, const Meaning& meaning) const {
    const size_t otherwise = default_of(speaker, meaning);
    std::string text = fmt::format("((as const {}) {})", name(), result_.spell(speaker, otherwise));
    const auto store = [&](size_t key, size_t result) {
      text = fmt::format("(store {}{} {})", text, arguments(speaker, key),
                         result_.spell(speaker, result));
    };
    for (const size_t key : listed(speaker, meaning, otherwise)) {
      if (speaker.rng.one_in(4)) store(key, speaker.rng.below(result_.count()));
      store(key, meaning.results[key]);
    }
    return text;
  }

  // "(x!0 Int) (x!1 Int)", and a chain of cases for them.
  std::string formals() const {
    std::string text;
    for (size_t i = 0; i < indices_.size(); ++i) {
      text += fmt::format("{}(x!{} {})", i == 0 ? "" : " ", i, indices_[i]->name());
    }
    return text;
  }

  std::string cases(Speaker& speaker, const Meaning& meaning) const {
    const size_t otherwise = default_of(speaker, meaning);
    std::string text = result_.spell(speaker, otherwise);
    for (const size_t key : listed(speaker, meaning, otherwise)) {
      const std::vector<size_t> parts = parts_of(key);
      std::string conditions;
      for (size_t i = 0; i < parts.size(); ++i) {
        conditions += fmt::format(" (= x!{} {})", i, indices_[i]->spell(speaker, parts[i]));
      }
      text = fmt::format("(ite {} {} {})",
                         parts.size() == 1 ? conditions.substr(1) : "(and" + conditions + ")",
                         result_.spell(speaker, meaning.results[key]), text);
    }
    return text;
  }

  std::string lambda(Speaker& speaker, const Meaning& meaning) const {
    return fmt::format("(lambda ({}) {})", formals(), cases(speaker, meaning));
  }

  std::string named_lambda(Speaker& speaker, const Meaning& meaning) const {
    const std::string body = lambda(speaker, meaning);
    const std::string constant = speaker.fresh("l");
    speaker.functions += fmt::format("(define-fun {} () {} {})\n", constant, name(), body);
    return constant;
  }

  std::string function(Speaker& speaker, std::string_view function_name,
                       const Meaning& meaning) const {
    return fmt::format("(define-fun {} ({}) {} {})", function_name, formals(), result_.name(),
                       cases(speaker, meaning));
  }

  std::string named_function(Speaker& speaker, const Meaning& meaning) const {
    const std::string function_name = speaker.fresh("k");
    const std::string text = function(speaker, function_name, meaning);
    speaker.functions += text + "\n";
    return fmt::format("(_ as-array {})", function_name);
  }

  std::vector<const Sort*> indices_;
  const Sort& result_;
  size_t keys_ = 1;
  bool are_keys_all_ = true;
  bool are_all_ = false;
  std::vector<Meaning> values_;
};

std::string array_name(const std::vector<const Sort*>& indices, const Sort& element) {
  std::string name = "(Array";
  for (const Sort* index : indices) name += ' ' + index->name();
  return name + ' ' + element.name() + ')';
}

class ArraySort : public MapSort {
 public:
  ArraySort(const std::vector<const Sort*>& indices, const Sort& element, base::Rng& rng)
      : MapSort(array_name(indices, element), indices, element, rng) {}
};

class SetSort : public MapSort {
 public:
  SetSort(const Sort& element, const Sort& truths, base::Rng& rng)
      : MapSort(fmt::format("(Set {})", element.name()), {&element}, truths, rng) {}

  // For truths, 1 is true.
  std::string spell(Speaker& speaker, size_t value) const override {
    const bool is_finite = meaning(value).elsewhere == 0;
    if (speaker.is_cvc() || (speaker.dialect == Dialect::kScript && speaker.rng.one_in(2))) {
      if (is_finite) return listing(speaker, value);
      if (speaker.is_cvc()) return {kNoSpelling};  // their sets are finite
    }
    return MapSort::spell(speaker, value);
  }

  std::vector<std::string> facts(Speaker& speaker, std::string_view term,
                                 size_t value) const override {
    std::vector<std::string> facts = MapSort::facts(speaker, term, value);
    const Meaning& mine = meaning(value);
    const size_t members = members_of(value).size();
    const bool is_finite = mine.elsewhere == 0;
    if (is_finite) facts.push_back(fmt::format("(= (set.card {}) {})", term, members));
    facts.push_back(fmt::format("(= (set.is_empty {}) {})", term, is_finite && members == 0));
    facts.push_back(fmt::format("(= (set.is_singleton {}) {})", term, is_finite && members == 1));
    const size_t other = speaker.rng.below(count());
    const std::string with = spell(speaker, other);
    for (const auto& [op, holds] : kCombinations) {
      const std::string whole = fmt::format("({} {} {})", op, term, with);
      for (size_t key = 0; key < keys(); ++key) {
        facts.push_back(
            fmt::format("(= (set.member {} {}) {})", index().spell(speaker, key), whole,
                        holds(mine.results[key] == 1, meaning(other).results[key] == 1)));
      }
    }
    facts.push_back(fmt::format("(= (set.subset {} {}) {})", term, with, is_subset(value, other)));
    return facts;
  }

 protected:
  bool is_set() const override { return true; }

 private:
  static constexpr std::pair<std::string_view, bool (*)(bool, bool)> kCombinations[] = {
      {"set.union", [](bool a, bool b) { return a || b; }},
      {"set.inter", [](bool a, bool b) { return a && b; }},
      {"set.minus", [](bool a, bool b) { return a && !b; }},
  };

  bool is_subset(size_t value, size_t other) const {
    const Meaning& a = meaning(value);
    const Meaning& b = meaning(other);
    bool fits = a.elsewhere <= b.elsewhere;
    for (size_t key = 0; key < keys(); ++key) fits = fits && a.results[key] <= b.results[key];
    return fits;
  }

  std::vector<size_t> members_of(size_t value) const {
    std::vector<size_t> members;
    for (size_t key = 0; key < keys(); ++key) {
      if (meaning(value).results[key] == 1) members.push_back(key);
    }
    return members;
  }

  // Unions of singletons in any shape, or insertions.
  std::string listing(Speaker& speaker, size_t value) const {
    const bool is_old = speaker.dialect == Dialect::kCvc4;
    std::vector<size_t> members = members_of(value);
    speaker.rng.shuffle(std::span(members));
    std::string text = fmt::format("(as {} {})", is_old ? "emptyset" : "set.empty", name());
    const bool inserts = speaker.rng.one_in(2);
    for (const size_t member : members) {
      const std::string element = index().spell(speaker, member);
      const std::string unit =
          fmt::format("({} {})", is_old ? "singleton" : "set.singleton", element);
      const std::string_view join = is_old ? "union" : "set.union";
      if (inserts) {
        text = fmt::format("({} {} {})", is_old ? "insert" : "set.insert", element, text);
      } else {
        text = speaker.rng.one_in(2) ? fmt::format("({} {} {})", join, unit, text)
                                     : fmt::format("({} {} {})", join, text, unit);
      }
    }
    return text;
  }
};

// --- Lists of values: sequences, bags, tuples, datatypes. ---

// Values are lists of parts.
class ListSort : public Sort {
 public:
  ListSort(std::string name, std::vector<const Sort*> parts)
      : Sort(std::move(name)), parts_(std::move(parts)) {}

  size_t count() const override { return values_.size(); }
  bool are_all() const override { return false; }
  const Sort* part() const override { return parts_[0]; }

 protected:
  using List = std::vector<size_t>;

  void add(List list) {
    if (std::find(values_.begin(), values_.end(), list) == values_.end()) {
      values_.push_back(std::move(list));
    }
  }
  const List& list(size_t value) const { return values_[value]; }
  const Sort& part_at(size_t i) const { return *parts_[std::min(i, parts_.size() - 1)]; }

  // The parts, each spelled anew.
  std::vector<std::string> spelled(Speaker& speaker, const List& list) const {
    std::vector<std::string> texts;
    ++speaker.lists;
    for (size_t i = 0; i < list.size(); ++i) texts.push_back(part_at(i).spell(speaker, list[i]));
    --speaker.lists;
    return texts;
  }

 private:
  std::vector<const Sort*> parts_;
  std::vector<List> values_;
};

// Joins texts by an operator of two arguments, in any shape.
std::string joined(Speaker& speaker, std::string_view op, std::vector<std::string> texts) {
  while (texts.size() > 1) {
    const size_t at = speaker.rng.below(texts.size() - 1);
    texts[at] = fmt::format("({} {} {})", op, texts[at], texts[at + 1]);
    texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  return texts[0];
}

class SequenceSort : public ListSort {
 public:
  SequenceSort(const Sort& element, base::Rng& rng)
      : ListSort(fmt::format("(Seq {})", element.name()), {&element}) {
    for (const size_t length : {0, 1, 1, 2, 2, 3}) {
      List list(length);
      for (size_t& item : list) item = rng.below(element.count());
      add(std::move(list));
    }
  }

  std::string spell(Speaker& speaker, size_t value) const override {
    const std::string empty = fmt::format("(as seq.empty {})", name());
    const std::vector<std::string> items = spelled(speaker, list(value));
    std::vector<std::string> parts;
    if (items.empty() || speaker.rng.one_in(3)) parts.push_back(empty);
    for (const std::string& item : items) parts.push_back(fmt::format("(seq.unit {})", item));
    if (speaker.rng.one_in(3)) parts.push_back(empty);
    return joined(speaker, "seq.++", std::move(parts));
  }

  std::vector<std::string> facts(Speaker& speaker, std::string_view term,
                                 size_t value) const override {
    std::vector<std::string> facts = {fmt::format("(= (seq.len {}) {})", term, list(value).size())};
    for (size_t i = 0; i < list(value).size(); ++i) {
      const std::string item = part_at(0).spell(speaker, list(value)[i]);
      facts.push_back(fmt::format("(= (seq.nth {} {}) {})", term, i, item));
      facts.push_back(fmt::format("(seq.contains {} (seq.unit {}))", term, item));
    }
    return facts;
  }
};

// A value is how often each known element is in it.
class BagSort : public ListSort {
 public:
  BagSort(const Sort& element, base::Rng& rng)
      : ListSort(fmt::format("(Bag {})", element.name()), {&element}) {
    for (int i = 0; i < 6; ++i) {
      List counts(element.count());
      for (size_t& number : counts) number = rng.one_in(2) ? 0 : rng.below(4);
      add(std::move(counts));
    }
  }

  std::string spell(Speaker& speaker, size_t value) const override {
    std::vector<std::string> parts;
    for (size_t i = 0; i < list(value).size(); ++i) {
      size_t left = list(value)[i];
      while (left > 0) {
        const size_t some = 1 + speaker.rng.below(left);
        parts.push_back(fmt::format("(bag {} {})", spelled(speaker, {i})[0], some));
        left -= some;
      }
    }
    speaker.rng.shuffle(std::span(parts));
    if (parts.empty()) return fmt::format("(as bag.empty {})", name());
    return joined(speaker, "bag.union_disjoint", std::move(parts));
  }

  std::vector<std::string> facts(Speaker& speaker, std::string_view term,
                                 size_t value) const override {
    std::vector<std::string> facts;
    for (size_t i = 0; i < list(value).size(); ++i) {
      facts.push_back(fmt::format("(= (bag.count {} {}) {})", part_at(0).spell(speaker, i), term,
                                  list(value)[i]));
    }
    return facts;
  }
};

class TupleSort : public ListSort {
 public:
  TupleSort(const Sort& first, const Sort& second, base::Rng& rng)
      : ListSort(fmt::format("(Tuple {} {})", first.name(), second.name()), {&first, &second}) {
    for (int i = 0; i < 6; ++i) add({rng.below(first.count()), rng.below(second.count())});
  }

  std::string spell(Speaker& speaker, size_t value) const override {
    const std::vector<std::string> parts = spelled(speaker, list(value));
    const bool is_old = speaker.dialect == Dialect::kCvc4;
    return fmt::format("({} {} {})", is_old ? "mkTuple" : "tuple", parts[0], parts[1]);
  }

  std::vector<std::string> uses(std::string_view term) const override {
    return {fmt::format("((_ tuple.select 0) {})", term),
            fmt::format("((_ tuple.project 1 0) {})", term),
            fmt::format("((_ tuple.update 1) {0} ((_ tuple.select 1) {0}))", term)};
  }
};

class NullableSort : public ListSort {
 public:
  NullableSort(const Sort& element, base::Rng& rng)
      : ListSort(fmt::format("(Nullable {})", element.name()), {&element}) {
    add({});
    for (int i = 0; i < 4; ++i) add({rng.below(element.count())});
  }

  std::string spell(Speaker& speaker, size_t value) const override {
    if (list(value).empty()) return fmt::format("(as nullable.null {})", name());
    return fmt::format("(nullable.some {})", spelled(speaker, list(value))[0]);
  }
};

constexpr std::string_view kDatatypes =
    "(declare-datatype E ((e1) (e2) (e3)))"
    "(declare-datatypes ((P 2)) ((par (X Y) ((pair (first X) (second Y)) (left (which X))))))";

// A pair, or its first part alone.
class PairSort : public ListSort {
 public:
  PairSort(const Sort& first, const Sort& second, base::Rng& rng)
      : ListSort(fmt::format("(P {} {})", first.name(), second.name()), {&first, &second}) {
    for (int i = 0; i < 5; ++i) add({rng.below(first.count()), rng.below(second.count())});
    for (int i = 0; i < 2; ++i) add({rng.below(first.count())});
  }

  std::string spell(Speaker& speaker, size_t value) const override {
    const std::vector<std::string> parts = spelled(speaker, list(value));
    if (parts.size() == 1) return fmt::format("((as left {}) {})", name(), parts[0]);
    return fmt::format("((as pair {}) {} {})", name(), parts[0], parts[1]);
  }

  std::vector<std::string> uses(std::string_view term) const override {
    return {fmt::format("((_ is pair) {})", term), fmt::format("(first {})", term),
            fmt::format("(match {} (((pair x y) x) ((left x) x)))", term),
            fmt::format("((_ update second) {0} (second {0}))", term)};
  }
};

// --- All of them. ---

class Roster {
 public:
  explicit Roster(base::Rng& rng) : rng_(rng) {
    const Sort& truth = plain("Bool", true, {{"false"}, {"true"}});
    const Sort& bits =
        plain("(_ BitVec 2)", true,
              {{"#b00", "(_ bv0 2)"}, {"#b01", "(_ bv1 2)"}, {"#b10", "(_ bv2 2)"}, {"#b11"}});
    const Sort& enumeration = plain("E", true, {{"e1"}, {"e2"}, {"e3"}});
    const Sort& element = add(std::make_unique<ElementSort>());
    const Sort& integer = plain("Int", false, {{"0"}, {"1"}, {"(- 5)"}, {"18446744073709551616"}});
    const Sort& string =
        plain("String", false, {{"\"\""}, {"\"\\u{e9}\"", "\"\\u00e9\""}, {"\"ab\""}});
    const Sort& real = plain("Real", false, {{"0.5", "(/ 1.0 2.0)"}, {"0.0"}, {"(- 2.0)"}});
    const Sort& floating =
        plain("(_ FloatingPoint 2 3)", false,
              {{"(_ NaN 2 3)"}, {"(_ +zero 2 3)", "(fp #b0 #b00 #b00)"}, {"(_ -zero 2 3)"}});
    // More values than are listed one by one.
    const Sort& wide =
        plain("(_ BitVec 9)", false, {{"(_ bv0 9)"}, {"(_ bv1 9)"}, {"(_ bv511 9)"}});
    const std::vector<const Sort*> simple = {&truth,  &bits, &enumeration, &element, &integer,
                                             &string, &real, &floating,    &wide};
    for (const Sort* sort : simple) over(*sort, truth, integer);
    const std::vector<const Sort*> nested = {&set(truth, truth),
                                             &set(integer, truth),
                                             &set(element, truth),
                                             &array({&truth}, truth),
                                             &array({&bits}, truth),
                                             &array({&integer}, truth),
                                             &array({&integer}, string),
                                             &array({&element}, enumeration),
                                             &array({&truth, &integer}, truth),
                                             &array({&truth, &element}, bits),
                                             &sequence(truth),
                                             &sequence(element)};
    for (const Sort* sort : nested) over(*sort, truth, integer);
    over(set(set(truth, truth), truth), truth, integer);
    over(array({&set(integer, truth)}, set(truth, truth)), truth, integer);
    over(pair(set(integer, truth), array({&set(truth, truth)}, truth)), truth, integer);
  }

  std::span<const std::unique_ptr<Sort>> sorts() const { return sorts_; }

 private:
  const Sort& add(std::unique_ptr<Sort> sort) {
    sorts_.push_back(std::move(sort));
    return *sorts_.back();
  }
  const Sort& plain(std::string name, bool are_all, std::vector<std::vector<std::string>> texts) {
    return add(std::make_unique<PlainSort>(std::move(name), are_all, std::move(texts)));
  }
  const Sort& set(const Sort& element, const Sort& truth) {
    return add(std::make_unique<SetSort>(element, truth, rng_));
  }
  const Sort& array(const std::vector<const Sort*>& indices, const Sort& element) {
    return add(std::make_unique<ArraySort>(indices, element, rng_));
  }
  const Sort& sequence(const Sort& element) {
    return add(std::make_unique<SequenceSort>(element, rng_));
  }
  const Sort& pair(const Sort& first, const Sort& second) {
    return add(std::make_unique<PairSort>(first, second, rng_));
  }

  // Every constructor over a sort.
  void over(const Sort& sort, const Sort& truth, const Sort& integer) {
    set(sort, truth);
    array({&sort}, truth);
    array({&sort}, integer);
    array({&truth}, sort);
    array({&integer}, sort);
    sequence(sort);
    pair(sort, truth);
    add(std::make_unique<BagSort>(sort, rng_));
    add(std::make_unique<TupleSort>(integer, sort, rng_));
    add(std::make_unique<NullableSort>(sort, rng_));
  }

  base::Rng& rng_;
  std::vector<std::unique_ptr<Sort>> sorts_;
};

// --- The examination of one sort in one dialect. ---

std::string_view universe_in(Dialect dialect) {
  switch (dialect) {
    case Dialect::kZ3:
      return "(declare-fun U!val!0 () U)\n(declare-fun U!val!1 () U)\n"
             "(forall ((x U)) (or (= x U!val!0) (= x U!val!1)))\n"
             "(define-fun u () U U!val!0)\n(define-fun v () U U!val!1)\n";
    case Dialect::kCvc4:
      return "; cardinality of U is 2\n(declare-sort U 0)\n; rep: @uc_U_0\n; rep: @uc_U_1\n"
             "(define-fun u () U @uc_U_0)\n(define-fun v () U @uc_U_1)\n";
    default:
      return "; cardinality of U is 2\n; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n"
             "(define-fun u () U (as @U_0 U))\n(define-fun v () U (as @U_1 U))\n";
  }
}

// A term of the script, and what it means.
struct Item {
  std::string text;
  size_t value;
};

class Examination {
 public:
  Examination(const Sort& sort, Dialect dialect, base::Rng& rng)
      : sort_(sort), dialect_(dialect), rng_(rng), in_script_{Dialect::kScript, rng} {
    make_items();
  }

  void run() {
    const std::vector<std::string> facts = all_facts();
    if (items_.empty() || !read(facts)) return;
    for (size_t i = 0; i < facts.size(); ++i) {
      const ir::TermId term{script_.items(script_.commands.back())[i]};
      const eval::Value value = evaluator_->evaluate(term);
      ASSERT_TRUE(value.is_true()) << describe(value) << facts[i] << '\n'
                                   << script_text_ << model_text_;
    }
    compare_uses();
  }

 private:
  // Constants of a model, and terms of the script.
  void make_items() {
    Speaker in_model{dialect_, rng_};
    constexpr size_t kItems = 4;
    std::string definitions;
    std::string constants;
    std::string terms;
    for (size_t i = 0; i < kItems; ++i) {
      const size_t value = rng_.below(sort_.count());
      const std::string name = fmt::format("a{}", i);
      const std::string text = sort_.definition(in_model, name, value);
      if (text.find(kNoSpelling) != std::string::npos) continue;
      definitions += text + '\n';
      constants += fmt::format("(declare-const {} {})\n", name, sort_.name());
      items_.push_back({name, value});
      terms += fmt::format("(define-fun b{} () {} {})\n", i, sort_.name(),
                           sort_.spell(in_script_, value));
      items_.push_back({fmt::format("b{}", i), value});
    }
    declarations_ =
        fmt::format("(declare-sort U 0)(declare-const u U)(declare-const v U)\n{}\n", kDatatypes);
    script_text_ = constants + terms;
    model_text_ = fmt::format("sat\n({}\n{}{}{})\n", dialect_ == Dialect::kCvc4 ? "model" : "",
                              universe_in(dialect_), in_model.functions, definitions);
  }

  std::vector<std::string> all_facts() {
    std::vector<std::string> facts;
    for (size_t i = 0; i < items_.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const bool same = items_[i].value == items_[k].value;
        const std::string pair = items_[i].text + ' ' + items_[k].text;
        facts.push_back(fmt::format(fmt::runtime(same ? "(= {})" : "(not (= {}))"), pair));
        facts.push_back(fmt::format("(= (distinct {}) {})", pair, !same));
      }
      for (std::string& fact : sort_.facts(in_script_, items_[i].text, items_[i].value)) {
        facts.push_back(std::move(fact));
      }
    }
    return facts;
  }

  bool read(const std::vector<std::string>& facts) {
    for (const Item& item : items_) script_text_ += fmt::format("(get-value ({}))\n", item.text);
    for (const Item& item : items_) {
      for (const std::string& use : sort_.uses(item.text)) {
        script_text_ += fmt::format("(get-value ({}))\n", use);
      }
    }
    if (sort_.part() != nullptr) {
      const std::string part = sort_.part()->spell(in_script_, 0);
      script_text_ += fmt::format("(get-value ({}))\n(get-value ((lambda ((z {})) (= z {}))))\n",
                                  part, sort_.part()->name(), part);
    }
    script_text_ = declarations_ + in_script_.functions + script_text_;
    const std::string whole = script_text_ + fmt::format("(get-value ({}))", fmt::join(facts, " "));
    auto script = smtlib::parse_script(store_, whole);
    EXPECT_TRUE(script.has_value()) << script.error().message << '\n' << whole;
    if (!script) return false;
    script_ = std::move(*script);
    auto model = smtlib::read_model(store_, script_, script_.commands.size(), model_text_);
    EXPECT_TRUE(model.has_value()) << model.error().message << '\n' << whole << '\n' << model_text_;
    if (!model) return false;
    model_ = std::move(*model);
    evaluator_ = std::make_unique<eval::Evaluator>(store_, model_);
    return true;
  }

  std::string describe(const eval::Value& value) const {
    return value.known() ? "false: " : "unknown, " + evaluator_->values().reason(value) + ": ";
  }

  // The terms that were asked for one by one: items, uses of items, arguments.
  std::vector<ir::TermId> asked() const {
    std::vector<ir::TermId> terms;
    for (const ir::Command& command : script_.commands) {
      if (command.kind == ir::CommandKind::kGetValue) {
        terms.push_back(ir::TermId{script_.items(command)[0]});
      }
    }
    terms.pop_back();  // the facts
    return terms;
  }

  // What is made of two spellings of one value is one value.
  void compare_uses() {
    const std::vector<ir::TermId> terms = asked();
    const size_t uses = sort_.uses("x").size();
    std::vector<ir::TermId> others(
        terms.begin() + static_cast<std::ptrdiff_t>(items_.size() * (1 + uses)), terms.end());
    others.push_back(store_.int_literal("1"));
    for (size_t i = 0; i < items_.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (items_[i].value != items_[k].value) continue;
        for (size_t use = 0; use < uses; ++use) {
          compare(terms[items_.size() + i * uses + use], terms[items_.size() + k * uses + use]);
        }
      }
    }
    // Values of other models are the same by now.
    const bool is_asked = dialect_ == Dialect::kZ3 || dialect_ == Dialect::kCvc5;
    if (is_asked) compare_operators(terms[0], terms[1], others);
  }

  void compare_operators(ir::TermId a, ir::TermId b, const std::vector<ir::TermId>& others) {
    for (const ir::Op op : store_.ops().all()) {
      if (!is_of_compounds(store_.ops().info(op).theory)) continue;
      for (size_t count = 1; count <= 3; ++count) {
        size_t combinations = 1;
        for (size_t i = 0; i < count; ++i) combinations *= others.size() + 1;
        for (size_t code = 0; code < combinations; ++code) {
          const ir::TermId one = applied(op, a, code, count, others);
          if (one.valid()) compare(one, applied(op, b, code, count, others));
        }
      }
    }
  }

  static bool is_of_compounds(ir::Theory theory) {
    switch (theory) {
      case ir::Theory::kCore:
      case ir::Theory::kArrays:
      case ir::Theory::kDatatypes:
      case ir::Theory::kSequences:
      case ir::Theory::kSets:
      case ir::Theory::kRelations:
      case ir::Theory::kBags:
      case ir::Theory::kTables:
      case ir::Theory::kHigherOrder: return true;
      default: return false;
    }
  }

  // The operator of so many arguments, each of which is the value or one of the others; none where
  // they do not fit, or the value is not among them.
  ir::TermId applied(ir::Op op, ir::TermId value, size_t code, size_t count,
                     const std::vector<ir::TermId>& others) {
    std::vector<ir::TermId> args;
    bool takes_value = false;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = code % (others.size() + 1);
      code /= others.size() + 1;
      takes_value = takes_value || at == others.size();
      args.push_back(at == others.size() ? value : others[at]);
    }
    const ir::Op ops[] = {op};
    return takes_value ? ir::apply(store_, {ops}, args) : ir::TermId{};
  }

  void compare(ir::TermId one, ir::TermId other) {
    ASSERT_TRUE(other.valid());
    const eval::Value a = evaluator_->evaluate(one);
    const eval::Value b = evaluator_->evaluate(other);
    const bool same = a.known() ? evaluator_->equal(a, b).is_true() : !b.known();
    EXPECT_TRUE(same) << describe(a) << smtlib::print_term(store_, one).value() << '\n'
                      << describe(b) << smtlib::print_term(store_, other).value() << '\n'
                      << model_text_;
  }

  const Sort& sort_;
  Dialect dialect_;
  base::Rng& rng_;
  Speaker in_script_;
  std::vector<Item> items_;
  std::string declarations_;
  std::string script_text_;
  std::string model_text_;
  ir::TermStore store_;
  ir::Script script_;
  ir::Model model_;
  std::unique_ptr<eval::Evaluator> evaluator_;
};

class JudgeExam : public testing::TestWithParam<Dialect> {};

TEST_P(JudgeExam, ValuesAreEqualWhenTheyMeanTheSame) {
  base::Rng rng(20 + static_cast<uint64_t>(GetParam()));
  const Roster roster(rng);
  for (const auto& sort : roster.sorts()) {
    SCOPED_TRACE(sort->name());
    Examination(*sort, GetParam(), rng).run();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, JudgeExam, testing::ValuesIn(kModels));

}  // namespace
}  // namespace elenchus
