#include "solver/profile.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include <toml++/toml.h>

#include "base/toml_guard.h"
namespace elenchus::solver {
namespace {

base::Location place(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

// Reads one table of a profile. Keeps the first error, and notices keys that nobody asked for: a
// misspelt one would silently mean nothing.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string where, base::Error& error)
      : table_(table), where_(std::move(where)), error_(error) {}
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  ~TableReader() {
    for (const auto& [key, value] : table_) {
      if (!asked_.contains(key.str())) fail("unknown key " + std::string(key.str()), value);
    }
  }

  template <typename T>
  void read(std::string_view key, T& into) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (const auto value = node->value<T>()) {
      into = *value;
    } else {
      fail(std::string(key) + " has a value of the wrong kind", *node);
    }
  }

  void read(std::string_view key, std::vector<std::string>& into) {
    each(key, [&](const toml::node& item) {
      if (const auto text = item.value<std::string>()) {
        into.push_back(*text);
      } else {
        fail(std::string(key) + " is a list of strings", item);
      }
    });
  }

  // Each a string, or a table with more to say.
  void read(std::string_view key, std::vector<TextMark>& into) {
    each(key, [&](const toml::node& item) {
      TextMark mark;
      if (const auto text = item.value<std::string>()) {
        mark.text = *text;
      } else if (const toml::table* table = item.as_table()) {
        TableReader reader(*table, std::string(key), error_);
        reader.read("text", mark.text);
        reader.read("lines", mark.lines);
        reader.read("answer", mark.answer);
      }
      if (mark.text.empty()) fail(std::string(key) + " needs a text", item);
      into.push_back(std::move(mark));
    });
  }

  void read(std::string_view key, std::vector<Variant>& into) {
    each(key, [&](const toml::node& item) {
      const toml::table* table = item.as_table();
      if (table == nullptr) return fail(std::string(key) + " is a list of tables", item);
      Variant variant;
      TableReader reader(*table, std::string(key), error_);
      reader.read("name", variant.name);
      reader.read("options", variant.options);
      reader.read("about", variant.about);
      reader.read("default", variant.is_default);
      if (variant.name.empty() || variant.options.empty()) {
        fail("a variant needs a name and options", item);
      }
      into.push_back(std::move(variant));
    });
  }

  void read(std::string_view key, std::vector<KnobRule>& into) {
    each(key, [&](const toml::node& item) {
      const toml::table* table = item.as_table();
      if (table == nullptr) return fail(std::string(key) + " is a list of tables", item);
      KnobRule rule;
      TableReader reader(*table, std::string(key), error_);
      reader.read("match", rule.match);
      reader.read("reason", rule.reason);
      reader.read("values", rule.values);
      reader.read("low", rule.low);
      reader.read("high", rule.high);
      if (rule.match.empty()) fail(std::string(key) + " needs a match", item);
      if (rule.high < rule.low) fail(std::string(key) + ": high is below low", item);
      into.push_back(std::move(rule));
    });
  }

  // Calls read(reader) with the table below the key, if it is there.
  template <typename Read>
  void table(std::string_view key, Read read) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return fail(std::string(key) + " is a table", *node);
    TableReader reader(*table, std::string(key), error_);
    read(reader);
  }

  void fail(const std::string& message, const toml::node& at) {
    if (!error_.message.empty()) return;
    error_ = {base::ErrorKind::kParse, where_.empty() ? message : where_ + ": " + message,
              place(at.source())};
  }

 private:
  const toml::node* find(std::string_view key) {
    asked_.insert(key);
    return table_.get(key);
  }

  template <typename Visit>
  void each(std::string_view key, Visit visit) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) return fail(std::string(key) + " is a list", *node);
    for (const toml::node& item : *array) visit(item);
  }

  const toml::table& table_;
  std::string where_;
  base::Error& error_;
  std::set<std::string_view> asked_;
};

void read_protocol(TableReader& table, Profile& profile) {
  std::string input = "stdin";
  table.read("input", input);
  profile.input_is_file = input == "file";
  table.read("interactive", profile.is_interactive);
  table.read("sessions", profile.has_sessions);
  table.read("reset_keeps_options", profile.reset_keeps_options);
  table.read("options_by_command", profile.options_by_command);
  table.read("reset_keeps_names", profile.reset_keeps_names);
  table.read("set_option", profile.has_set_option);
  table.read("declare_const", profile.has_declare_const);
  table.read("session_queries", profile.session_queries);
  table.read("session_bytes", profile.session_bytes);
}

void read_knobs(TableReader& table, KnobSource& knobs) {
  table.read("reader", knobs.reader);
  table.read("list", knobs.list);
  table.read("flags", knobs.flags);
  table.read("regular", knobs.regular);
  table.read("ignored", knobs.ignored);
  table.read("ranges", knobs.ranges);
}

void read_profile(TableReader& top, Profile& profile) {
  top.read("name", profile.name);
  top.read("rank", profile.rank);
  top.read("about", profile.about);
  top.read("programs", profile.programs);
  top.table("version", [&](TableReader& table) {
    table.read("options", profile.version_options);
    table.read("marks", profile.version_marks);
    table.read("after", profile.version_after);
  });
  top.table("options", [&](TableReader& table) {
    table.read("base", profile.base_options);
    table.read("session", profile.session_options);
    table.read("fresh", profile.fresh_options);
    table.read("incremental", profile.incremental_options);
    table.read("form", profile.option_form);
  });
  top.table("protocol", [&](TableReader& table) { read_protocol(table, profile); });
  top.table("capabilities", [&](TableReader& table) {
    table.read("models", profile.has_models);
    table.read("cores", profile.has_cores);
    table.read("statistics", profile.has_statistics);
    table.read("incremental", profile.is_incremental);
    table.read("logics", profile.logics);
    table.read("missing", profile.theories_missing);
  });
  top.table("texts", [&](TableReader& table) {
    table.read("unsupported", profile.unsupported);
    table.read("self_check", profile.self_checks);
    table.read("memout", profile.memouts);
    table.read("timeout", profile.timeouts);
    table.read("crash", profile.crashes);
    table.read("harmless", profile.harmless);
    table.read("unknown", profile.unknowns);
  });
  top.read("variants", profile.variants);
  top.table("knobs", [&](TableReader& table) { read_knobs(table, profile.knobs); });
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

base::Result<Profile> parse_profile(std::string_view text, const std::string& file) {
  Profile profile;
  base::Error error;
  if (const auto readable = base::check_toml(text); !readable) {
    return base::Error{base::ErrorKind::kParse, base::describe(readable.error(), file), {}};
  }
  try {
    const toml::table table = toml::parse(text, file);
    TableReader top(table, "", error);
    read_profile(top, profile);
  } catch (const toml::parse_error& failure) {
    error = {base::ErrorKind::kParse, std::string(failure.description()), place(failure.source())};
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
  return profile;
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
