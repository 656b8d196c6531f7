#include "ir/symbol.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>

#include "base/check.h"
#include "base/hash.h"

namespace elenchus::ir {
namespace {

constexpr size_t kBlockSize = 64 * 1024;

// Words that SMT-LIB reserves, the names of its commands among them, and `lambda`; sorted.
constexpr std::string_view kReserved[] = {
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "as",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exists",
    "exit",
    "forall",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "lambda",
    "let",
    "match",
    "par",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
};

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c != '\0' && std::strchr("~!@$%^&*_-+=<>.?/", c) != nullptr);
}

uint64_t prefix_of(std::string_view text) { return base::load_bytes(text.data(), text.size()); }

}  // namespace

bool needs_bars(std::string_view text) {
  const auto is_digit = [&](size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  // cvc5 takes -1 for a number.
  if (text.empty() || is_digit(0) || (text[0] == '-' && is_digit(1))) return true;
  if (!std::all_of(text.begin(), text.end(), is_symbol_character)) return true;
  return std::binary_search(std::begin(kReserved), std::end(kReserved), text);
}

SymbolTable::SymbolTable() { entries_.push_back({}); }

bool SymbolTable::is(uint32_t id, std::string_view text, uint64_t prefix) const {
  const Entry& entry = entries_[id];
  if (entry.prefix != prefix || entry.size != text.size()) return false;
  return text.size() <= 8 || std::memcmp(entry.data + 8, text.data() + 8, text.size() - 8) == 0;
}

SymbolId SymbolTable::intern(std::string_view text) {
  const uint64_t prefix = prefix_of(text);
  const auto hash = static_cast<uint32_t>(base::hash_bytes(text));
  const uint32_t id = index_.find(hash, [&](uint32_t old) { return is(old, text, prefix); });
  return SymbolId{id != 0 ? id : add(text, hash, prefix)};
}

uint32_t SymbolTable::add(std::string_view text, uint32_t hash, uint64_t prefix) {
  ELENCHUS_CHECK(text.size() < (1U << 31), "symbol of 2 GiB");
  const uint32_t id = size();
  Entry entry;
  entry.data = store(text);
  entry.prefix = prefix;
  entry.size = static_cast<uint32_t>(text.size()) & 0x7fffffffU;
  entry.needs_bars = ir::needs_bars(text) ? 1 : 0;
  entry.hash = hash;
  entries_.push_back(entry);
  index_.insert(hash, id);
  return id;
}

SymbolId SymbolTable::find(std::string_view text) const {
  const auto hash = static_cast<uint32_t>(base::hash_bytes(text));
  const uint64_t prefix = prefix_of(text);
  return SymbolId{index_.find(hash, [&](uint32_t id) { return is(id, text, prefix); })};
}

void SymbolTable::truncate(uint32_t size) {
  if (size >= entries_.size()) return;
  std::fill(recent_.begin(), recent_.end(), Recent{});
  const char* free_from = entries_[size].data;
  for (uint32_t id = this->size(); id-- > size;) index_.erase(entries_[id].hash, id);
  entries_.truncate(size);
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
  // Even the empty text gets a place: truncate() looks for the block of the first text to go.
  if (text.size() > room_ || blocks_.empty()) {
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
