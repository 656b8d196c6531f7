#include "knobs/search.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace elenchus::knobs {
namespace {

Knob knob_of(std::string name, Type type, std::string standard) {
  Knob knob;
  knob.name = std::move(name);
  knob.type = type;
  knob.standard = std::move(standard);
  return knob;
}

Knob number(Type type, std::string standard, double low, double high) {
  Knob knob = knob_of("n", type, std::move(standard));
  knob.low = low;
  knob.high = high;
  return knob;
}

size_t given(const Vector& values) {
  size_t count = 0;
  for (const std::string& value : values) count += value.empty() ? 0 : 1;
  return count;
}

TEST(Values, BooleansAreFlipped) {
  base::Rng rng(1);
  const Knob knob = knob_of("b", Type::kBool, "true");
  EXPECT_EQ(changed(knob, "", rng), "false");
  EXPECT_EQ(changed(knob, "false", rng), "");
  EXPECT_EQ(random_value(knob, rng), "false");
}

TEST(Values, NumbersStayInRange) {
  base::Rng rng(1);
  const Knob whole = number(Type::kInteger, "6", 0, 20);
  const Knob real = number(Type::kReal, "1.5", 1, 4);
  std::set<std::string> seen;
  std::string at;
  std::string real_at;
  for (int i = 0; i < 300; ++i) {
    const std::string before = at;
    at = changed(whole, at, rng);
    EXPECT_NE(at, before);
    seen.insert(at);
    if (!at.empty()) {
      EXPECT_GE(std::stoi(at), 0);
      EXPECT_LE(std::stoi(at), 20);
    }
    real_at = changed(real, real_at, rng);
    const double value = real_at.empty() ? 1.5 : std::stod(real_at);
    EXPECT_GE(value, 1);
    EXPECT_LE(value, 4);
  }
  EXPECT_GT(seen.size(), 10U);
  EXPECT_EQ(seen.count("6"), 0U) << "the default is not given";
}

TEST(Values, WordsComeFromTheList) {
  base::Rng rng(1);
  Knob knob = knob_of("w", Type::kEnum, "b");
  knob.values = {"a", "b", "c"};
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) seen.insert(random_value(knob, rng));
  EXPECT_EQ(seen, (std::set<std::string>{"a", "c"}));
}

std::vector<Knob> flags(size_t count) {
  std::vector<Knob> knobs;
  for (size_t i = 0; i < count; ++i) {
    knobs.push_back(knob_of(std::string("k") + std::to_string(i), Type::kBool, "false"));
  }
  return knobs;
}

std::vector<const Knob*> pointers(const std::vector<Knob>& knobs) {
  std::vector<const Knob*> all;
  all.reserve(knobs.size());
  for (const Knob& knob : knobs) all.push_back(&knob);
  return all;
}

TEST(Search, EndsAfterTenBarrenGenerations) {
  base::Rng rng(1);
  const auto knobs = flags(20);
  Search search(pointers(knobs), {.most_offspring = 10000}, rng);
  uint32_t tries = 0;
  for (; !search.is_over() && tries < 10000; ++tries) search.report({}, rng);
  EXPECT_EQ(search.generations(), 10U);
}

TEST(Search, EndsWithTheHundredthChild) {
  base::Rng rng(1);
  const auto knobs = flags(20);
  Search search(pointers(knobs), {}, rng);
  for (uint32_t i = 0; !search.is_over() && i < 10000; ++i)
    search.report({.fitness = 1, .has_news = true}, rng);
  EXPECT_GE(search.offspring(), 100U);
  EXPECT_LT(search.offspring(), 110U);
}

TEST(Search, GivesNoMoreThanItMay) {
  base::Rng rng(1);
  const auto knobs = flags(20);
  Search search(pointers(knobs), {.most = 1}, rng);
  while (!search.is_over()) {
    EXPECT_EQ(given(search.current()), 1U);
    search.report({.fitness = 1, .has_news = rng.coin(), .conflict = rng.one_in(4)}, rng);
  }
}

