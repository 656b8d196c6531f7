#include "mutate/skeleton/shelf.h"

#include "history/knowledge_file.h"
#include "mutate/admission.h"

namespace elenchus::mutate {
namespace {

uint16_t readers_of(const ir::OpTable& table, const history::Skeleton& skeleton) {
  uint16_t readers = kAnyone;
  for (const history::Skeleton::Node& node : skeleton.nodes) {
    readers &= readers_of_junction(table, node.op, node.arity);
  }
  return readers;
}

}  // namespace

Shelf::Shelf(const SkeletonSettings& settings, const ir::OpTable& table)
    : library(settings.knowledge ? settings.knowledge : history::shipped_knowledge()),
      workshop(settings.vocabulary) {
  for (uint32_t i = 0; i < library.skeletons().size(); ++i) {
    const history::Skeleton& skeleton = library.skeletons()[i];
    if ((readers_of(table, skeleton) & settings.vocabulary.solvers) !=
        settings.vocabulary.solvers) {
      continue;
    }
    const bool is_small = skeleton.holes() <= settings.max_holes;
    (is_small ? small_ : large_).push_back(i);
  }
}

const OperatorIndex& Shelf::operators(const ir::OpTable& table) {
  const gen::Vocabulary& vocabulary = workshop.vocabulary(table, "ALL");
  if (indexed_ != &vocabulary || indexed_table_ != &table) {
    index_ = index_operators(table, vocabulary);
    indexed_ = &vocabulary;
    indexed_table_ = &table;
  }
  return index_;
}

const history::Skeleton& Shelf::draw_skeleton(base::Rng& rng,
                                              const SkeletonSettings& settings) const {
  const bool takes_large =
      small_.empty() || (!large_.empty() && rng.happens(settings.large_one_in));
  const auto& list = takes_large ? large_ : small_;
  return library.skeletons()[list[rng.below(list.size())]];
}

}  // namespace elenchus::mutate
