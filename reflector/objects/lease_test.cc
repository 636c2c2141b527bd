#include "reflector/objects/lease.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace lease_test {

constexpr const char* kLease =
    R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l","namespace":"n"},
        "spec":{"acquireTime":"2026-01-01T00:00:00.000000Z","holderIdentity":"","leaseDurationSeconds":15,
          "leaseTransitions":0,"preferredHolder":"b","renewTime":"2026-01-01T00:00:10.000000Z",
          "strategy":"OldestEmulationVersion"}})";

TEST(Lease, IsReadAndWritten) {
  const TypedRef<Lease> lease = testing::ReadTyped<Lease>(kLease);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->spec.holder_identity, "");
  EXPECT_EQ(lease->spec.lease_duration_seconds, 15);
  EXPECT_EQ(lease->spec.renew_time, "2026-01-01T00:00:10.000000Z");
  nlohmann::json out;
  to_json(out, *lease);
  EXPECT_EQ(out, nlohmann::json::parse(kLease));
  EXPECT_EQ(testing::ReadTyped<Lease>("{}")->spec.holder_identity, std::nullopt);
  EXPECT_EQ(Lease::GetResource().Path("n", "l"),
            "/apis/coordination.k8s.io/v1/namespaces/n/leases/l");
}

}  // namespace lease_test
}  // namespace relist::objects
