#include "share/address.h"

#include <gtest/gtest.h>

namespace elenchus::share {
namespace {

TEST(Address, KnowsUrlsFromFolders) {
  EXPECT_TRUE(is_address("postgresql://db/fuzz"));
  EXPECT_TRUE(is_address("postgres://db/fuzz"));
  EXPECT_FALSE(is_address("night"));
  EXPECT_FALSE(is_address("./postgresql:"));
}

TEST(Address, TakesTheCampaignOut) {
  for (const char* url : {"postgresql://db/fuzz?campaign=night&sslmode=require",
                          "postgresql://db/fuzz?sslmode=require&campaign=night"}) {
    const auto address = parse_address(url);
    ASSERT_TRUE(address.has_value()) << address.error().message;
    EXPECT_EQ(address->campaign, "night");
    EXPECT_EQ(address->url, "postgresql://db/fuzz?sslmode=require");
    EXPECT_EQ(address->shown(), "db/fuzz");
  }
  const auto only = parse_address("postgresql://db/fuzz?campaign=night");
  ASSERT_TRUE(only.has_value());
  EXPECT_EQ(only->url, "postgresql://db/fuzz");
  EXPECT_FALSE(parse_address("postgresql://db/fuzz?campaign=a/b").has_value());
}

TEST(Address, RefusesPasswordsWithoutRepeatingThem) {
  for (const char* url :
       {"postgresql://me:s3cret@db/fuzz", "postgresql://db/fuzz?password=s3cret",
        "postgresql://db/fuzz?sslpassword=s3cret", "postgresql://me:s3cret@[db/fuzz",
        "postgresql://me:s3cret@db/fuzz?nonsense=1", "postgresql://db/f?password=s3cret&no=1",
        "postgresql://me:s3cret/x@db/fuzz", "postgresql://me:s3cret?x@db/fuzz"}) {
    const auto address = parse_address(url);
    ASSERT_FALSE(address.has_value()) << url;
    EXPECT_EQ(address.error().message.find("s3cret"), std::string::npos) << address.error().message;
  }
}

TEST(Address, HidesPasswordsInAnyText) {
  EXPECT_EQ(redacted("cannot reach postgresql://me:s3@db/x: no"),
            "cannot reach postgresql://me:***@db/x: no");
  EXPECT_EQ(redacted("postgresql://me:a@b@db:5432/x"), "postgresql://me:***@db:5432/x");
  EXPECT_EQ(redacted("postgresql://me@db:5432/x?password=s3&a=b"),
            "postgresql://me@db:5432/x?password=***&a=b");
  EXPECT_EQ(redacted("nothing to hide"), "nothing to hide");
}

}  // namespace
}  // namespace elenchus::share
