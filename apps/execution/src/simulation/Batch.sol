// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// Stands in for a wallet in an eth_call, by a state override of its code: makes the wallet's calls one after the other,
/// and then a last one in the state that they left. It is never deployed.
contract Batch {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    struct Result {
        bool success;
        uint256 gasUsed;
        bytes data;
    }

    /// Stops at the first call that reverts: what comes after it would be of another state than the wallet's.
    function run(Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 at = 0; at < calls.length; ++at) {
            uint256 before = gasleft();
            (bool success, bytes memory data) = calls[at].to.call{value: calls[at].value}(calls[at].data);
            results[at] = Result(success, before - gasleft(), data);
            if (!success) break;
        }
    }

    receive() external payable {}

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }
}
