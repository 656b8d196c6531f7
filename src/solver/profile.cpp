#include "solver/profile.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/toml_reader.h"
#include "ir/op_table.h"
#include "ir/signature.h"
namespace elenchus::solver {
namespace {

using config::TomlReader;

// Each a string, or a table with more to say.
void read_marks(TomlReader& table, std::string_view key, std::vector<TextMark>& into) {
  table.each(key, [&](const toml::node& item) {
    TextMark mark;
    if (const auto text = item.value<std::string>()) mark.text = *text;
    table.item_of(key, item, [&](TomlReader& reader) {
      reader.read("text", mark.text);
      reader.read("lines", mark.lines);
      reader.read("answer", mark.answer);
    });
    if (mark.text.empty()) table.fail(std::string(key) + " needs a text", item);
    into.push_back(std::move(mark));
  });
}

void read_variants(TomlReader& table, std::string_view key, std::vector<Variant>& into) {
  table.tables(key, [&](TomlReader& reader, const toml::node& item) {
    Variant variant;
    reader.read("name", variant.name);
    reader.read("options", variant.options);
    reader.read("about", variant.about);
    reader.read("default", variant.is_default);
    if (variant.name.empty() || variant.options.empty()) {
      table.fail("a variant needs a name and options", item);
    }
    into.push_back(std::move(variant));
  });
}

void read_rules(TomlReader& table, std::string_view key, std::vector<KnobRule>& into) {
  table.tables(key, [&](TomlReader& reader, const toml::node& item) {
    KnobRule rule;
    reader.read("match", rule.match);
    reader.read("reason", rule.reason);
    reader.read("tells", rule.tells);
    reader.read("values", rule.values);
    reader.read("low", rule.low);
    reader.read("high", rule.high);
    if (rule.match.empty()) table.fail(std::string(key) + " needs a match", item);
    if (rule.high < rule.low) table.fail(std::string(key) + ": high is below low", item);
    into.push_back(std::move(rule));
  });
}

void read_protocol(TomlReader& table, Profile& profile) {
  std::string input = profile.input_is_file ? "file" : "stdin";
  table.read("input", input);
  profile.input_is_file = input == "file";
  table.read("interactive", profile.is_interactive);
  table.read("sessions", profile.has_sessions);
  table.read("reset_keeps_options", profile.reset_keeps_options);
  table.read("options_by_command", profile.options_by_command);
  table.read("reset_keeps_names", profile.reset_keeps_names);
  table.read("set_option", profile.has_set_option);
  table.read("declare_const", profile.has_declare_const);
  table.read("start_seconds", profile.start_seconds);
  table.read("session_queries", profile.session_queries);
  table.read("session_bytes", profile.session_bytes);
}

void read_knobs(TomlReader& table, KnobSource& knobs) {
  table.read("reader", knobs.reader);
  table.read("list", knobs.list);
  table.read("flags", knobs.flags);
  table.read("regular", knobs.regular);
  table.read("without_models", knobs.without_models);
  table.read("without_incremental", knobs.without_incremental);
  read_rules(table, "ignored", knobs.ignored);
  read_rules(table, "ranges", knobs.ranges);
}

// What is wrong with a name that stands for none of the words; nothing if it does.
template <typename Word>
std::string take_word(const char* kind, const std::string& name, std::vector<Word>& into) {
  if (const auto word = ir::find_word<Word>(name)) {
    into.push_back(*word);
    return {};
  }
  return fmt::format("no {} '{}' among {}", kind, name, fmt::join(ir::names_of<Word>(), ", "));
}

// "z3", or "z3 4.12.2".
std::string take_dialect(const std::string& text, OperatorSection& section) {
  const size_t blank = text.find(' ');
  std::vector<ir::Dialect> dialect;
  std::string error = take_word("dialect", text.substr(0, blank), dialect);
  if (!error.empty()) return error;
  ir::Version version = 0;
  if (blank != std::string::npos) {
    version = ir::parse_version(std::string_view(text).substr(blank + 1));
    if (version == 0) return fmt::format("no version in '{}'", text);
  }
  section.reads.push_back({dialect.front(), version});
  return {};
}

std::string take_operator(const std::string& name, std::vector<std::string>& into) {
  const auto ops = ir::OpTable::standard();
  const ir::SymbolId symbol = ops->symbols().find(name);
  if (!symbol.valid() || ops->named(symbol).empty()) return fmt::format("no operator '{}'", name);
  into.push_back(name);
  return {};
}

// By its name, or with a signature when it is the solver's own.
std::string take_further_operator(const std::string& text, std::vector<std::string>& into) {
  if (!ir::is_signature(text)) {
    const std::string error = take_operator(text, into);
    if (error.empty()) return {};
    return fmt::format("{}; one of the solver's own has a signature, such as ({} Int Int)", error,
                       text);
  }
  if (const auto signatures = ir::parse_signatures(text); !signatures) {
    return fmt::format("{} in {}", signatures.error().message, text);
  }
  into.push_back(text);
  return {};
}

void read_operators(TomlReader& table, OperatorSection& section) {
  ir::Reader& reader = section.reader;
  table.read_each("reads", [&](const std::string& text) { return take_dialect(text, section); });
  table.read_each("theories", [&](const std::string& name) {
    return take_word("theory", name, reader.theories);
  });
  table.read_each("habits",
                  [&](const std::string& name) { return take_word("habit", name, reader.habits); });
  table.read_each(
      "also", [&](const std::string& text) { return take_further_operator(text, reader.also); });
  table.read_each("not",
                  [&](const std::string& name) { return take_operator(name, reader.without); });
  table.read_lists("since", [&](const std::string& name, const std::string& text) {
    const ir::Version version = ir::parse_version(name);
    if (version == 0) return fmt::format("no version '{}'", name);
    auto& since = section.since.emplace_back();
    since.version = version;
    return take_further_operator(text, since.operators);
  });
  table.read_lists("limits", [&](const std::string& name, const std::string& text) {
    std::vector<ir::Limit> limit;
    std::vector<std::string> op;
    std::string error = take_word("limit", name, limit);
    if (error.empty()) error = take_operator(text, op);
    if (error.empty()) reader.limits.emplace_back(limit.front(), text);
    return error;
  });
}

// What may be otherwise in other versions. Lists of texts and operators grow, the rest is replaced.
void read_conduct(TomlReader& top, Profile& profile) {
  top.table("options", [&](TomlReader& table) {
    table.read("base", profile.base_options);
    table.read("session", profile.session_options);
    table.read("fresh", profile.fresh_options);
    table.read("incremental", profile.incremental_options);
    table.read("strings", profile.strings_options);
    table.read("form", profile.option_form);
    table.read("disclaimed", profile.disclaimed_options);
  });
  top.table("protocol", [&](TomlReader& table) { read_protocol(table, profile); });
  top.table("capabilities", [&](TomlReader& table) {
    table.read("models", profile.has_models);
    table.read("cores", profile.has_cores);
    table.read("statistics", profile.has_statistics);
    table.read("objectives", profile.has_objectives);
    table.read("incremental", profile.is_incremental);
    table.read("simplify", profile.simplify_command);
    table.read("values", profile.value_commands);
    table.read("logics", profile.logics);
    table.read("missing", profile.theories_missing);
  });
  top.table("texts", [&](TomlReader& table) {
    read_marks(table, "unsupported", profile.unsupported);
    read_marks(table, "self_check", profile.self_checks);
    read_marks(table, "memout", profile.memouts);
    read_marks(table, "timeout", profile.timeouts);
    read_marks(table, "crash", profile.crashes);
    table.read("harmless", profile.harmless);
    table.read("unknown", profile.unknowns);
  });
  read_variants(top, "variants", profile.variants);
  top.table("rules", [&](TomlReader& table) {
    table.read("options", profile.rules.options);
    table.read("without", profile.rules.without);
  });
  top.table("formulas",
            [&](TomlReader& table) { table.read("tactics", profile.formulas.tactics); });
  top.table("operators", [&](TomlReader& table) { read_operators(table, profile.operators); });
}

// The versions from `since` on and before `before`; `says`: a text in what it says of itself.
struct VersionRange {
  ir::Version since = 0;
  ir::Version before = ir::kUnreleased;
  std::string says;

