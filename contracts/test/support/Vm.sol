// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// What the tests use of forge's cheat codes (forge-std is not on npm).
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function warp(uint256 timestamp) external;
    function roll(uint256 height) external;
    function etch(address target, bytes calldata code) external;
    function label(address account, string calldata name) external;
    function readFile(string calldata path) external view returns (string memory);
    function projectRoot() external view returns (string memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata data) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function record() external;
    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function mockCall(address target, bytes calldata data, bytes calldata answer) external;
    function clearMockedCalls() external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256 id) external returns (bool);
    function chainId(uint256 id) external;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function toString(uint256 value) external pure returns (string memory);
    function deal(address account, uint256 balance) external;
}
