#include "base/hash_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/rng.h"

namespace elenchus::base {
namespace {

// Objects are numbers; the index maps them to ids through a hash that the test chooses.
class Model {
 public:
  using Hash = uint32_t (*)(uint32_t);
  explicit Model(Hash hash) : hash_(hash) {}

  uint32_t find(uint32_t object) const {
    return index_.find(hash_(object), [&](uint32_t id) { return objects_[id] == object; });
  }

  bool agrees_on(uint32_t object) const {
    const auto known = ids_.find(object);
    return find(object) == (known == ids_.end() ? 0 : known->second);
  }

  // Inserts the object, or erases it when it is there.
  void toggle(uint32_t object) {
    const auto known = ids_.find(object);
    if (known != ids_.end()) {
      index_.erase(hash_(object), known->second);
      ids_.erase(known);
      return;
    }
    const auto id = static_cast<uint32_t>(objects_.size());
    objects_.push_back(object);
    index_.insert(hash_(object), id);
    ids_.emplace(object, id);
  }

 private:
  Hash hash_;
  HashIndex index_;
  std::vector<uint32_t> objects_ = {0};
  std::unordered_map<uint32_t, uint32_t> ids_;
};

constexpr Model::Hash kHashes[] = {
    [](uint32_t object) { return object * 2654435761U; },
    // Everything collides.
    [](uint32_t) { return 7U; },
    // Runs that wrap round the end of a table of any size.
    [](uint32_t object) { return UINT32_MAX - object % 3; },
    // Same place in the table, different hashes.
    [](uint32_t object) { return object << 16; },
    // Long runs of neighbours, so that erasing shifts many.
    [](uint32_t object) { return object / 4; },
};

TEST(HashIndexTest, EmptyFindsNothing) {
  const HashIndex index;
  EXPECT_EQ(index.find(0, [](uint32_t) { return true; }), 0U);
}

TEST(HashIndexTest, EqualIsAskedOnlyForTheSameHash) {
  HashIndex index;
  index.insert(1, 10);
  index.insert(1 + 256, 11);  // the same place in the first table
  EXPECT_EQ(index.find(1 + 256, [](uint32_t) { return true; }), 11U);
  EXPECT_EQ(index.find(1 + 512, [](uint32_t) { return true; }), 0U);
}

RC_GTEST_PROP(HashIndexTest, AgreesWithUnorderedMap, ()) {
  const auto objects =
      *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 60));
  for (const Model::Hash hash : kHashes) {
    Model model(hash);
    for (const uint32_t object : objects) {
      model.toggle(object);
      for (uint32_t other = 1; other < 60; ++other) RC_ASSERT(model.agrees_on(other));
    }
  }
}

TEST(HashIndexTest, AgreesWithUnorderedMapWhileItGrowsAndShrinks) {
  for (const size_t which : {0, 3, 4}) {
    Model model(kHashes[which]);
    Rng rng(which + 1);
    // Mostly new objects at first, then mostly erasures, then anything.
    for (uint32_t object = 1; object < 3'000; ++object) model.toggle(object);
    for (int i = 0; i < 4'000; ++i) model.toggle(static_cast<uint32_t>(rng.below(3'200)) + 1);
    for (uint32_t object = 1; object < 3'300; ++object) ASSERT_TRUE(model.agrees_on(object));
  }
}

// As the term store does at a rollback: last in, first out.
TEST(HashIndexTest, ErasingInReverseLeavesWhatWasThereBefore) {
  for (const Model::Hash hash : kHashes) {
    Model model(hash);
    for (uint32_t object = 1; object <= 100; ++object) model.toggle(object);
    for (uint32_t object = 101; object <= 400; ++object) model.toggle(object);
    for (uint32_t object = 400; object > 100; --object) model.toggle(object);
    for (uint32_t object = 1; object <= 400; ++object) ASSERT_TRUE(model.agrees_on(object));
  }
}

}  // namespace
}  // namespace elenchus::base
