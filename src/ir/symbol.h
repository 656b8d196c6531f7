#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash.h"
#include "base/hash_index.h"
#include "ir/ids.h"

namespace elenchus::ir {

// Interned names: one id per distinct text. A symbol is stored without the bars of |quoted| ones;
// the two spellings are one symbol. Texts never move.
class SymbolTable {
 public:
  SymbolTable();

  SymbolId intern(std::string_view text);

  // The same, quicker where few texts come again and again, as the tokens of a script do. From the
  // text's start on, `readable` bytes may be read.
  SymbolId intern_again(std::string_view text, size_t readable) {
    const uint64_t prefix = base::load_bytes(text.data(), text.size(), readable);
    Recent& recent = recent_[(prefix * 0x9e3779b97f4a7c15ULL) >> (64 - kRecentBits)];
    const bool found = recent.text == prefix && recent.size == text.size() && recent.id != 0;
    if (found && text.size() <= 8) return SymbolId{recent.id};
    const SymbolId symbol = intern(text);
    recent = {prefix, static_cast<uint32_t>(text.size()), symbol.value};
    return symbol;
  }

  // Starts loading the memory that looking for the text needs.
  void prefetch(std::string_view text) const {
    index_.prefetch(static_cast<uint32_t>(base::hash_bytes(text)));
  }

  // None when the text was never interned.
  SymbolId find(std::string_view text) const;

  std::string_view text(SymbolId symbol) const {
    const Entry& entry = entries_[symbol.value];
    return {entry.data, entry.size};
  }

  // Whether SMT-LIB needs bars round it.
  bool needs_bars(SymbolId symbol) const { return entries_[symbol.value].needs_bars; }

  // One past the largest id.
  uint32_t size() const { return entries_.size(); }

  // Forgets all symbols from this id on.
  void truncate(uint32_t size);

 private:
  struct Entry {
    const char* data = nullptr;
    uint64_t prefix = 0;  // the first eight bytes: most look-ups need not touch the text
    uint32_t size : 31 = 0;
    uint32_t needs_bars : 1 = 0;
    uint32_t hash = 0;
  };

  uint32_t add(std::string_view text, uint32_t hash, uint64_t prefix);
  const char* store(std::string_view text);
  bool is(uint32_t id, std::string_view text, uint64_t prefix) const;

  struct Block {
    std::unique_ptr<char[]> memory;
    size_t size;
  };

  // Short symbols found lately: a script's few operators and names are most of its tokens.
  struct Recent {
    uint64_t text = 0;
    uint32_t size = 0;
    uint32_t id = 0;
  };
  static constexpr uint32_t kRecentBits = 12;

  std::vector<Recent> recent_ = std::vector<Recent>(1U << kRecentBits);
  base::ChunkedArray<Entry> entries_;
  base::HashIndex index_;
  std::vector<Block> blocks_;
  char* next_ = nullptr;
  size_t room_ = 0;
};

// Whether SMT-LIB needs bars round a symbol of this text.
bool needs_bars(std::string_view text);

// Appends the symbol as SMT-LIB writes it, with bars where needed.
void append_symbol(std::string& out, const SymbolTable& symbols, SymbolId symbol);

}  // namespace elenchus::ir
