#include "cli/parse_command.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/threads.h"
#include "cli/command_table.h"
#include "cli/common_options.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "ir/op_table.h"
#include "ir/script_stats.h"
#include "ir/term_store.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ParseOptions {
  std::vector<std::string> files;
  bool print = false;
  bool stats = false;
  bool json = false;
  bool strict = false;
  bool quiet = false;
  uint32_t jobs = 1;
  uint64_t rng = 0;
  std::string operators;
  std::string out = "-";
};

// What became of one file: texts for the two streams.
struct Report {
  std::string out;
  std::string err;
  bool failed = false;
  bool done = false;
};

// JSON must be UTF-8; symbols in scripts need not be.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json error_json(const std::string& file, const base::Error& error) {
  return {{"file", file},
          {"ok", false},
          {"error",
           {{"kind", base::to_string(error.kind)},
            {"line", error.where.line},
            {"column", error.where.column},
            {"message", error.message}}}};
}

Json stats_json(const std::string& file, const ir::TermStore& store, const ir::Script& script,
                const ir::ScriptStats& stats) {
  Json warnings = Json::array();
  for (const ir::Warning& warning : script.warnings) {
    warnings.push_back({{"line", warning.where.line},
                        {"column", warning.where.column},
                        {"message", warning.message}});
  }
  const auto logic =
      script.logic.valid() ? Json(store.symbols().text(script.logic)) : Json(nullptr);
  return {{"file", file},
          {"ok", true},
          {"logic", logic},
          {"commands", stats.commands},
          {"assertions", stats.assertions},
          {"checks", stats.checks},
          {"declarations", stats.declarations},
          {"terms", stats.terms},
          {"tree_size", stats.tree_size},
          {"depth", stats.depth},
          {"operators", stats.operators},
          {"sorts", stats.sorts},
          {"warnings", warnings}};
}

// The most frequent first.
std::string ranking(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::pair<std::string, uint64_t>> items(counts.begin(), counts.end());
  std::stable_sort(items.begin(), items.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t i = 0; i < std::min(items.size(), kShown); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", items[i].first, items[i].second);
  }
  if (items.size() > kShown) text += fmt::format(", {} more", items.size() - kShown);
  return text;
}

std::string stats_text(const std::string& file, const ir::TermStore& store,
                       const ir::Script& script, const ir::ScriptStats& stats) {
  const bool many = stats.tree_size == UINT64_MAX;
  std::string text = fmt::format("{}:\n", file);
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<14}{}\n", key, value);
  };
  line("logic", script.logic.valid() ? std::string(store.symbols().text(script.logic)) : "none");
  line("commands", std::to_string(stats.commands));
  line("assertions", std::to_string(stats.assertions));
  line("checks", std::to_string(stats.checks));
  line("declarations", std::to_string(stats.declarations));
  line("terms", fmt::format("{} distinct, {}{} as a tree, depth {}", stats.terms,
                            many ? "more than " : "", stats.tree_size, stats.depth));
  line("operators", ranking(stats.operators));
  line("sorts", ranking(stats.sorts));
  return text;
}

std::string summary(const std::string& file, const ir::TermStore& store, const ir::Script& script) {
  uint64_t assertions = 0;
  uint64_t checks = 0;
  for (const ir::Command& command : script.commands) {
    assertions += command.kind == ir::CommandKind::kAssert ? 1 : 0;
    checks += ir::is_check(command.kind) ? 1 : 0;
  }
  return fmt::format("{}: ok ({}, {}, {}, {})\n", file,
                     base::counted(script.commands.size(), "command"),
                     base::counted(assertions, "assertion"), base::counted(checks, "check"),
                     base::counted(store.term_count() - 1, "term"));
}

Report failed_report(const ParseOptions& options, const std::string& file,
                     const base::Error& error) {
  Report report;
  report.failed = true;
  report.err = base::describe(error, file) + '\n';
  if (options.json) report.out = dumped(error_json(file, error)) + '\n';
  return report;
}

Report process(const ParseOptions& options, ir::TermStore& store, const std::string& path) {
  const std::string file = shown_name(path);
  const auto text = read_input(path);
  if (!text) return failed_report(options, file, text.error());
  const auto script = smtlib::parse_script(store, text->view(), {.strict = options.strict});
  if (!script) return failed_report(options, file, script.error());

  Report report;
  for (const ir::Warning& warning : script->warnings) {
    if (options.quiet) break;
    report.err += fmt::format("{}:{}:{}: warning: {}\n", file, warning.where.line,
                              warning.where.column, warning.message);
  }
  if (options.print) {
    auto printed = smtlib::print_script(store, *script);
    if (!printed) return failed_report(options, file, printed.error());
    if (options.files.size() > 1) report.out += "; " + file + "\n";
    report.out += *printed;
  }
  if (options.json) {
    report.out += dumped(stats_json(file, store, *script, script_stats(store, *script))) + '\n';
  } else if (options.stats) {
    report.out += stats_text(file, store, *script, script_stats(store, *script));
  } else if (!options.print && !options.quiet) {
    report.out += summary(file, store, *script);
  }
  return report;
}

