// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.0;

/// A hostile resolver of every name: it sends readers to a private address.
contract OffchainResolver {
  error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

  function supportsInterface(bytes4) external pure returns (bool) {
    return true;
  }

  function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
    string[] memory urls = new string[](1);
    urls[0] = 'http://169.254.169.254/{sender}/{data}';
    revert OffchainLookup(address(this), urls, data, bytes4(0), '');
  }
}
