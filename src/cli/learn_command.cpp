#include "cli/learn_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/text.h"
#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/learn_options.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "history/knowledge_file.h"
#include "history/learner.h"
#include "history/report.h"

namespace elenchus::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct LearnOptions {
  std::vector<std::string> inputs;
  std::string out;
  uint32_t support = 0;
  double confidence = 0.5;
  std::string solver;
  std::string until;
  uint32_t jobs = 1;
  uint64_t rng = 0;
  bool replace = false;
  bool no_atoms = false;
  bool dry = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

bool is_input_name(const fs::path& path) {
  constexpr std::string_view kEnds[] = {".smt2", ".smt", ".md", ".markdown", ".json"};
  return std::find(std::begin(kEnds), std::end(kEnds), path.extension().string()) !=
         std::end(kEnds);
}

base::Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    fs::recursive_directory_iterator entry(path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (is_input_name(entry->path())) found.push_back(entry->path().string());
    }
    if (error) return base::Error{base::ErrorKind::kIo, path + ": " + error.message(), {}};
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

bool is_knowledge(std::string_view text) { return text.starts_with("elenchus-history "); }

// A line on standard error now and then, once it takes long.
class Progress {
 public:
  Progress(bool is_quiet, size_t total) : is_quiet_(is_quiet), total_(total) {}

