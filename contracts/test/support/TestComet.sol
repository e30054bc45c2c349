// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {CometAsset} from "../../src/comet/IComet.sol";
import {Feed} from "./Feed.sol";
import {TestToken} from "./TestToken.sol";

/// A stand-in for a Comet of Compound III (its bytecode is on no package registry): its rules of who may withdraw and
/// how much a position must hold, with tokens that move; interest is added by hand.
contract TestComet {
    error Unauthorized();
    error NotCollateralized();
    error BadAsset();

    TestToken public immutable baseToken;
    address public immutable baseTokenPriceFeed;
    uint256 public constant baseScale = 1e6;
    CometAsset[] private _assets;
    mapping(address => mapping(address => uint128)) private _collateral;
    mapping(address => uint256) public borrowBalanceOf;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => bool)) public isAllowed;

    constructor(TestToken base, address feed) {
        (baseToken, baseTokenPriceFeed) = (base, feed);
    }

    function list(address asset, address feed, uint64 scale, uint64 borrowFactor, uint64 liquidateFactor) external {
        _assets.push(
            CometAsset(
                uint8(_assets.length), asset, feed, scale, borrowFactor, liquidateFactor, 0.95e18, type(uint128).max
            )
        );
    }

    function allow(address manager, bool isAllowed_) external {
        isAllowed[msg.sender][manager] = isAllowed_;
    }

    function addInterest(address account, uint256 amount) external {
        borrowBalanceOf[account] += amount;
    }

    function supplyTo(address dst, address asset, uint256 amount) external {
        TestToken(asset).transferFrom(msg.sender, address(this), amount);
        if (asset != address(baseToken)) {
            _collateral[dst][asset] += uint128(amount);
            return;
        }
        uint256 repaid = amount < borrowBalanceOf[dst] ? amount : borrowBalanceOf[dst];
        borrowBalanceOf[dst] -= repaid;
        balanceOf[dst] += amount - repaid;
    }

    function withdrawFrom(address src, address to, address asset, uint256 amount) external {
        if (src != msg.sender && !isAllowed[src][msg.sender]) revert Unauthorized();
        if (asset == address(baseToken)) {
            uint256 own = amount < balanceOf[src] ? amount : balanceOf[src];
            balanceOf[src] -= own;
            borrowBalanceOf[src] += amount - own;
        } else {
            _collateral[src][asset] -= uint128(amount);
        }
        if (!_isCollateralized(src)) revert NotCollateralized();
        TestToken(asset).transfer(to, amount);
    }

    function numAssets() external view returns (uint8) {
        return uint8(_assets.length);
    }

    function getAssetInfo(uint8 index) public view returns (CometAsset memory) {
        return _assets[index];
    }

    function getAssetInfoByAddress(address asset) external view returns (CometAsset memory) {
        for (uint8 i = 0; i < _assets.length; ++i) {
            if (_assets[i].asset == asset) return _assets[i];
        }
        revert BadAsset();
    }

    function getPrice(address feed) public view returns (uint256) {
        return uint256(Feed(feed).latestAnswer());
    }

    function userCollateral(address account, address asset) external view returns (uint128, uint128) {
        return (_collateral[account][asset], 0);
    }

    function _isCollateralized(address account) private view returns (bool) {
        uint256 weighted;
        for (uint256 i = 0; i < _assets.length; ++i) {
            CometAsset memory info = _assets[i];
            uint256 worth = (_collateral[account][info.asset] * getPrice(info.priceFeed)) / info.scale;
            weighted += (worth * info.borrowCollateralFactor) / 1e18;
        }
        return weighted >= (borrowBalanceOf[account] * getPrice(baseTokenPriceFeed)) / baseScale;
    }
}
