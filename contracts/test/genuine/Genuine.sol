// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Test} from "../support/Test.sol";

/// Deploys contracts as their protocols published them (tools/contracts/genuine.cjs writes the files).
abstract contract Genuine is Test {
    function deploy(string memory name, bytes memory args) internal returns (address deployed) {
        bytes memory code = bytes.concat(codeOf(name), args);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        yes(deployed != address(0), name);
        vm.label(deployed, name);
    }

    function deployAt(string memory name, address target) internal {
        vm.etch(target, deploy(name, "").code);
    }

    function codeOf(string memory name) private view returns (bytes memory) {
        string memory file = string.concat(vm.projectRoot(), "/.local/contracts/genuine/", name, ".json");
        return vm.parseJsonBytes(vm.readFile(file), ".code");
    }
}
