// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// The amount spent within the last 24 hours, in buckets of four hours. The current bucket and the six before it cover
/// at least 24 and at most 28 hours. A limit on their sum holds within any 24 hours. A limit on calendar days would
/// permit two days' amounts around midnight.
library SpendingWindow {
    uint256 internal constant BUCKET_SECONDS = 4 hours;
    uint256 internal constant BUCKETS = 7;

    struct Bucket {
        /// The period of `amount`, in units of four hours since the epoch.
        uint64 number;
        uint192 amount;
    }

    struct Window {
        Bucket[BUCKETS] buckets;
    }

    function spent(Window storage self, uint256 timestamp) internal view returns (uint256 total) {
        uint256 current = timestamp / BUCKET_SECONDS;
        for (uint256 i = 0; i < BUCKETS; ++i) {
            Bucket memory bucket = self.buckets[i];
            if (bucket.number + BUCKETS > current) total += bucket.amount;
        }
    }

    function add(Window storage self, uint256 timestamp, uint256 amount) internal {
        uint256 current = timestamp / BUCKET_SECONDS;
        Bucket storage bucket = self.buckets[current % BUCKETS];
        uint256 before = bucket.number == current ? bucket.amount : 0;
        bucket.number = uint64(current);
        // Amounts are at most uint128 each, like the limits that they were compared with.
        bucket.amount = uint192(before + amount);
    }

    /// Subtracts an amount that was added at this timestamp and then not spent.
    function subtract(Window storage self, uint256 timestamp, uint256 amount) internal {
        self.buckets[(timestamp / BUCKET_SECONDS) % BUCKETS].amount -= uint192(amount);
    }
}
