// The loop: passes in a fixed order, the most powerful first, again and again until none of them
// succeeds; then equations, and all of it again where that helped. A candidate is offered only when
// it is smaller (size.h), so the loop ends.
#include "reduce/reduce.h"

#include "reduce/passes.h"
#include "reduce/session.h"

namespace elenchus::reduce {
namespace {

struct Pass {
  std::string_view name;
  void (*run)(Session&);
};

constexpr Pass kPasses[] = {
    {"commands", reduce_commands}, {"functions", reduce_functions}, {"terms", reduce_terms},
    {"literals", reduce_literals}, {"sorts", reduce_sorts},         {"widths", reduce_widths},
};

void run_passes(Session& session) {
  for (uint32_t before = UINT32_MAX; before != session.accepted() && !session.stopped();) {
    before = session.accepted();
    for (const Pass& pass : kPasses) {
      session.begin_pass(pass.name);
      pass.run(session);
    }
  }
}

// Whether anything became smaller.
bool solve_equations(Session& session) {
  const uint32_t before = session.accepted();
  session.begin_pass("equations");
  if (!session.stopped()) reduce_equations(session);
  return session.accepted() > before;
}

}  // namespace

Reduction reduce(ir::TermStore& store, const ir::Script& script, const Predicate& still_bad,
                 const Settings& settings) {
  Session session(store, script, still_bad, settings);
  Reduction result;
  result.start = session.size();
  do {
    run_passes(session);
  } while (solve_equations(session));
  session.begin_pass("names");
  if (!session.stopped()) finish_names(session);
  result.script = session.best();
  result.tries = session.tries();
  result.accepted = session.accepted();
  result.finished = !session.stopped();
  result.size = session.size();
  return result;
}

}  // namespace elenchus::reduce