  bool has(const Identity& identity) const {
    const ir::Version version = ir::parse_version(identity.version);
    return since <= version && version < before && identity.output.find(says) != std::string::npos;
  }
};

void read_bound(TomlReader& table, std::string_view key, ir::Version& into) {
  std::string text;
  table.read(key, text);
  if (text.empty()) return;
  into = ir::parse_version(text);
  if (into == 0) table.fail_at(key, fmt::format("no version '{}'", text));
}

VersionRange read_range(TomlReader& table) {
  VersionRange range;
  read_bound(table, "since", range.since);
  read_bound(table, "before", range.before);
  table.read("says", range.says);
  if (range.since == 0 && range.before == ir::kUnreleased && range.says.empty()) {
    table.fail_at("since", "versions needs since, before or says");
  }
  return range;
}

// `identity`: of the solver whose version counts; null for none. Whether some part was for it.
bool read_profile(TomlReader& top, Profile& profile, const Identity* identity) {
  top.read("name", profile.name);
  top.read("rank", profile.rank);
  top.read("about", profile.about);
  top.read("tried", profile.tried);
  top.read("programs", profile.programs);
  top.table("version", [&](TomlReader& table) {
    table.read("options", profile.version_options);
    table.read("marks", profile.version_marks);
    table.read("after", profile.version_after);
  });
  read_conduct(top, profile);
  top.table("knobs", [&](TomlReader& table) { read_knobs(table, profile.knobs); });
  bool is_changed = false;
  top.tables("versions", [&](TomlReader& table, const toml::node&) {
    Profile unused;
    const VersionRange range = read_range(table);
    const bool counts = identity != nullptr && range.has(*identity);
    read_conduct(table, counts ? profile : unused);
    is_changed = is_changed || counts;
  });
  return is_changed;
}

// Sanitizers and the C and C++ libraries say the same whatever they are linked into.
void add_common_texts(Profile& profile) {
  for (const char* text :
       {"ERROR: AddressSanitizer", "ERROR: UndefinedBehaviorSanitizer", "ERROR: ThreadSanitizer",
        "WARNING: ThreadSanitizer", "WARNING: MemorySanitizer", ": runtime error: "}) {
    profile.crashes.push_back({text});
  }
  profile.crashes.push_back({"terminate called", 2});
  for (const char* text :
       {"free(): ", "malloc(): ", "double free or corruption", "corrupted size vs. prev_size",
        "*** stack smashing detected ***", ": Assertion `", "pure virtual method called"}) {
    profile.crashes.push_back({text});
  }
  for (const char* text : {"std::bad_alloc", "AddressSanitizer: out of memory",
                           "allocator is out of memory", "requested allocation size"}) {
    profile.memouts.push_back({text});
  }
}

base::Result<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return base::Error{base::ErrorKind::kIo, "cannot read " + path.string(), {}};
  return content.str();
}

}  // namespace

