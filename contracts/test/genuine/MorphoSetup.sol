// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IMorphoBlue, MorphoMarketParams} from "../../src/morpho/IMorphoBlue.sol";
import {FamilySetup} from "../support/FamilySetup.sol";
import {Feed} from "../support/Feed.sol";

interface IMorphoFull is IMorphoBlue {
    function enableIrm(address irm) external;
    function enableLltv(uint256 lltv) external;
    function createMarket(MorphoMarketParams calldata params) external;
    function supply(
        MorphoMarketParams calldata params,
        uint256 assets,
        uint256 shares,
        address onBehalf,
        bytes calldata data
    ) external;
    function supplyCollateral(MorphoMarketParams calldata params, uint256 assets, address onBehalf, bytes calldata data)
        external;
    function borrow(
        MorphoMarketParams calldata params,
        uint256 assets,
        uint256 shares,
        address onBehalf,
        address receiver
    ) external;
    function setAuthorization(address authorized, bool isAuthorized) external;
}

/// The genuine Morpho Blue with a market of WETH against USDC, at 86 %, which the feeds price.
abstract contract MorphoSetup is FamilySetup {
    IMorphoFull internal morpho;
    MorphoMarketParams internal params;
    bytes32 internal marketId;

    function deployMorpho() internal {
        morpho = IMorphoFull(deploy("Morpho", abi.encode(address(this))));
        address irm = deploy("IrmMock", "");
        morpho.enableIrm(irm);
        morpho.enableLltv(0.86e18);
        params = MorphoMarketParams(address(usdc), address(weth), oracleOf(wethFeed), irm, 0.86e18);
        marketId = openMarket(params);
    }

    function oracleOf(Feed feed) internal returns (address) {
        return deploy("FeedOracle", abi.encode(feed, usdcFeed, 10 ** 24));
    }

    function openMarket(MorphoMarketParams memory params_) internal returns (bytes32) {
        morpho.createMarket(params_);
        usdc.mint(address(this), 1_000_000e6);
        usdc.approve(address(morpho), 1_000_000e6);
        morpho.supply(params_, 1_000_000e6, 0, address(this), "");
        return keccak256(abi.encode(params_));
    }

    /// 10 WETH, and `owed` of USDC.
    function borrowOn(MorphoMarketParams memory params_, address account, uint256 owed) internal {
        weth.mint(address(this), 10e18);
        weth.approve(address(morpho), 10e18);
        morpho.supplyCollateral(params_, 10e18, account, "");
        vm.prank(account);
        morpho.borrow(params_, owed, 0, account, account);
    }
}
