// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {AaveV3Executor} from "../src/aave/AaveV3Executor.sol";
import {CometExecutor} from "../src/comet/CometExecutor.sol";
import {CompoundV2Executor} from "../src/compound/CompoundV2Executor.sol";
import {MorphoBlueExecutor} from "../src/morpho/MorphoBlueExecutor.sol";
import {Test} from "./support/Test.sol";

/// The tests let Venus be larger than Ethereum takes; ours must not be.
contract ContractSizesTest is Test {
    uint256 private constant LIMIT = 24_576;

    function test_every_executor_can_be_deployed_on_ethereum() public {
        address[] memory none = new address[](0);
        yes(address(new AaveV3Executor(address(1), none, address(0))).code.length <= LIMIT, "Aave v3");
        yes(address(new MorphoBlueExecutor(address(1), none, address(0))).code.length <= LIMIT, "Morpho Blue");
        yes(address(new CometExecutor(address(1), none, address(0), address(0))).code.length <= LIMIT, "Comet");
        yes(
            address(new CompoundV2Executor(address(1), none, address(0), address(0))).code.length <= LIMIT,
            "Compound v2"
        );
    }
}
