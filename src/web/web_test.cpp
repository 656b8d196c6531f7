// The page and the dashboard over synthetic campaigns.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "store/synthetic_campaign.h"
#include "store/test_campaign.h"
#include "web/campaign_json.h"
#include "web/dashboard.h"
#include "web/page.h"
#include "web/running_time.h"
#include "web/series.h"

namespace elenchus::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kEnd = 1'700'000'000;

std::filesystem::path made(const store::TestFolder& home, const store::SyntheticCampaign& wish) {
  const std::filesystem::path folder = home.path() / "night";
  EXPECT_OK(store::make_campaign(folder, wish));
  return folder;
}

// Of CPU time, which other programs do not stretch.
double seconds_of(const std::function<void()>& act) {
  const std::clock_t start = std::clock();
  act();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

uint64_t sum(const Json& column) {
  uint64_t total = 0;
  for (const Json& value : column) total += value.get<uint64_t>();
  return total;
}

TEST(RunningTime, LeavesOutTheTimeBetweenSessions) {
  std::vector<store::SessionRecord> sessions(2);
  sessions[0].start = 100;
  sessions[0].last = 150;
  sessions[1].start = 1000;
  sessions[1].last = 1030;
  const RunningTime running(sessions);
  EXPECT_EQ(running.at(90), 0);
  EXPECT_EQ(running.at(120), 20);
  EXPECT_EQ(running.at(500), 50);
  EXPECT_EQ(running.at(1010), 60);
  EXPECT_EQ(running.at(5000), 80);
}

TEST(PlotStep, IsNeverFinerThanTheDatabase) {
  EXPECT_EQ(plot_step(0), 10);
  EXPECT_EQ(plot_step(1800), 10);
  EXPECT_GE(plot_step(2 * 3600.0 + 1), 60);
  EXPECT_GE(plot_step(48 * 3600.0 + 1), 600);
  EXPECT_LE(7 * 86400 / plot_step(7 * 86400.0), 200);
  EXPECT_LE(100 * 86400 / plot_step(100 * 86400.0), 200);
}

TEST(CampaignJson, SeriesAddUpToTheTotals) {
  const store::TestFolder home;
  const auto folder = made(home, {.bugs = 5, .hours = 0.5, .end = kEnd});
  const auto view = store::CampaignView::open(folder);
  ASSERT_OK(view);
  const auto json = campaign_json(**view);
  ASSERT_OK(json);
  const Json& totals = (*json)["totals"];
  const Json& series = (*json)["series"];
  EXPECT_GT(totals["tests"].get<uint64_t>(), 0u);
  for (const char* name : {"tests", "accepted", "decided"}) {
    EXPECT_EQ(sum(series[name]), totals[name].get<uint64_t>()) << name;
  }
  uint64_t runs = 0;
  for (const Json& column : series["outcomes"]) runs += sum(column);
  EXPECT_EQ(runs, totals["runs"].get<uint64_t>());
  uint64_t by_folder = 0;
  for (const Json& row : (*json)["folders"]) by_folder += row["tests"].get<uint64_t>();
  EXPECT_EQ(by_folder, totals["tests"].get<uint64_t>());
  EXPECT_EQ((*json)["folders"][0]["seeds"], 2);
  EXPECT_EQ((*json)["folders"][0]["dropped"], 1);
  EXPECT_EQ((*json)["bugs"].size(), 5u);
  EXPECT_EQ((*json)["name"], "night");
  EXPECT_EQ((*json)["running"], false);
  EXPECT_EQ(series["keys"]["z3"].size(), series["time"].size());
  const Json overview = overview_json(*json);
  EXPECT_EQ(overview["tests_by"].back()[1], totals["tests"]);
}

TEST(CampaignJson, BugsThatAreKnownUpstreamAreMarked) {
  const store::TestFolder home;
  const auto store = store::CampaignStore::create(home.path() / "known", "");
  ASSERT_OK(store);
  for (const char* known : {"", "remainders (#1)"}) {
    store::Finding finding;
    finding.manifest.kind = "crash";
    finding.manifest.solver = "z3";
    finding.manifest.signature = std::string("crash z3: ") + known;
    finding.manifest.known = known;
    ASSERT_OK((*store)->add_finding(finding));
  }
  const auto json = campaign_json((*store)->view());
  ASSERT_OK(json);
  EXPECT_EQ((*json)["bugs"][0]["known"], false);
  EXPECT_EQ((*json)["bugs"][1]["known"], true);
}

TEST(CampaignJson, AnEmptyCampaignIsShownToo) {
  const store::TestFolder home;
  ASSERT_OK(store::CampaignStore::create(home.path() / "empty", ""));
  const auto view = store::CampaignView::open(home.path() / "empty");
  ASSERT_OK(view);
  const auto page = report_page({view->get()});
  ASSERT_OK(page);
  EXPECT_THAT(*page, HasSubstr("\"keys\":{}"));
  EXPECT_THAT(*page, HasSubstr("\"engines\":{}"));
}

TEST(Report, NothingFromACampaignIsMarkup) {
  const store::TestFolder home;
  const auto folder = made(home, {.bugs = 3, .hours = 0.1, .end = kEnd, .hostile = true});
  const auto view = store::CampaignView::open(folder);
  ASSERT_OK(view);
  const auto page = report_page({view->get()});
  ASSERT_OK(page);
  EXPECT_THAT(*page, Not(HasSubstr("<script>document")));
  EXPECT_THAT(*page, Not(HasSubstr("<img")));
  EXPECT_THAT(*page, HasSubstr("\\u003cscript\\u003edocument"));
  // The page's own script never makes markup of text, and loads nothing.
  EXPECT_THAT(std::string(page_script()), Not(HasSubstr("innerHTML")));
  EXPECT_THAT(std::string(page_script()), Not(HasSubstr("insertAdjacent")));
  EXPECT_THAT(*page, Not(HasSubstr("https://")));
  EXPECT_THAT(*page, Not(HasSubstr("src=\"")));
}

TEST(Report, AFieldOfTheTemplateInTheDataStaysAsItIs) {
  EXPECT_EQ(json_for_html("\"</script>&\""), "\"\\u003c/script\\u003e\\u0026\"");
  const store::TestFolder home;
  const auto store = store::CampaignStore::create(home.path() / "c", "");
  ASSERT_OK(store);
  ASSERT_OK((*store)->add_event(store::Severity::kNote, "", "{{script}}"));
  const auto page = report_page({&(*store)->view()});
  ASSERT_OK(page);
  EXPECT_THAT(*page, HasSubstr("{{script}}"));
}

TEST(Report, ABugWhoseFolderIsGoneDoesNotHideTheOthers) {
  const store::TestFolder home;
  const auto folder = made(home, {.bugs = 2, .hours = 0.1, .end = kEnd});
  const auto view = store::CampaignView::open(folder);
  ASSERT_OK(view);
  const auto bugs = (*view)->bugs();
  ASSERT_OK(bugs);
  std::filesystem::remove_all(folder / "bugs" / bugs->front().id);
  const auto page = report_page({view->get()});
  ASSERT_OK(page);
  EXPECT_THAT(*page, HasSubstr("cannot be read"));
  EXPECT_THAT(*page, HasSubstr("the witness satisfies every assertion"));
}

class DashboardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = made(home_, {.bugs = 3, .hours = 0.1, .end = kEnd});
    auto opened = Dashboard::open({folder_, folder_}, true);
    ASSERT_OK(opened);
    dashboard_.emplace(std::move(*opened));
  }

  Response get(const std::string& path, const std::string& host = "localhost:1") {
    return dashboard_->answer({path, host});
  }
  std::string first_bug() {
    return Json::parse(get("/api/campaign/0").body)["bugs"][0]["id"].get<std::string>();
  }

  store::TestFolder home_;
  std::filesystem::path folder_;
  std::optional<Dashboard> dashboard_;
};

