// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Policy} from "../IExecutor.sol";
import {FlashCallback} from "../FlashCallback.sol";
import {IMorphoBlue} from "./IMorphoBlue.sol";

/// Flash loans of Morpho Blue, which are free: for Morpho itself, and for families without their own.
abstract contract MorphoFlashLoan is FlashCallback {
    /// Zero if there is none for this policy.
    function _lender(address market) internal view virtual returns (address);

    /// The lender calls this after it has sent the loan. See IMorphoFlashLoanCallback. It collects the loan afterwards.
    function onMorphoFlashLoan(uint256 assets, bytes calldata data) external {
        Job memory job = _calledBack(data, assets, 0);
        _allow(job.policy.debt, msg.sender, assets);
    }

    function _flash(Job memory job) internal override returns (Moved memory) {
        address lender = _lender(job.policy.market);
        bytes memory data = abi.encode(job);
        _expect(lender, data);
        IMorphoBlue(lender).flashLoan(job.policy.debt, job.amount, data);
        _disallow(job.policy.debt, lender);
        return _afterCallback(job);
    }

    function _flashFee(Policy memory, uint256) internal pure override returns (uint256) {
        return 0;
    }
}
