#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/campaign_view.h"
#include "web/campaign_json.h"
#include "web/http_server.h"

namespace elenchus::web {

// Answers what the live page asks. Nothing in a request names a file: campaigns are numbers, bugs
// are looked up in the database. Used by one thread.
class Dashboard {
 public:
  // `token`: whoever asks must have it, in the URL (?token=), as `Authorization: Bearer` or in the
  // cookie that the first answer sets; empty: nobody must.
  // `is_local`: without a token, only requests that name this machine as their host are answered,
  // so that no page from elsewhere can read the dashboard through a name that it made point here.
  static base::Result<Dashboard> open(const std::vector<std::filesystem::path>& folders,
                                      bool is_local, std::string token = {});

  Response answer(const Request& request);

  // Asked for each campaign by its folder: why what is shown may be old; empty: it is not.
  using Trouble = std::function<std::string(const std::filesystem::path&)>;
  void set_trouble(Trouble trouble) { trouble_ = std::move(trouble); }

 private:
  struct Campaign {
    std::filesystem::path folder;
    std::unique_ptr<store::CampaignView> view;  // none: could not be opened, to be tried again
    double read_at = 0;
    double written = 0;  // when its writer last wrote, as of then
    Json summary;        // as of then; null where it could not be read
    std::string error;   // why not
  };

  Dashboard() = default;

  bool has_token(const Request& request) const;
  Response answer_path(std::string_view path);
  Response answer_api(std::string_view path);
  Response answer_metrics();
  Response answer_bug(Campaign& campaign, std::string_view id);
  void refresh(Campaign& campaign);
  Json overview(size_t index);

  std::vector<Campaign> campaigns_;
  bool is_local_ = true;
  std::string token_;
  Trouble trouble_;
};

}  // namespace elenchus::web
