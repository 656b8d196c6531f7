// Simpler sorts. A sort without a meaning and an enumeration become another such sort or Bool, all
// over the script; a datatype loses its parameters where all uses give them the same sorts;
// constructors and fields of datatypes that nothing uses are dropped one by one.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/apply.h"
#include "ir/retype.h"
#include "ir/script_parts.h"
#include "ir/walk.h"
#include "reduce/passes.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::DatatypeCut;
using ir::DatatypeId;
using ir::FunId;
using ir::Retyping;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

class SortsPass {
 public:
  explicit SortsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    replace_sorts();
    cut_datatypes();
  }

 private:
  static constexpr size_t kWhole = SIZE_MAX;

  bool is_enumeration(const ir::SortNode& node) const {
    if (node.kind != SortKind::kDatatype || node.child_count > 0) return false;
    const auto& constructors = store_.datatype(DatatypeId{node.a}).constructors;
    for (const ir::Constructor& constructor : constructors) {
      if (!constructor.selectors.empty()) return false;
    }
    return !constructors.empty();
  }

  void add(SortId sort, std::set<SortId>& found) const {
    const ir::SortNode& node = store_.sorts()[sort];
    const bool is_bare = node.kind == SortKind::kUninterpreted && node.child_count == 0;
    if (is_bare || is_enumeration(node)) found.insert(sort);
    for (const SortId child : store_.sorts().children(sort)) add(child, found);
  }

  std::set<SortId> bare_sorts() const {
    std::set<SortId> found;
    ir::Walker walker(store_);
    for (const Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) { add(store_.sort(term), found); });
      });
    }
    return found;
  }

  void replace_sorts() {
    const std::set<SortId> sorts = bare_sorts();
    for (const SortId sort : sorts) {
      std::vector<SortId> simpler = {ir::kBoolSort};
      for (const SortId other : sorts) {
        const bool is_bare = store_.sorts().kind(other) == SortKind::kUninterpreted;
        if (other < sort && is_bare) simpler.push_back(other);
      }
      for (const SortId other : simpler) {
        const bool is_enumerated = store_.sorts().kind(sort) == SortKind::kDatatype;
        if (is_enumerated && other != ir::kBoolSort) continue;
        Retyping change;
        change.sort = {sort, other};
        if (offer(change)) break;
      }
    }
  }

  // --- Datatypes. ---

  void cut_datatypes() {
    for (size_t at = 0; at < session_.best().commands.size(); ++at) {
      const Command command = session_.best().commands[at];
      if (command.kind != CommandKind::kDeclareDatatypes) continue;
      for (size_t item = 0; item < command.item_count; ++item) cut(at, item);
    }
  }

  DatatypeId datatype_at(size_t command, size_t item) const {
    const auto& commands = session_.best().commands;
    if (command >= commands.size()) return {};
    const bool is_there = commands[command].kind == CommandKind::kDeclareDatatypes &&
                          item < commands[command].item_count;
    return is_there ? DatatypeId{session_.best().items(commands[command])[item]} : DatatypeId{};
  }

  // From the last constructor and field to the first: numbers of those before stay as they are.
  void cut(size_t command, size_t item) {
    DatatypeId first = datatype_at(command, item);
    if (!first.valid()) return;
    if (!store_.datatype(first).parameters.empty() && offer_instance(first)) {
      first = datatype_at(command, item);
    }
    for (size_t i = store_.datatype(first).constructors.size(); i-- > 0;) {
      DatatypeId now = datatype_at(command, item);
      if (!now.valid()) return;
      if (is_founded_without(now, i) && offer_without(now, i, kWhole)) continue;
      now = datatype_at(command, item);
      if (!now.valid() || i >= store_.datatype(now).constructors.size()) return;
      for (size_t field = store_.datatype(now).constructors[i].selectors.size(); field-- > 0;) {
        offer_without(now, i, field);
        now = datatype_at(command, item);
        if (!now.valid()) return;
      }
    }
  }

  // Whether a constructor is left that needs no value of a datatype.
  bool is_founded_without(DatatypeId id, size_t dropped) const {
    const auto& constructors = store_.datatype(id).constructors;
    for (size_t i = 0; i < constructors.size(); ++i) {
      if (i == dropped) continue;
      bool is_base = true;
      for (const SortId param : store_.params(constructors[i].fun)) {
        is_base = is_base && store_.sorts().kind(param) != SortKind::kDatatype &&
                  store_.sorts().children(param).empty();
      }
      if (is_base) return true;
    }
    return false;
  }

  // Without the constructor, or without one of its fields.
  bool offer_without(DatatypeId id, size_t constructor, size_t field) {
    DatatypeCut cut = cut_of(id);
    const ir::Datatype old = store_.datatype(id);
    store_.datatype(cut.to).parameters = old.parameters;
    const auto turned = [&](SortId sort) { return with_datatype(sort, cut); };
    std::vector<ir::Constructor> left;
    for (size_t i = 0; i < old.constructors.size(); ++i) {
      const bool is_meant = i == constructor;
      if (is_meant && field == kWhole) continue;
      const size_t dropped = is_meant ? field : kWhole;
      if (is_meant) cut.field = {old.constructors[i].fun, field};
      left.push_back(copied(old.constructors[i], dropped, left.size(), cut, turned));
    }
    return offer(cut, std::move(left));
  }

  // With the sorts that are its parameters in every use.
  bool offer_instance(DatatypeId id) {
    const auto instance = only_instance(id);
    if (!instance) return false;
    DatatypeCut cut = cut_of(id);
    cut.instance = *instance;
    const ir::Datatype old = store_.datatype(id);
    const SortId to = sort_of(cut.to);
    ir::SortBindings bindings;
    const auto values = store_.sorts().children(*instance);
    for (size_t i = 0; i < old.parameters.size(); ++i) {
      bindings.emplace_back(old.parameters[i], values[i]);
    }
    const auto turned = [&](SortId sort) {
      return with_in_place(ir::substitute_sort(store_.sorts(), sort, bindings), *instance, to);
    };
    std::vector<ir::Constructor> made;
    for (const ir::Constructor& constructor : old.constructors) {
      made.push_back(copied(constructor, kWhole, made.size(), cut, turned));
    }
    return offer(cut, std::move(made));
  }

  std::optional<SortId> only_instance(DatatypeId id) const {
    std::set<SortId> found;
    ir::Walker walker(store_);
    for (const Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) { add_instances(store_.sort(term), id, found); });
      });
    }
    const bool is_one = found.size() == 1 && !store_.sorts()[*found.begin()].has_parameters;
    return is_one ? std::optional(*found.begin()) : std::nullopt;
  }

  void add_instances(SortId sort, DatatypeId id, std::set<SortId>& found) const {
    const ir::SortNode& node = store_.sorts()[sort];
    if (node.kind == SortKind::kDatatype && node.a == id.value) found.insert(sort);
    for (const SortId child : store_.sorts().children(sort)) add_instances(child, id, found);
  }

  // Sorts are no deeper than ir::kMaxSortDepth.
  SortId with_in_place(SortId sort, SortId from, SortId to) {
    if (sort == from) return to;
    const ir::SortNode node = store_.sorts()[sort];
    if (node.child_count == 0) return sort;
    std::vector<SortId> children;
    for (const SortId child : store_.sorts().children(sort)) children.push_back(child);
    for (SortId& child : children) child = with_in_place(child, from, to);
    return store_.sorts().make(node.kind, node.a, node.b, children);
  }

  SortId with_datatype(SortId sort, const DatatypeCut& cut) {
    const ir::SortNode node = store_.sorts()[sort];
    const bool is_meant = node.kind == SortKind::kDatatype && node.a == cut.from.value;
    if (node.child_count == 0 && !is_meant) return sort;
    std::vector<SortId> children;
    for (const SortId child : store_.sorts().children(sort)) children.push_back(child);
    for (SortId& child : children) child = with_datatype(child, cut);
    return store_.sorts().make(node.kind, is_meant ? cut.to.value : node.a, node.b, children);
  }

  DatatypeCut cut_of(DatatypeId id) {
    const ir::Datatype old = store_.datatype(id);
    DatatypeCut cut{id, store_.new_datatype(old.name), {}, {}, {}};
    store_.datatype(cut.to).is_codatatype = old.is_codatatype;
    return cut;
  }

  bool offer(const DatatypeCut& cut, std::vector<ir::Constructor> constructors) {
    store_.datatype(cut.to).constructors = std::move(constructors);
    Retyping change;
    change.cut = &cut;
    return offer(change);
  }

  SortId sort_of(DatatypeId id) {
    const ir::Datatype& datatype = store_.datatype(id);
    return store_.sorts().make(SortKind::kDatatype, id.value, datatype.name.value,
                               datatype.parameters);
  }

  template <typename Turn>
  ir::Constructor copied(const ir::Constructor& old, size_t dropped, size_t number,
                         DatatypeCut& cut, const Turn& turned) {
    const SortId to = sort_of(cut.to);
    std::vector<SortId> params;
    for (const SortId param : store_.params(old.fun)) params.push_back(param);
    if (dropped < params.size()) params.erase(params.begin() + static_cast<ptrdiff_t>(dropped));
    for (SortId& param : params) param = turned(param);
    ir::Constructor made;
    made.fun = declare(old.fun, params, to, cut, number, 0);
    store_.fun(made.fun).needs_as = leaves_open(params, cut.to);
    for (size_t i = 0; i < old.selectors.size(); ++i) {
      if (i == dropped) continue;
      const SortId result = turned(store_.fun(old.selectors[i]).result);
      const std::vector<SortId> whole = {to};
      made.selectors.push_back(
          declare(old.selectors[i], whole, result, cut, number, made.selectors.size()));
    }
    return made;
  }

  // Whether some parameter of the datatype occurs in none of these sorts.
  bool leaves_open(const std::vector<SortId>& params, DatatypeId id) const {
    std::set<SortId> bound;
    for (const SortId param : params) add_parameters(param, bound);
    const auto& parameters = store_.datatype(id).parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](SortId parameter) { return !bound.contains(parameter); });
  }

  void add_parameters(SortId sort, std::set<SortId>& found) const {
    if (store_.sorts().kind(sort) == SortKind::kParameter) found.insert(sort);
    for (const SortId child : store_.sorts().children(sort)) add_parameters(child, found);
  }

  FunId declare(FunId old, const std::vector<SortId>& params, SortId result, DatatypeCut& cut,
                size_t constructor, size_t field) {
    const ir::FunDecl decl = store_.fun(old);
    const FunId made = store_.declare(decl.name, decl.kind, params, result);
    ir::FunDecl& copy = store_.fun(made);
    copy.datatype = cut.to;
    copy.constructor = static_cast<uint32_t>(constructor);
    copy.field = static_cast<uint32_t>(field);
    cut.functions.emplace(old.value, made);
    return made;
  }

  bool offer(const Retyping& change) {
    auto candidate = ir::retyped(store_, session_.best(), change);
    return candidate && session_.offer(std::move(*candidate));
  }

  Session& session_;
  ir::TermStore& store_;
};

}  // namespace

void reduce_sorts(Session& session) { SortsPass(session).run(); }

}  // namespace elenchus::reduce
