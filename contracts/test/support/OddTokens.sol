// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {TestToken} from "./TestToken.sol";

/// A hundredth of every transfer stays with the token, once it is switched on.
contract FeeToken is TestToken {
    bool public taxed;

    constructor() TestToken("FEE", 6) {}

    function tax() external {
        taxed = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 kept = taxed && from != address(0) && to != address(0) ? value / 100 : 0;
        super._update(from, to, value - kept);
        if (kept != 0) super._update(from, address(this), kept);
    }
}

/// Balances change by themselves: at every transfer that it is told to, `target` gains or loses.
contract RebasingToken is TestToken {
    address public target;
    int256 public change;

    constructor() TestToken("REBASE", 6) {}

    function rebase(address target_, int256 change_) external {
        (target, change) = (target_, change_);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (change > 0) super._update(address(0), target, uint256(change));
        if (change < 0 && balanceOf(target) >= uint256(-change)) super._update(target, address(0), uint256(-change));
    }
}

/// Answers no transfer and no approval with a word, as USDT, and wants an allowance to be zero before another.
contract SilentToken {
    string public constant name = "SILENT";
    string public constant symbol = "SILENT";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "zero first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// Says false, and moves nothing, once it is switched on.
contract FalseToken is TestToken {
    bool public broken;

    constructor() TestToken("FALSE", 6) {}

    function breakIt() external {
        broken = true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return broken ? false : super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return broken ? false : super.transferFrom(from, to, amount);
    }
}

/// Refuses to send to whom it has on its list.
contract BlacklistToken is TestToken {
    error Blacklisted(address account);

    mapping(address => bool) public listed;

    constructor() TestToken("BLACK", 6) {}

    function blacklist(address account) external {
        listed[account] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (listed[to]) revert Blacklisted(to);
        super._update(from, to, value);
    }
}

/// Calls whom it is told to within every transfer, as tokens with hooks do.
contract HookToken is TestToken {
    address public target;
    bytes public data;
    uint256 public entered;
    uint256 public refusals;
    bytes public lastRefusal;

    constructor() TestToken("HOOK", 6) {}

    function hook(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (target == address(0)) return;
        (bool done, bytes memory answer) = target.call(data);
        if (done) ++entered;
        else (refusals, lastRefusal) = (refusals + 1, answer);
    }
}
