#include "reduce/replacements.h"

#include "reduce/ddmin.h"

namespace elenchus::reduce {

void make_replacements(Session& session,
                       std::span<const std::pair<ir::TermId, ir::TermId>> replacements) {
  const ir::Script base = session.best();
  Change done;
  const auto with = [&](std::span<const uint32_t> chosen) {
    Change change = done;
    for (const uint32_t i : chosen) change.terms.push_back(replacements[i]);
    return change;
  };
  minimize(
      replacements.size(),
      [&](std::span<const uint32_t> chosen) {
        Change change = with(chosen);
        if (!session.offer(rewrite(session.store(), base, change))) return false;
        done = std::move(change);
        return true;
      },
      session.ahead(),
      [&](std::span<const uint32_t> chosen) {
        session.foresee(rewrite(session.store(), base, with(chosen)));
      });
}

}  // namespace elenchus::reduce
