#include "ir/term_batch.h"

#include <algorithm>

namespace elenchus::ir {

TermId TermBatch::add(Op op, SortId sort, uint32_t payload, std::span<const TermId> args) {
  // Filled in place: copying a structure just written would wait for its parts to be stored.
  Entry& entry = entries_.emplace_back();
  entry.op = op;
  entry.sort = sort;
  entry.payload = payload;
  entry.first_arg = static_cast<uint32_t>(args_.size());
  entry.arg_count = static_cast<uint32_t>(args.size());
  uint8_t flags = store_.sorts()[sort].has_unknown ? kHasUnknown : 0;
  uint32_t height = 0;
  for (const TermId arg : args) {
    if (is_application(arg)) {
      const Entry& below = entries_[arg.value & ~kPendingBit];
      height = std::max(height, below.height + 1);
      flags |= below.flags;
    } else if (!is_pending(arg)) {
      flags |= store_.flags(arg);
    }
  }
  entry.flags = flags;
  entry.height = height;
  max_height_ = std::max(max_height_, height);
  args_.insert(args_.end(), args.begin(), args.end());
  return TermId{static_cast<uint32_t>(entries_.size() - 1) | kPendingBit};
}

// A counting sort: order_ lists the entries level by level.
void TermBatch::sort_by_height() {
  level_ends_.assign(max_height_ + 2, 0);
  for (const Entry& entry : entries_) ++level_ends_[entry.height + 1];
  for (uint32_t h = 1; h < level_ends_.size(); ++h) level_ends_[h] += level_ends_[h - 1];
  order_.resize(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) order_[level_ends_[entries_[i].height]++] = i;
}

bool TermBatch::is_leaf(TermId term) const {
  if (is_application(term)) return entries_[term.value & ~kPendingBit].arg_count == 0;
  return is_pending(term) || store_.args(term).empty();
}

// Puts the arguments' ids in and starts loading the memory that the term's look-up needs. Of
// numerals, which are everywhere, no more than the id is touched.
void TermBatch::look_up(Entry& entry) {
  TermStore::Newest newest;
  for (TermId& arg : args(entry)) {
    const TermId id = resolved(arg);
    if (id > newest.term) {
      newest = {id, is_leaf(arg)};
    }
    arg = id;
  }
  entry.key = TermStore::key_of(entry.op, entry.sort, entry.payload, args(entry), newest);
  store_.prefetch(entry.key);
}

void TermBatch::resolve() {
  for (const uint32_t value : numerals_) store_.prefetch_new_small_int(value);
  sort_by_height();
  uint32_t begin = 0;
  for (uint32_t height = 0; height <= max_height_ && begin < order_.size(); ++height) {
    const uint32_t end = level_ends_[height];
    for (uint32_t i = begin; i < end; ++i) look_up(entries_[order_[i]]);
    for (uint32_t i = begin; i < end; ++i) store_.prefetch_candidate(entries_[order_[i]].key);
    for (uint32_t i = begin; i < end; ++i) {
      Entry& entry = entries_[order_[i]];
      entry.term =
          store_.make(entry.key, entry.flags, entry.op, entry.sort, entry.payload, args(entry));
    }
    begin = end;
  }
}

void TermBatch::clear() {
  entries_.clear();
  args_.clear();
  max_height_ = 0;
  numerals_.clear();
}

}  // namespace elenchus::ir