// Files are handed out to workers in order; reports are written in order, as they get ready.
class ParseRun {
 public:
  ParseRun(const ParseOptions& options, std::shared_ptr<const ir::OpTable> ops)
      : options_(options), ops_(std::move(ops)), reports_(options.files.size()) {}

  int run() {
    const size_t workers = std::min<size_t>(options_.jobs, options_.files.size());
    std::vector<std::thread> threads = base::start_threads(workers, [this] { work(); });
    const int code = collect();
    for (std::thread& thread : threads) thread.join();
    return code;
  }

 private:
  void work() {
    ir::TermStore store(ops_);
    const ir::TermStore::Mark start = store.mark();
    for (;;) {
      const size_t i = next_++;
      if (i >= options_.files.size()) return;
      Report report;
      try {
        store.rollback(start);
        report = process(options_, store, options_.files[i]);
      } catch (const std::bad_alloc&) {
        report = failed_report(options_, shown_name(options_.files[i]),
                               {base::ErrorKind::kLimit, "out of memory", {}});
      } catch (const std::exception& error) {
        report = failed_report(options_, shown_name(options_.files[i]),
                               {base::ErrorKind::kInternal, error.what(), {}});
      }
      const std::lock_guard lock(mutex_);
      reports_[i] = std::move(report);
      reports_[i].done = true;
      ready_.notify_one();
    }
  }

  int collect() {
    bool failed = false;
    std::string content;
    for (size_t i = 0; i < reports_.size(); ++i) {
      Report report = wait_for(i);
      failed |= report.failed;
      tell("{}", report.err);
      content += report.out;
      if (options_.out == "-" && !flush(content)) failed = true;
    }
    if (options_.out != "-" && !flush(content)) failed = true;
    return failed ? kBadInput : kNothingWrong;
  }

  bool flush(std::string& content) {
    const auto written = write_output(options_.out, content);
    content.clear();
    if (!written) tell("{}: error: {}\n", shown_output(options_.out), written.error().message);
    return written.has_value();
  }

  Report wait_for(size_t i) {
    std::unique_lock lock(mutex_);
    while (!reports_[i].done) {
      if (ready_.wait_for(lock, std::chrono::seconds(2)) == std::cv_status::timeout) {
        report_progress(i);
      }
    }
    return std::move(reports_[i]);
  }

  void report_progress(size_t i) const {
    if (options_.quiet) return;
    tell("elenchus: {} of {} files read, reading {}\n", i, options_.files.size(),
         shown_name(options_.files[i]));
  }

  const ParseOptions& options_;
  std::shared_ptr<const ir::OpTable> ops_;
  std::vector<Report> reports_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
};

int run_parse(const ParseOptions& options) {
  auto ops = operators_with(options.operators);
  if (!ops) {
    tell("{}\n", base::describe(ops.error(), options.operators));
    return kBadInput;
  }
  return ParseRun(options, std::move(*ops)).run();
}

}  // namespace

void add_parse_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ParseOptions>();
  CLI::App* parse = app.add_subcommand("parse", "Read and sort-check scripts, print them back");
  parse->add_option("FILE", options->files, "SMT-LIB scripts; - is standard input")->required();
  CLI::Option* print =
      parse->add_flag("--print", options->print, "write each script back as standard SMT-LIB");
  parse->add_flag("--stats", options->stats, "say what each script consists of");
  parse->add_flag("--json", options->json, "one JSON object for each file, on a line of its own")
      ->excludes(print);
  parse->add_flag("--strict", options->strict,
                  "refuse operators, sorts and commands that Elenchus does not know");
  add_operators_with_example(*parse, options->operators);
  parse->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  parse->add_option("-j,--jobs", options->jobs, "how many files to read at once")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  add_rng(*parse, options->rng, "accepted everywhere; parse draws nothing at random")
      ->group(kHidden);
  parse->add_flag("-q,--quiet", options->quiet, "no summaries, no warnings");
  parse->footer(
      "Errors are written as FILE:LINE:COL: error: MESSAGE, and the exit code is 2.\n\n"
      "Examples:\n"
      "  elenchus parse --stats seeds/*.smt2\n"
      "  elenchus parse --print bug.smt2 | z3 -in");
  parse->callback([options, &exit_code] { exit_code = run_parse(*options); });
}

}  // namespace elenchus::cli
