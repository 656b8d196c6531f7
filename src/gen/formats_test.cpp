#include "gen/formats.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/term_store.h"

namespace elenchus::gen {
namespace {

std::set<uint32_t> exponents(const ir::OpTable& ops, uint16_t readers) {
  ir::TermStore store;
  base::Rng rng(1);
  std::set<uint32_t> found;
  for (int i = 0; i < 100; ++i) {
    found.insert(store.sorts()[draw_format(store.sorts(), ops, readers, rng)].a);
  }
  return found;
}

TEST(Formats, WithoutANameAreNotForEverybody) {
  const auto ops = ir::OpTable::standard()->copy();
  ir::Reader reader;
  reader.versions[static_cast<size_t>(ir::Dialect::kStd)] = ir::baseline(ir::Dialect::kStd);
  reader.habits = {ir::Habit::kNamedFormats};
  const auto strict = ops->add_reader(reader);
  ASSERT_TRUE(strict.has_value());
  EXPECT_EQ(exponents(*ops, ir::kZ3Reader), (std::set<uint32_t>{3, 5, 8, 11}));
  const auto both = static_cast<uint16_t>(ir::kZ3Reader | *strict);
  EXPECT_EQ(exponents(*ops, both), (std::set<uint32_t>{5, 8, 11}));
}

}  // namespace
}  // namespace elenchus::gen
