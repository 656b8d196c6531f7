#include "docket/history.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "reduce/ddmin.h"
#include "solver/transcript.h"

namespace elenchus::docket {
namespace {

using Queries = std::vector<std::shared_ptr<const solver::Asked>>;

// The suspicion with these queries before its own, which is the last of the transcript.
Suspicion after(const Suspicion& suspicion, const solver::Profile& profile,
                const solver::Transcript& transcript, const Queries& before) {
  solver::Transcript session;
  session.queries = before;
  session.queries.push_back(transcript.queries.back());
  size_t checks = 0;
  for (const auto& asked : before) checks += asked->query.check_ends.size();
  Suspicion joined = suspicion;
  joined.needs_history = true;
  joined.script = solver::session_script(profile, session);
  joined.check = suspicion.check + checks;
  if (!joined.expected.empty()) {
    joined.expected.insert(joined.expected.begin(), checks, "unknown");
  }
  return joined;
}

Queries without(const Queries& all, const std::vector<bool>& is_gone) {
  Queries left;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_gone[i]) left.push_back(all[i]);
  }
  return left;
}

}  // namespace

std::optional<Suspicion> with_history(const Suspicion& suspicion, const solver::Profile& profile,
                                      const std::function<bool(const Suspicion&)>& shows,
                                      const std::function<bool()>& stop) {
  const auto transcript = solver::read_transcript(suspicion.session);
  if (!transcript || transcript->queries.size() < 2) return {};
  const size_t all = transcript->queries.size() - 1;
  const auto last = [&](size_t count) {
    const auto end = transcript->queries.end() - 1;
    return Queries(end - static_cast<std::ptrdiff_t>(count), end);
  };
  const auto join = [&](const Queries& before) {
    return after(suspicion, profile, *transcript, before);
  };
  size_t count = 1;
  while (!shows(join(last(count)))) {
    if (count == all || stop()) return {};
    count = std::min(all, count * 2);
  }
  const Queries found = last(count);
  std::vector<bool> is_gone(found.size(), false);
  reduce::minimize(found.size(), [&](std::span<const uint32_t> items) {
    if (stop()) return false;
    std::vector<bool> candidate = is_gone;
    for (const uint32_t item : items) candidate[item] = true;
    const Queries left = without(found, candidate);
    if (left.empty() || !shows(join(left))) return false;
    is_gone = std::move(candidate);
    return true;
  });
  return join(without(found, is_gone));
}

}  // namespace elenchus::docket