TEST(Search, ConflictsOnlyDoNotStopIt) {
  base::Rng rng(1);
  const auto knobs = flags(5);
  Search search(pointers(knobs), {}, rng);
  while (!search.is_over()) search.report({.fitness = 9, .has_news = true, .conflict = true}, rng);
  EXPECT_EQ(search.generations(), 10U);
}

TEST(Search, WithoutKnobsIsOver) {
  base::Rng rng(1);
  EXPECT_TRUE(Search({}, {}, rng).is_over());
}

// Fitness is the number of chosen flags that are on: the search must do better than chance.
TEST(Search, ClimbsTowardsWhatIsRewarded) {
  double found = 0;
  double by_chance = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::Rng rng(seed);
    const auto knobs = flags(12);
    const auto value = [](const Vector& values) {
      uint32_t count = 0;
      for (size_t i = 0; i < values.size(); i += 2) count += values[i].empty() ? 0 : 1;
      return count;
    };
    Search search(pointers(knobs), {}, rng);
    uint32_t best = 0;
    while (!search.is_over()) {
      const uint32_t fitness = value(search.current());
      best = std::max(best, fitness);
      search.report({.fitness = fitness, .has_news = fitness > 0}, rng);
    }
    found += best;
    uint32_t random_best = 0;
    Search other(pointers(knobs), {.population = 108}, rng);
    for (int i = 0; i < 107; ++i) {
      random_best = std::max(random_best, value(other.current()));
      other.report({}, rng);
    }
    by_chance += random_best;
  }
  EXPECT_GT(found, by_chance + 5);
}

// What is reported changes nothing but when it ends.
TEST(Search, WithoutBreedingEveryVectorIsDrawnAtRandom) {
  const auto knobs = flags(9);
  base::Rng one(7);
  base::Rng two(7);
  Search praised(pointers(knobs), {.breeds = false}, one);
  Search blamed(pointers(knobs), {.breeds = false}, two);
  std::set<Vector> seen;
  while (!praised.is_over() && !blamed.is_over()) {
    EXPECT_EQ(praised.current(), blamed.current());
    seen.insert(praised.current());
    praised.report({.fitness = 3, .has_news = true}, one);
    blamed.report({.conflict = true}, two);
  }
  EXPECT_GT(seen.size(), 20U);
  while (!praised.is_over()) praised.report({.fitness = 3, .has_news = true}, one);
  EXPECT_GE(praised.offspring(), 100U);
  EXPECT_LT(praised.offspring(), 110U);
}

TEST(Search, GivesNoVectorTwice) {
  for (const bool breeds : {true, false}) {
    base::Rng rng(5);
    const auto knobs = flags(6);
    Search search(pointers(knobs), {.breeds = breeds}, rng);
    std::set<Vector> seen;
    while (!search.is_over()) {
      EXPECT_TRUE(seen.insert(search.current()).second);
      search.report({.fitness = given(search.current()) > 1 ? 2U : 1U, .has_news = true}, rng);
    }
    EXPECT_GT(seen.size(), 40U);
  }
}

TEST(Search, IsOverWhenAllWasTried) {
  base::Rng rng(1);
  const auto knobs = flags(1);
  Search search(pointers(knobs), {}, rng);
  ASSERT_FALSE(search.is_over());
  search.report({.fitness = 1, .has_news = true}, rng);
  EXPECT_TRUE(search.is_over());
}

// What the options brought ranks a vector; only what nobody has seen keeps the search going.
TEST(Search, FitnessIsNoNews) {
  base::Rng rng(1);
  const auto knobs = flags(20);
  Search search(pointers(knobs), {.most_offspring = 10000}, rng);
  for (uint32_t i = 0; !search.is_over() && i < 10000; ++i) search.report({.fitness = 5}, rng);
  EXPECT_EQ(search.generations(), 10U);
}

TEST(Search, SameSeedSameVectors) {
  const auto knobs = flags(9);
  base::Rng one(7);
  base::Rng two(7);
  Search a(pointers(knobs), {}, one);
  Search b(pointers(knobs), {}, two);
  while (!a.is_over()) {
    EXPECT_EQ(a.current(), b.current());
    a.report({.fitness = 3, .has_news = true}, one);
    b.report({.fitness = 3, .has_news = true}, two);
  }
}

}  // namespace
}  // namespace elenchus::knobs