TEST_F(DashboardTest, AnswersWhatThePageAsks) {
  EXPECT_THAT(get("/").body, HasSubstr("<title>Elenchus"));
  EXPECT_EQ(get("/page.js").body, page_script());
  EXPECT_EQ(get("/page.css").body, page_style());
  const Json campaigns = Json::parse(get("/api/campaigns").body);
  ASSERT_EQ(campaigns.size(), 2u);
  EXPECT_EQ(campaigns[1]["bugs"], 3);
  EXPECT_EQ(Json::parse(get("/api/campaign/1").body)["index"], 1);
  const Json bug = Json::parse(get("/api/campaign/0/bug/" + first_bug()).body);
  EXPECT_EQ(bug["id"], first_bug());
  EXPECT_EQ(bug["files"][0]["name"], "reduced.smt2");
}

TEST_F(DashboardTest, NoPathNamesAFile) {
  const std::string id = first_bug();
  for (const std::string path :
       {"/../campaign.toml", "/campaign.toml", "/api/campaign/0/bug/../../campaign.toml",
        "/api/campaign/0/bug/..%2f..%2fcampaign.toml", "/api/campaign/0/bug/", "/api/campaign/2",
        "/api/campaign/-1", "/api/campaign/99999999999999999999999", "/api/campaign/0/bugs",
        "/api/campaign/", "/api/", "", "/api/campaign/0/bug/%00", "/api/campaign/0/bug/%"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
  EXPECT_EQ(get("/api/campaign/0/bug/" + id + "/../" + id).status, 404);
  // The start of an id is for people at a terminal.
  EXPECT_EQ(get("/api/campaign/0/bug/" + id.substr(0, id.size() - 1)).status, 404);
}

TEST_F(DashboardTest, AnotherNameOfThisMachineIsRefused) {
  EXPECT_EQ(get("/", "127.0.0.1:8137").status, 200);
  EXPECT_EQ(get("/", "[::1]:8137").status, 200);
  EXPECT_EQ(get("/", "evil.example").status, 403);
  EXPECT_EQ(get("/api/campaigns", "localhost.evil.example:8137").status, 403);
}

TEST_F(DashboardTest, NodesAreAsOldAsTheyAreAndNotAsTheyWereWritten) {
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  Json nodes = Json::array();
  for (const auto& [name, seen, ended] :
       {std::tuple("alive", now, false), std::tuple("dead", now - 36, false),
        std::tuple("done", now - 3, true)}) {
    nodes.push_back({{"name", name},
                     {"seen", seen},
                     {"ended", ended},
                     {"tests", 5},
                     {"tests_per_second", 7},
                     {"load", 3}});
  }
  std::ofstream(folder_ / "nodes.json") << nodes.dump();
  const Json campaign = Json::parse(get("/api/campaign/0").body);
  ASSERT_EQ(campaign["nodes"].size(), 3u);
  EXPECT_EQ(campaign["nodes"][0]["standing"], "alive");
  EXPECT_EQ(campaign["nodes"][1]["standing"], "stalled");
  EXPECT_GE(campaign["nodes"][1]["silent"].get<double>(), 36);
  EXPECT_EQ(campaign["nodes"][2]["standing"], "ended");
  const std::string metrics = get("/metrics").body;
  for (const auto& [name, up, speed, load] :
       {std::tuple("alive", 1, 7, 3), std::tuple("dead", 0, 0, 0), std::tuple("done", 0, 0, 0)}) {
    const auto sample = [&](const char* metric, int value) {
      return ::testing::ContainsRegex(
          fmt::format("{}[{{][^\n]*node=\"{}\"[}}] {}\n", metric, name, value));
    };
    EXPECT_THAT(metrics, sample("elenchus_node_up", up));
    EXPECT_THAT(metrics, sample("elenchus_node_tests_per_second", speed));
    EXPECT_THAT(metrics, sample("elenchus_node_load", load));
    EXPECT_THAT(metrics, sample("elenchus_node_tests_total", 5));
  }
}

TEST_F(DashboardTest, SaysWhyWhatIsShownMayBeOld) {
  EXPECT_EQ(Json::parse(get("/api/campaign/0").body)["trouble"], "");
  dashboard_->set_trouble([&](const std::filesystem::path& folder) {
    EXPECT_EQ(folder, folder_);
    return "the server is away";
  });
  EXPECT_EQ(Json::parse(get("/api/campaign/0").body)["trouble"], "the server is away");
}

// tests/e2e/page_test.py has a thousand bugs and a week. The limits leave room for sanitizers.
TEST(Quickness, ManyBugsAndADay) {
  const store::TestFolder home;
  const auto folder = made(home, {.bugs = 200, .hours = 12, .end = kEnd});
  auto dashboard = Dashboard::open({folder}, true);
  ASSERT_OK(dashboard);
  Response response;
  const double first = seconds_of([&] { response = dashboard->answer({"/api/campaign/0", ""}); });
  const Json campaign = Json::parse(response.body);
  EXPECT_EQ(campaign["bugs"].size(), 200u);
  EXPECT_LE(campaign["series"]["time"].size(), 200u);
  EXPECT_LT(response.body.size(), 2'000'000u);
  EXPECT_LT(first, 5);
  const auto id = campaign["bugs"][100]["id"].get<std::string>();
  const double bug = seconds_of([&] {
    response = dashboard->answer({"/api/campaign/0/bug/" + id, ""});
  });
  EXPECT_EQ(response.status, 200);
  EXPECT_LT(bug, 2);
  const auto view = store::CampaignView::open(folder);
  ASSERT_OK(view);
  const double page = seconds_of([&] { EXPECT_OK(report_page({view->get()})); });
  EXPECT_LT(page, 10);
  RecordProperty("campaign_ms", static_cast<int>(first * 1000));
  RecordProperty("bug_ms", static_cast<int>(bug * 1000));
  RecordProperty("report_ms", static_cast<int>(page * 1000));
}

}  // namespace
}  // namespace elenchus::web
