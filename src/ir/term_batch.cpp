#include "ir/term_batch.h"

#include <algorithm>

namespace elenchus::ir {

TermId TermBatch::add(Op op, SortId sort, uint32_t payload, std::span<const TermId> args) {
  Entry entry;
  entry.op = op;
  entry.sort = sort;
  entry.payload = payload;
  entry.first_arg = static_cast<uint32_t>(args_.size());
  entry.arg_count = static_cast<uint32_t>(args.size());
  for (const TermId arg : args) {
    if (is_application(arg)) {
      entry.height = std::max(entry.height, entries_[arg.value & ~kPendingBit].height + 1);
    }
  }
  max_height_ = std::max(max_height_, entry.height);
  args_.insert(args_.end(), args.begin(), args.end());
  entries_.push_back(entry);
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

void TermBatch::resolve() {
  sort_by_height();
  uint32_t begin = 0;
  for (uint32_t height = 0; height <= max_height_ && begin < order_.size(); ++height) {
    const uint32_t end = level_ends_[height];
    for (uint32_t i = begin; i < end; ++i) {
      Entry& entry = entries_[order_[i]];
      for (TermId& arg : args(entry)) arg = resolved(arg);
      entry.key = store_.key_of(entry.op, entry.sort, entry.payload, args(entry));
      store_.prefetch(entry.key);
    }
    for (uint32_t i = begin; i < end; ++i) {
      Entry& entry = entries_[order_[i]];
      entry.term = store_.make(entry.key, entry.op, entry.sort, entry.payload, args(entry));
    }
    begin = end;
  }
}

void TermBatch::clear() {
  entries_.clear();
  args_.clear();
  max_height_ = 0;
  numerals_ = 0;
}

}  // namespace elenchus::ir
