// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {ExecutorBase} from "./ExecutorBase.sol";

/// A call out that comes back. What is expected to come back, and from whom, is written down before the call and used
/// up by the callback, so that no other call, lender or data can enter, and none twice. Held for a transaction only.
abstract contract FlashCallback is ExecutorBase {
    using TransientSlot for *;

    bytes32 private constant EXPECTED = keccak256("plimsoll.executor.callback.expected");
    bytes32 private constant SOLD = keccak256("plimsoll.executor.callback.sold");
    bytes32 private constant FEE = keccak256("plimsoll.executor.callback.fee");

    /// Expects `lender` to call back with `data`.
    function _expect(address lender, bytes memory data) internal {
        EXPECTED.asBytes32().tstore(_commitment(lender, data));
    }

    /// The inside of every callback. `lent` is what the lender says that it lent; `fee` is what it wants on top.
    function _calledBack(bytes calldata data, uint256 lent, uint256 fee) internal returns (Job memory job) {
        if (EXPECTED.asBytes32().tload() != _commitment(msg.sender, data)) revert UnexpectedCallback();
        EXPECTED.asBytes32().tstore(0);
        job = abi.decode(data, (Job));
        if (lent != job.amount) revert UnexpectedCallback();
        Moved memory moved = _unwind(job, fee);
        SOLD.asUint256().tstore(moved.sold);
        FEE.asUint256().tstore(moved.flashFee);
    }

    /// What the callback did. Reverts when the lender did not call back.
    function _afterCallback(Job memory job) internal view returns (Moved memory moved) {
        if (EXPECTED.asBytes32().tload() != 0) revert UnexpectedCallback();
        moved.repaid = job.amount;
        moved.sold = SOLD.asUint256().tload();
        moved.flashFee = FEE.asUint256().tload();
    }

    function _commitment(address lender, bytes memory data) private pure returns (bytes32) {
        return keccak256(abi.encode(lender, data));
    }
}