const Variant* Profile::find_variant(std::string_view variant) const {
  for (const Variant& candidate : variants) {
    if (candidate.name == variant) return &candidate;
  }
  return nullptr;
}

std::string Profile::write_option(std::string_view option, std::string_view value) const {
  std::string text = option_form;
  const auto put = [&](std::string_view field, std::string_view by) {
    const size_t at = text.find(field);
    if (at != std::string::npos) text.replace(at, field.size(), by);
  };
  put("{value}", value);
  put("{name}", option);
  return text;
}

namespace {

base::Result<Profile> parse_for(std::string_view text, const std::string& file,
                                const Identity* identity, bool& is_changed) {
  Profile profile;
  base::Error error;
  const auto table = config::parse_toml(text);
  if (table) {
    TomlReader top(*table, "", error);
    is_changed = read_profile(top, profile, identity);
  } else {
    error = table.error();
  }
  if (error.message.empty() && profile.name.empty()) {
    error = {base::ErrorKind::kParse, "a profile needs a name", {1, 1}};
  }
  if (!error.message.empty()) {
    error.message = base::describe(error, file);
    return error;
  }
  if (profile.option_form.empty()) profile.option_form = "--{name}={value}";
  if (!profile.is_interactive) profile.has_sessions = false;
  add_common_texts(profile);
  profile.source = text;
  profile.file = file;
  return profile;
}

}  // namespace

base::Result<Profile> parse_profile(std::string_view text, const std::string& file) {
  bool is_changed = false;
  return parse_for(text, file, nullptr, is_changed);
}

std::shared_ptr<const Profile> profile_for(const std::shared_ptr<const Profile>& profile,
                                           const Identity& identity) {
  bool is_changed = false;
  auto changed = parse_for(profile->source, profile->file, &identity, is_changed);
  if (!changed || !is_changed) return profile;
  return std::make_shared<const Profile>(std::move(*changed));
}

const Profiles& Profiles::standard() {
  static const Profiles profiles = [] {
    Profiles result;
    for (const base::EmbeddedFile& file : embedded_profiles()) {
      auto profile = parse_profile(file.content, std::string(file.path));
      ELENCHUS_CHECK(profile.has_value(), profile.error().message);
      result.add(std::move(*profile));
    }
    return result;
  }();
  return profiles;
}

void Profiles::add(Profile profile) {
  std::erase_if(all_, [&](const auto& other) { return other->name == profile.name; });
  const auto place = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& other) { return other->rank > profile.rank; });
  all_.insert(place, std::make_shared<const Profile>(std::move(profile)));
}

base::Result<void> Profiles::load(const std::filesystem::path& folder) {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (it->path().extension() == ".toml") files.push_back(it->path());
  }
  if (failure) {
    return base::Error{
        base::ErrorKind::kIo, "cannot read " + folder.string() + ": " + failure.message(), {}};
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    ELENCHUS_ASSIGN_OR_RETURN(const std::string text, read_file(file));
    ELENCHUS_ASSIGN_OR_RETURN(Profile profile, parse_profile(text, file.string()));
    add(std::move(profile));
  }
  return {};
}

std::shared_ptr<const Profile> Profiles::find(std::string_view name) const {
  for (const auto& profile : all_) {
    if (profile->name == name) return profile;
  }
  return nullptr;
}

}  // namespace elenchus::solver
