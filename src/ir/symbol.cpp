#include "ir/symbol.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "base/check.h"
#include "base/hash.h"

namespace elenchus::ir {
namespace {

constexpr size_t kBlockSize = 64 * 1024;

// Words that SMT-LIB reserves; sorted.
constexpr std::array<std::string_view, 12> kReserved = {
    "!", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING",
    "_", "as",     "exists",  "forall",      "let",     "par"};

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c != '\0' && std::strchr("~!@$%^&*_-+=<>.?/", c) != nullptr);
}

bool text_needs_bars(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return true;
  if (!std::all_of(text.begin(), text.end(), is_symbol_character)) return true;
  return text == "match" || std::binary_search(kReserved.begin(), kReserved.end(), text);
}

}  // namespace

SymbolId SymbolTable::intern(std::string_view text) {
  const auto hash = static_cast<uint32_t>(base::hash_bytes(text));
  const auto same = [&](uint32_t id) { return this->text(SymbolId{id}) == text; };
  if (const uint32_t found = index_.find(hash, same)) return SymbolId{found};
  ELENCHUS_CHECK(text.size() < (1U << 31), "symbol of 2 GiB");
  const uint32_t id = size();
  Entry entry;
  entry.data = store(text);
  entry.size = static_cast<uint32_t>(text.size()) & 0x7fffffffU;
  entry.needs_bars = text_needs_bars(text) ? 1 : 0;
  entry.hash = hash;
  entries_.push_back(entry);
  index_.insert(hash, id);
  return SymbolId{id};
}

SymbolId SymbolTable::find(std::string_view text) const {
  const auto hash = static_cast<uint32_t>(base::hash_bytes(text));
  return SymbolId{index_.find(hash, [&](uint32_t id) { return this->text(SymbolId{id}) == text; })};
}

void SymbolTable::truncate(uint32_t size) {
  if (size >= entries_.size()) return;
  const char* free_from = entries_[size].data;
  while (entries_.size() > size) {
    const auto id = static_cast<uint32_t>(entries_.size() - 1);
    index_.erase(entries_.back().hash, id);
    entries_.pop_back();
  }
  // Texts were stored in order, so the first one to go marks where free space begins.
  const std::less_equal<> not_after;
  while (!(not_after(blocks_.back().memory.get(), free_from) &&
           not_after(free_from, blocks_.back().memory.get() + blocks_.back().size))) {
    blocks_.pop_back();
  }
  next_ = blocks_.back().memory.get() + (free_from - blocks_.back().memory.get());
  room_ = blocks_.back().size - static_cast<size_t>(next_ - blocks_.back().memory.get());
}

const char* SymbolTable::store(std::string_view text) {
  if (text.size() > room_) {
    const size_t bytes = std::max(kBlockSize, text.size());
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(bytes), bytes});
    next_ = blocks_.back().memory.get();
    room_ = bytes;
  }
  char* place = next_;
  if (!text.empty()) std::memcpy(place, text.data(), text.size());
  next_ += text.size();
  room_ -= text.size();
  return place;
}

void append_symbol(std::string& out, const SymbolTable& symbols, SymbolId symbol) {
  const std::string_view text = symbols.text(symbol);
  if (!symbols.needs_bars(symbol)) {
    out += text;
    return;
  }
  out += '|';
  out += text;
  out += '|';
}

}  // namespace elenchus::ir
