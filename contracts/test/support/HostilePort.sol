// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ISwapPort} from "../../src/ISwapPort.sol";

/// A port that pays what a test says, and before that calls whom a test says, with what the test says.
contract HostilePort is ISwapPort {
    uint256 public pays;
    /// Pays the least that it was asked for instead, and so much more or less.
    bool public paysMinimum;
    int256 public offMinimum;
    bool public givesBackHalf;
    bool public burnsGas;
    uint256 public bombBytes;

    struct Call {
        address target;
        bytes data;
        bool succeeded;
        bytes answer;
    }

    Call[] public calls;
    uint256 public swaps;
    uint256 public deadlineGiven;

    function pay(uint256 amount) external {
        pays = amount;
    }

    function payMinimum(int256 off) external {
        (paysMinimum, offMinimum) = (true, off);
    }

    function giveBackHalf() external {
        givesBackHalf = true;
    }

    function burnGas() external {
        burnsGas = true;
    }

    function bomb(uint256 size) external {
        bombBytes = size;
    }

    function willCall(address target, bytes calldata data) external {
        calls.push(Call(target, data, false, ""));
    }

    function succeeded(uint256 index) external view returns (bool) {
        return calls[index].succeeded;
    }

    function answer(uint256 index) external view returns (bytes memory) {
        return calls[index].answer;
    }

    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minOut, uint256 deadline, bytes calldata)
        external
    {
        ++swaps;
        deadlineGiven = deadline;
        for (uint256 i = 0; i < calls.length; ++i) {
            (calls[i].succeeded, calls[i].answer) = calls[i].target.call(calls[i].data);
        }
        if (burnsGas) while (true) {}
        uint256 amount = paysMinimum ? uint256(int256(minOut) + offMinimum) : pays;
        if (amount != 0) IERC20(tokenOut).transfer(msg.sender, amount);
        if (givesBackHalf) IERC20(tokenIn).transfer(msg.sender, amountIn / 2);
        uint256 size = bombBytes;
        if (size != 0) {
            assembly {
                return(0, size)
            }
        }
    }
}