  void at(size_t done) {
    if (is_quiet_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::seconds(2);
    tell("{} of {} files\n", done, total_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_quiet_;
  size_t total_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
};

class Lessons {
 public:
  explicit Lessons(const LearnOptions& options) : options_(options), learner_(builder_) {
    if (options.no_atoms) builder_.forget_texts();
  }

  int run() {
    if (options_.json && options_.out == "-" && !options_.dry) {
      return fail({base::ErrorKind::kUnsupported,
                   "--json and the knowledge file both want standard output; give -o a file",
                   {}},
                  "elenchus learn history");
    }
    if (const auto read = read_all(); !read) return fail(read.error(), current_);
    history::Knowledge knowledge = builder_.build(settings());
    if (!options_.solver.empty() || !options_.until.empty()) {
      knowledge = history::cut(knowledge, cut_);
    }
    if (!options_.dry) {
      const auto written = replace_output(options_.out, history::print_knowledge(knowledge));
      if (!written) return fail(written.error(), options_.out);
    }
    if (options_.json) {
      put("{}\n", to_json(knowledge).dump());
    } else if (!options_.quiet) {
      show(knowledge);
    }
    return kNothingWrong;
  }

 private:
  static int fail(const base::Error& error, const std::string& file) {
    tell("{}\n", base::describe(error, shown_name(file)));
    return kBadInput;
  }

  history::RuleSettings settings() const {
    history::RuleSettings settings;
    settings.support = options_.support;
    settings.confidence = options_.confidence;
    return settings;
  }

  base::Result<void> read_all() {
    if (const auto cut = read_cut(); !cut) return cut.error();
    std::error_code error;
    if (!options_.replace && fs::is_regular_file(options_.out, error)) {
      current_ = options_.out;
      ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(current_));
      ELENCHUS_ASSIGN_OR_RETURN(const history::Knowledge old, history::read_knowledge(text.view()));
      before_ = builder_.add(old);
    }
    current_ = options_.inputs.front();
    ELENCHUS_ASSIGN_OR_RETURN(const auto files, files_of(options_.inputs));
    Progress progress(options_.quiet, files.size());
    for (const std::string& file : files) {
      current_ = file;
      if (const auto read = read_file(file); !read) return read.error();
      progress.at(static_cast<size_t>(++files_));
    }
    reports_.finish();
    learn();
    return {};
  }

  base::Result<void> read_cut() {
    cut_.solver = options_.solver;
    const std::string& until = options_.until;
    if (until.empty() || base::read_number(until, cut_.last_issue)) return {};
    cut_.last_issue = 0;
    cut_.until = until;
    const bool is_day = until.size() == 10 && until[4] == '-' && until[7] == '-';
    if (is_day) return {};
    current_ = "--until";
    return base::Error{
        base::ErrorKind::kParse, "expected a day (2021-12-24) or the number of an issue", {}};
  }

  base::Result<void> read_file(const std::string& file) {
    ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(file));
    if (is_knowledge(text.view())) {
      ELENCHUS_ASSIGN_OR_RETURN(const history::Knowledge more,
                                history::read_knowledge(text.view()));
      merged_ += builder_.add(more);
      return {};
    }
    if (const auto added = reports_.add(file, text.view()); !added) {
      constexpr uint64_t kNamed = 5;
      const bool is_named = options_.verbose || unreadable_ < kNamed;
      if (is_named) say_why(added.error(), file);
      ++unreadable_;
    }
    learn();
    return {};
  }

  void learn() {
    for (const history::Report& report : reports_.take()) {
      const auto learnt = learner_.add(report);
      if (!learnt) complain(learnt.error(), report.name);
    }
  }

  // Ill-formed inputs are to be expected; who wants to see them, asks.
  void complain(const base::Error& error, const std::string& name) const {
    if (options_.verbose) say_why(error, name);
  }

  static void say_why(const base::Error& error, const std::string& name) {
    tell("{}\n", base::describe(error, shown_name(name)));
  }

  Json to_json(const history::Knowledge& knowledge) const {
    const history::LearnCounts& counts = learner_.counts();
    return {{"files", files_},
            {"unreadable", unreadable_},
            {"unresolved", reports_.unresolved()},
            {"other_kinds", reports_.other_kinds()},
            {"inputs", counts.inputs},
            {"learnt", counts.learnt},
            {"known", counts.known},
            {"ill_formed", counts.ill_formed},
            {"empty", counts.empty},
            {"assertions", counts.assertions},
            {"large_skeletons", counts.large_skeletons},
            {"nameless_atoms", counts.nameless_atoms},
            {"merged", merged_},
            {"before", before_},
            {"lessons", knowledge.lessons.size()},
            {"skeletons", knowledge.skeletons.size()},
            {"repeated_skeletons", repeated(knowledge)},
            {"signatures", knowledge.signatures.size()},
            {"shapes", knowledge.shapes.size()},
            {"atoms", knowledge.atoms.size()},
            {"rules", knowledge.rules.size()},
            {"support", knowledge.settings.support},
            {"confidence", knowledge.settings.confidence},
            {"out", options_.dry ? "" : options_.out}};
  }

  static int64_t repeated(const history::Knowledge& knowledge) {
    const auto counts = knowledge.skeleton_counts();
    return std::count_if(counts.begin(), counts.end(), [](uint32_t count) { return count > 1; });
  }

  void show(const history::Knowledge& knowledge) const {
    const history::LearnCounts& counts = learner_.counts();
    std::string text =
        fmt::format("{}, {}: {} learnt, {} known already, {} ill-formed, {} empty\n",
                    base::counted(files_, "file"), base::counted(counts.inputs, "input"),
                    counts.learnt, counts.known, counts.ill_formed, counts.empty);
    if (unreadable_ > 0)
      text += fmt::format("{} could not be read\n", base::counted(unreadable_, "file"));
    if (reports_.unresolved() + reports_.other_kinds() > 0) {
      text += fmt::format("issues passed over: {} unresolved, {} of other kinds\n",
                          reports_.unresolved(), reports_.other_kinds());
    }
    text += fmt::format(
        "{} skeletons ({} of them in several inputs), {} signatures, {} shapes of atoms, {} atoms, "
        "{} rules\n",
        knowledge.skeletons.size(), repeated(knowledge), knowledge.signatures.size(),
        knowledge.shapes.size(), knowledge.atoms.size(), knowledge.rules.size());
    if (options_.dry) {
      text += "nothing was written\n";
    } else if (options_.out != "-") {
      text += fmt::format("{} inputs in {}\n", knowledge.lessons.size(), options_.out);
    }
    if (options_.out == "-") {
      tell_text(text);
    } else {
      put_text(text);
    }
  }

  const LearnOptions& options_;
  history::KnowledgeBuilder builder_;
  history::Learner learner_;
  history::ReportReader reports_;
  history::Cut cut_;
  std::string current_;  // the file that an error is about
  uint64_t files_ = 0;
  uint64_t unreadable_ = 0;
  uint64_t merged_ = 0;
  uint64_t before_ = 0;
};

void add_history(CLI::App& learn, int& exit_code) {
  const auto options = std::make_shared<LearnOptions>();
  CLI::App* history = learn.add_subcommand(
      "history", "Learn skeletons, atoms and association rules from bug-triggering formulas");
  history
      ->add_option("DIR", options->inputs,
                   "scripts (.smt2), issue texts (.md, with fenced blocks), what a tracker's API "
                   "gives (.json), knowledge files, and folders of these")
      ->required();
  history
      ->add_option("-o,--out", options->out,
                   "the knowledge file; what it holds already is kept; - is standard output")
      ->type_name("FILE");
  history
      ->add_option("--support", options->support,
                   "how many inputs a rule must be found in; 0: 3 of 1,000")
      ->type_name("N")
      ->check(CLI::Range(0U, 1'000'000U))
      ->capture_default_str();
  history->add_option("--confidence", options->confidence, "of a rule, at least")
      ->type_name("C")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  history->add_option("--only", options->solver, "only what comes from this solver's tracker")
      ->type_name("SOLVER");
  history
      ->add_option("--until", options->until,
                   "only what was resolved by this day, or issues up to this number")
      ->type_name("DAY|N");
  history->add_flag("--no-atoms", options->no_atoms,
                    "leave the texts of atoms out, so that nothing of the inputs is passed on");
  history->add_flag("--replace", options->replace, "forget what the file holds already");
  history->add_flag("--dry-run", options->dry, "say what would be learnt and write nothing");
  history->add_flag("--json", options->json, "the counts as one JSON object");
  history->add_flag("-v,--verbose", options->verbose,
                    "say what is wrong with each ill-formed input");
  history->add_option("-j,--jobs", options->jobs, "accepted everywhere; learning uses one thread")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->group(kHidden);
  add_rng(*history, options->rng, "accepted everywhere; nothing is drawn at random")
      ->group(kHidden);
  history->add_flag("-q,--quiet", options->quiet, "no progress, no summary");
  history->footer(
      "Learning the same input again adds nothing. Ill-formed inputs are counted and left out;\n"
      "of a tracker, only resolved issues about soundness, models and crashes are read.\n"
      "docs/history.md describes the knowledge file.\n\n"
      "Examples:\n"
      "  elenchus learn history reports/ -o bugs.history\n"
      "  elenchus learn history z3-issues.json bugs.history --only z3 --until 2021-12-24 -o "
      "old.history\n"
      "  elenchus fuzz --engine skeleton --history bugs.history");
  history->callback([options, &exit_code] {
    if (options->out.empty() && !options->dry) {
      tell("elenchus learn history: error: --out FILE or --dry-run is required\n");
      exit_code = kBadInput;
      return;
    }
    exit_code = Lessons(*options).run();
  });
}

}  // namespace

void add_learn_command(CLI::App& app, int& exit_code) {
  CLI::App* learn =
      app.add_subcommand("learn", "Learn from past bugs, or which options of a solver matter");
  learn->require_subcommand(1);
  learn->footer(
      "`elenchus help learn history` and `elenchus help learn options` explain more.\n\n"
      "Examples:\n"
      "  elenchus learn history reports/ -o bugs.history\n"
      "  elenchus learn options --solver z3 -o z3.options --time 1h");
  add_history(*learn, exit_code);
  add_learn_options(*learn, exit_code);
}

}  // namespace elenchus::cli
