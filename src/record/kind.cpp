#include "record/kind.h"

#include <algorithm>
#include <array>

namespace elenchus::record {
namespace {

constexpr std::array kKinds = {
#define ELENCHUS_KIND(id, name, brief, meaning, expected, shows, look, traits) \
  KindInfo{Kind::id, name, brief, meaning, expected, Shows::shows, Look::look, traits},
#include "record/kinds.def"
#undef ELENCHUS_KIND
};

}  // namespace

std::span<const KindInfo> kinds() { return kKinds; }

const KindInfo& info(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

const KindInfo* find_kind(std::string_view name) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                   [name](const KindInfo& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : found;
}

std::string_view to_string(Kind kind) { return info(kind).name; }

int rank_of(std::string_view kind) {
  const KindInfo* found = find_kind(kind);
  const size_t place = found == nullptr ? kKinds.size() : static_cast<size_t>(found->kind);
  return static_cast<int>(place) + 1;
}

std::string_view style_of(Look look) {
  switch (look) {
    case Look::kGrave: return "grave";
    case Look::kPlain: return "warn";
    case Look::kQuiet:
    case Look::kMild: break;
  }
  return "";
}

}  // namespace elenchus::record
