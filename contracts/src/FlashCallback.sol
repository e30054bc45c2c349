// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {ExecutorBase} from "./ExecutorBase.sol";

/// An outgoing call with a callback. The expected caller and data are stored before the call, and the callback consumes
/// them, so that no other call, lender or data is accepted, and none twice. Stored for one transaction only.
abstract contract FlashCallback is ExecutorBase {
    using TransientSlot for *;

    bytes32 private constant EXPECTED = keccak256("plimsoll.executor.callback.expected");
    bytes32 private constant SOLD = keccak256("plimsoll.executor.callback.sold");
    bytes32 private constant FEE = keccak256("plimsoll.executor.callback.fee");

    /// Expects `lender` to call back with `data`.
    function _expect(address lender, bytes memory data) internal {
        EXPECTED.asBytes32().tstore(_commitment(lender, data));
    }

    /// The body of every callback. `lent` is the amount according to the lender, and `fee` is its fee on top.
    function _calledBack(bytes calldata data, uint256 lent, uint256 fee) internal returns (Job memory job) {
        if (EXPECTED.asBytes32().tload() != _commitment(msg.sender, data)) revert UnexpectedCallback();
        EXPECTED.asBytes32().tstore(0);
        job = abi.decode(data, (Job));
        if (lent != job.amount) revert UnexpectedCallback();
        Moved memory moved = _unwind(job, fee);
        SOLD.asUint256().tstore(moved.sold);
        FEE.asUint256().tstore(moved.flashFee);
    }

    /// The result of the callback. Reverts when the lender did not call back.
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
