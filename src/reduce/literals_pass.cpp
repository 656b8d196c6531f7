// Literals towards zero: all at once, then halves of them and so on; then each by itself, numbers
// by halving the distance, bits one by one, strings by leaving characters out. Indices of operators
// (the bounds of loops, rotations) are treated like numbers as long as the sort stays.
#include <algorithm>
#include <string>

#include "ir/apply.h"
#include "ir/script_parts.h"
#include "ir/walk.h"
#include "num/literal.h"
#include "reduce/ddmin.h"
#include "reduce/passes.h"
#include "reduce/replacements.h"
#include "reduce/values.h"

namespace elenchus::reduce {
namespace {

using ir::Op;
using ir::TermId;

class LiteralsPass {
 public:
  explicit LiteralsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    zero(0);
    zero(1);
    for (TermId term : terms([&](TermId t) { return session_.sizes().literal_weight(t) > 0; })) {
      if (session_.stopped()) return;
      switch (store_.op(term)) {
        case Op::kIntLiteral: lower_int(term); break;
        case Op::kRealLiteral: lower_real(term); break;
        case Op::kBitsLiteral: clear_bits(term); break;
        case Op::kStringLiteral: shorten(term); break;
        default: lower_indices(term);
      }
    }
  }

 private:
  // Longer numbers only lose digits.
  static constexpr size_t kDigits = 18;

  template <typename Wanted>
  std::vector<TermId> terms(Wanted wanted) const {
    std::vector<TermId> found;
    ir::Walker walker(store_);
    for (const ir::Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) {
          if (wanted(term)) found.push_back(term);
        });
      });
    }
    return found;
  }

  void zero(size_t which) {
    std::vector<std::pair<TermId, TermId>> items;
    for (const TermId term : terms([&](TermId t) { return ir::is_literal(store_.op(t)); })) {
      const auto values = plain_values(store_, session_.best(), store_.sort(term));
      const uint64_t weight = session_.sizes().literal_weight(term);
      if (which < values.size() && session_.sizes().literal_weight(values[which]) < weight) {
        items.emplace_back(term, values[which]);
      }
    }
    session_.pin();
    make_replacements(session_, items);
  }

  bool replace(TermId& term, TermId other) {
    if (!other.valid() || other == term || !session_.offer(Change{{{term, other}}})) return false;
    term = other;
    return true;
  }

  // The least number that will do, if more do the larger they are. `make` gives the term.
  template <typename Make>
  void lower(TermId& term, uint64_t value, Make make) {
    uint64_t low = 0;  // one less than what may do; 0 and 1 were tried
    while (low + 1 < value && !session_.stopped()) {
      const uint64_t middle = low + (value - low) / 2;
      if (replace(term, make(middle))) {
        value = middle;
      } else {
        low = middle;
      }
    }
  }

  void lower_int(TermId term) {
    while (store_.literal_text(term).size() > kDigits) {
      const std::string text(store_.literal_text(term));
      if (!replace(term, store_.int_literal(text.substr(0, text.size() / 2)))) return;
    }
    const uint64_t value = std::stoull(std::string(store_.literal_text(term)));
    lower(term, value, [&](uint64_t n) { return store_.int_literal(std::to_string(n)); });
  }

  void lower_real(TermId term) {
    const std::string text(store_.literal_text(term));
    const std::string whole = text.substr(0, text.find('.'));
    if (!text.ends_with(".0") && !replace(term, store_.real_literal(whole + ".0"))) {
      // Fewer places.
      for (size_t places = 1; whole.size() + 1 + places < text.size(); ++places) {
        const std::string shorter =
            num::canonical_decimal(text.substr(0, whole.size() + 1 + places));
        if (replace(term, store_.real_literal(shorter))) return;
      }
      return;
    }
    if (whole.size() > kDigits) return;
    lower(term, std::stoull(whole),
          [&](uint64_t n) { return store_.real_literal(std::to_string(n) + ".0"); });
  }

  void clear_bits(TermId term) {
    std::string binary;
    const std::string_view text = store_.literal_text(term);
    for (const char c : text.substr(2)) {
      if (text[1] == 'b') {
        binary += c;
        continue;
      }
      const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
      for (int bit = 3; bit >= 0; --bit) binary += ((digit >> bit) & 1) != 0 ? '1' : '0';
    }
    std::vector<size_t> ones;
    for (size_t i = 0; i < binary.size(); ++i) {
      if (binary[i] == '1') ones.push_back(i);
    }
    minimize(ones.size(), [&](std::span<const uint32_t> chosen) {
      std::string other = binary;
      for (const uint32_t i : chosen) other[ones[i]] = '0';
      if (!replace(term, store_.bits_literal(num::bits_literal(other)))) return false;
      binary = std::move(other);
      return true;
    });
  }

  void shorten(TermId term) {
    const std::u32string all = num::decode_string(store_.literal_text(term));
    std::vector<bool> dropped(all.size(), false);
    minimize(all.size(), [&](std::span<const uint32_t> chosen) {
      std::vector<bool> without = dropped;
      for (const uint32_t i : chosen) without[i] = true;
      std::u32string rest;
      for (size_t i = 0; i < all.size(); ++i) {
        if (!without[i]) rest += all[i];
      }
      if (!replace(term, store_.string_literal(num::encode_string(rest)))) return false;
      dropped = std::move(without);
      return true;
    });
  }

  void lower_indices(TermId term) {
    const auto span = store_.indices(term);
    std::vector<uint32_t> indices(span.begin(), span.end());
    for (size_t i = 0; i < indices.size(); ++i) {
      if ((indices[i] & ir::kSymbolIndex) != 0) continue;
      for (const uint32_t value : {0U, 1U, indices[i] / 2, indices[i] - 1}) {
        if (value >= indices[i]) continue;
        std::vector<uint32_t> fewer = indices;
        fewer[i] = value;
        if (!replace(term, with_indices(term, fewer))) continue;
        indices = std::move(fewer);
      }
    }
  }

  // None when the term would be ill-sorted or of another sort.
  TermId with_indices(TermId term, std::span<const uint32_t> indices) {
    const Op ops[] = {store_.op(term)};
    const auto span = store_.args(term);
    std::vector<TermId> args(span.begin(), span.end());
    const bool open = store_.ops().info(ops[0]).needs_as;
    const ir::SortId sort = store_.sort(term);
    const TermId other =
        ir::apply(store_, ir::Head{ops, indices, open ? sort : ir::SortId{}}, args);
    return other.valid() && store_.sort(other) == sort ? other : TermId{};
  }

  Session& session_;
  ir::TermStore& store_;
};

}  // namespace

void reduce_literals(Session& session) { LiteralsPass(session).run(); }

}  // namespace elenchus::reduce
