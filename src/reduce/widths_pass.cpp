// Narrower bit-vectors and plainer floats. A sort is changed in the whole script at once; where
// some operator does not take what its arguments have become, there is no candidate. First all
// widths are divided by the same number, indices included, which keeps concatenations and
// extractions in step; then single widths and formats are tried.
#include <numeric>
#include <set>
#include <utility>

#include "ir/retype.h"
#include "ir/script_parts.h"
#include "ir/walk.h"
#include "num/arith.h"
#include "reduce/passes.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::Retyping;
using ir::SortId;
using ir::SortKind;
using ir::TermId;
using Format = ir::Retyping::Format;

class WidthsPass {
 public:
  explicit WidthsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    look();
    if (!widths_.empty()) divide();
    look();
    const std::set<uint32_t> widths = widths_;
    for (const uint32_t width : widths) {
      for (const uint32_t narrow : {1U, 2U, 4U, 8U, width / 2, width - 1}) {
        if (narrow == 0 || narrow >= width) continue;
        Retyping narrowing;
        narrowing.width = {width, narrow};
        if (offer(narrowing)) break;
      }
    }
    const std::set<Format> formats = formats_;
    for (const Format& format : formats) {
      // Those that every solver has first: the session takes only what counts as smaller.
      for (const Format& other : {Format{8, 24}, Format{11, 53}, Format{5, 11}, Format{2, 3},
                                  Format{3, 5}, Format{4, 8}}) {
        if (other == format) continue;
        Retyping change;
        change.format = {format, other};
        if (offer(change)) break;
      }
    }
  }

 private:
  void add(SortId sort) {
    const ir::SortNode& node = store_.sorts()[sort];
    if (node.kind == SortKind::kBitVec) widths_.insert(node.a);
    if (node.kind == SortKind::kFloatingPoint) formats_.emplace(node.a, node.b);
    for (const SortId child : store_.sorts().children(sort)) add(child);
  }

  void look() {
    widths_.clear();
    formats_.clear();
    ir::Walker walker(store_);
    for (const Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) { add(store_.sort(term)); });
      });
    }
  }

  bool offer(const Retyping& narrowing) {
    auto candidate = ir::retyped(store_, session_.best(), narrowing);
    return candidate && session_.offer(std::move(*candidate));
  }

  void divide() {
    uint32_t common = 0;
    for (const uint32_t width : widths_) common = std::gcd(common, width);
    for (const uint32_t divisor : num::divisors_of(common)) {
      if (divisor == 1) return;
      Retyping narrowing;
      narrowing.divisor = divisor;
      if (offer(narrowing)) return;
    }
  }

  Session& session_;
  ir::TermStore& store_;
  std::set<uint32_t> widths_;
  std::set<Format> formats_;
};

}  // namespace

void reduce_widths(Session& session) { WidthsPass(session).run(); }

}  // namespace elenchus::reduce
