#include "mutate/registry.h"

#include <gtest/gtest.h>

namespace elenchus::mutate {
namespace {

TEST(RegistryTest, EveryNameHasItsEngine) {
  EXPECT_GE(engine_names().size(), 2U);
  for (const std::string_view name : engine_names()) {
    const auto engine = make_engine(name);
    ASSERT_NE(engine, nullptr) << name;
    EXPECT_EQ(engine->name(), name);
    EXPECT_GT(engine->series_length(), 0U);
  }
  EXPECT_EQ(make_engine("frobfuzz"), nullptr);
}

TEST(RegistryTest, ModifiersFollowAPlus) {
  for (const std::string_view name : engine_names()) {
    for (const std::string_view modifier : {"+incremental", "+tactics", "+incremental+tactics"}) {
      const std::string modified = std::string(name).append(modifier);
      const auto engine = make_engine(modified);
      ASSERT_NE(engine, nullptr) << modified;
      EXPECT_EQ(engine->name(), modified);
      EXPECT_TRUE(is_engine_name(modified));
    }
  }
  for (const std::string_view name :
       {"", "+incremental", "typefuzz+", "typefuzz+frob", "frobfuzz+incremental",
        "typefuzz+incremental+", "typefuzz+incremental+frob"}) {
    EXPECT_EQ(make_engine(name), nullptr) << name;
    EXPECT_FALSE(is_engine_name(name)) << name;
  }
}

TEST(RegistryTest, AnEmptyScriptGivesASkip) {
  for (const std::string_view name : engine_names()) {
    if (name == "skeleton" || name == "generate") continue;  // need no seed
    ir::TermStore store;
    const ir::Script script;
    const auto engine = make_engine(name);
    const auto started = engine->start(store, {script, {}, Truth::kUnknown});
    if (std::holds_alternative<Skip>(started)) continue;
    base::Rng rng(1);
    const auto& series = std::get<std::unique_ptr<Series>>(started);
    EXPECT_TRUE(std::holds_alternative<Skip>(series->next(rng))) << name;
  }
}

}  // namespace
}  // namespace elenchus::mutate
