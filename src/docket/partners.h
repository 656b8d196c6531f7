#pragma once

#include <string>

namespace elenchus::docket {

// The other nodes of a shared campaign, who may have the same suspicions. Whoever is asked or told
// waits for nobody: the docket's lock is held meanwhile.
class Partners {
 public:
  virtual ~Partners() = default;

  // Whether suspicions of this look may be prosecuted here, now.
  virtual bool may_take(const std::string& look) = 0;
  // Whether nothing more will come from others or be granted by them, for now.
  virtual bool has_no_more() = 0;

  // What became of a suspicion of this look: it counts for the bug of this signature; it does not
  // show again; nobody here can do anything for it.
  virtual void settled(const std::string& look, const std::string& bug) = 0;
  virtual void given_up(const std::string& look) = 0;
  virtual void set_aside(const std::string& look) = 0;
};

}  // namespace elenchus::docket
