#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded.h"
#include "base/result.h"
#include "record/bug.h"
#include "store/campaign_store.h"

namespace elenchus::triage {

// A bug that is reported upstream, and how to tell it. Each field that is given must fit; at least
// one of operators, location and shape is. Read from data/known/*.toml, whose first lines explain
// the fields.
struct KnownBug {
  std::string title;
  std::string reference;  // where it is reported
  std::string solver;
  std::string kind;                    // empty: any
  std::vector<std::string> versions;   // that have it; empty: all
  std::vector<std::string> operators;  // the formula has all of them
  std::string location;                // stands in the signature
  std::string shape;
};

class KnownBugs {
 public:
  // Those in data/known, part of the program, and what was added for this process. Thread-safe, and
  // what was asked for stays as it is.
  static std::shared_ptr<const KnownBugs> standard();
  static void extend_standard(const KnownBugs& more);
  // `file` is named in errors.
  static base::Result<KnownBugs> parse(std::string_view toml, const std::string& file);

  void add(const KnownBugs& more);
  std::span<const KnownBug> all() const { return bugs_; }

  // The one that a bug is, by its solver, version, kind, signature and shape; null if it is new.
  const KnownBug* find(const record::Bug& bug) const;

 private:
  std::vector<KnownBug> bugs_;
};

// Notes of all bugs in a campaign that are among these, and of which nobody knew, that they are.
base::Result<void> note_known(store::CampaignStore& store, const KnownBugs& known);

// "title (reference)".
std::string text_of(const KnownBug& bug);

}  // namespace elenchus::triage
