// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DsProxy} from "./Accounts.sol";
import {Token} from "./Token.sol";

/// Stand-in for the vat, the jug and the spotter of dss, with the spot of the spotter.
/// Setters for many vaults; calls that log themselves as those of the vat do.
contract MakerVat {
    uint256 constant RAY = 1e27;
    struct Ilk {
        uint256 art;
        uint256 rate;
        uint256 spot;
        uint256 duty;
        uint256 rho;
        uint256 mat;
    }
    struct Urn {
        uint256 ink;
        uint256 art;
    }

    event LogNote(bytes4 indexed sig, bytes32 indexed arg1, bytes32 indexed arg2, bytes32 indexed arg3, bytes data) anonymous;

    /// The call, cut or filled up to 224 bytes.
    modifier note() {
        bytes memory data = new bytes(224);
        bytes32[3] memory args;
        assembly {
            calldatacopy(add(data, 32), 0, 224)
            calldatacopy(args, 4, 96)
        }
        emit LogNote(msg.sig, args[0], args[1], args[2], data);
        _;
    }

    mapping(bytes32 => Ilk) internal own;
    mapping(bytes32 => mapping(address => Urn)) public urns;

    /// @param price with 18 decimals, as a pip peeks it
    function file(bytes32 ilk, uint256 rate, uint256 duty, uint256 mat, uint256 price) external {
        own[ilk] = Ilk(0, rate, (price * 1e9 * RAY) / mat, duty, block.timestamp, mat);
    }

    function set(bytes32 ilk, address[] calldata owners, uint256[] calldata inks, uint256[] calldata arts) external {
        for (uint256 i = 0; i < owners.length; i++) {
            urns[ilk][owners[i]] = Urn(inks[i], arts[i]);
            own[ilk].art += arts[i];
        }
    }

    function add(bytes32 ilk, address urn, int256 dink, int256 dart) internal {
        urns[ilk][urn].ink = uint256(int256(urns[ilk][urn].ink) + dink);
        urns[ilk][urn].art = uint256(int256(urns[ilk][urn].art) + dart);
        own[ilk].art = uint256(int256(own[ilk].art) + dart);
    }

    function frob(bytes32 ilk, address urn, address, address, int256 dink, int256 dart) external note {
        add(ilk, urn, dink, dart);
    }

    function fork(bytes32 ilk, address from, address to, int256 dink, int256 dart) external note {
        add(ilk, from, -dink, -dart);
        add(ilk, to, dink, dart);
    }

    function grab(bytes32 ilk, address urn, address, address, int256 dink, int256 dart) external note {
        add(ilk, urn, dink, dart);
    }

    function ilks(bytes32 ilk) external view returns (uint256 art, uint256 rate, uint256 spot, uint256 line, uint256 dust) {
        return (own[ilk].art, own[ilk].rate, own[ilk].spot, 0, 0);
    }

    function feeOf(bytes32 ilk) external view returns (uint256 duty, uint256 rho, uint256 mat) {
        return (own[ilk].duty, own[ilk].rho, own[ilk].mat);
    }
}

contract MakerJug {
    MakerVat immutable vat;
    uint256 public constant base = 0;

    constructor(MakerVat vat_) {
        vat = vat_;
    }

    function ilks(bytes32 ilk) external view returns (uint256 duty, uint256 rho) {
        (duty, rho, ) = vat.feeOf(ilk);
    }
}

contract MakerSpotter {
    MakerVat immutable vat;
    uint256 public constant par = 1e27;

    constructor(MakerVat vat_) {
        vat = vat_;
    }

    function ilks(bytes32 ilk) external view returns (address pip, uint256 mat) {
        (, , mat) = vat.feeOf(ilk);
    }
}

/// The dog: liquidations raise the debt times chop.
contract MakerDog {
    function ilks(bytes32) external pure returns (address clip, uint256 chop, uint256 hole, uint256 dirt) {
        return (address(0), 1.13e18, 0, 0);
    }
}

/// Stand-in for the CDP manager with GetCdps, the proxy registry and the ilk registry. An urn is its vault's number here.
contract MakerManager {
    MakerVat immutable vat;
    mapping(address => uint256[]) vaults;
    mapping(uint256 => bytes32) ilkOf;
    mapping(address => DsProxy) public proxies;
    mapping(bytes32 => Token) public gem;
    mapping(bytes32 => address) public join;
    bytes32[] ilkList;
    uint256 last;
    mapping(uint256 => address) public owns;

    event NewCdp(address indexed usr, address indexed own, uint256 indexed cdp);

    constructor(MakerVat vat_) {
        vat = vat_;
    }

    function cdpi() external view returns (uint256) {
        return last;
    }

    function urns(uint256 id) public pure returns (address) {
        return address(uint160(id));
    }

    /// A vault of an owner, and the first move of it.
    function openVault(bytes32 ilk, address owner) external {
        ilkOf[++last] = ilk;
        owns[last] = owner;
        vaults[owner].push(last);
        emit NewCdp(msg.sender, owner, last);
    }

    function give(uint256 id, address owner) external {
        owns[id] = owner;
    }

    function frob(uint256 id, int256 dink, int256 dart) external {
        vat.frob(ilkOf[id], urns(id), urns(id), urns(id), dink, dart);
    }

    function setGem(bytes32 ilk, Token token) external {
        gem[ilk] = token;
        join[ilk] = address(uint160(uint256(keccak256(abi.encode(ilk)))));
        ilkList.push(ilk);
    }

    function list() external view returns (bytes32[] memory) {
        return ilkList;
    }

    function dec(bytes32 ilk) external view returns (uint256) {
        return gem[ilk].decimals();
    }

    function build(address[] calldata users) external {
        for (uint256 i = 0; i < users.length; i++) proxies[users[i]] = new DsProxy(users[i]);
    }

    function open(bytes32 ilk, bool byProxy, address[] calldata users, uint256[] calldata inks, uint256[] calldata arts) external {
        address[] memory owners = new address[](users.length);
        for (uint256 i = 0; i < users.length; i++) {
            ilkOf[++last] = ilk;
            if (address(gem[ilk]) != address(0)) gem[ilk].hold(join[ilk], inks[i]);
            owners[i] = address(uint160(last));
            vaults[byProxy ? address(proxies[users[i]]) : users[i]].push(last);
        }
        vat.set(ilk, owners, inks, arts);
    }

    function getCdpsAsc(
        address,
        address owner
    ) external view returns (uint256[] memory ids, address[] memory urns, bytes32[] memory ilks) {
        ids = vaults[owner];
        urns = new address[](ids.length);
        ilks = new bytes32[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) (urns[i], ilks[i]) = (address(uint160(ids[i])), ilkOf[ids[i]]);
    }

    /// An ilk whose collateral no join holds.
    function setJoinless(bytes32 ilk, Token token) external {
        gem[ilk] = token;
        ilkList.push(ilk);
    }
}

/// Stand-in for the Cropper: the urn proxies of a CropJoin, by user.
contract MakerCropper {
    mapping(address => address) public proxy;

    function setProxy(address user, address urn) external {
        proxy[user] = urn;
    }
}

/// Stand-in for an engine of lockstake: whose its urns are, and how much is staked in all of them. It is its own receipt.
contract MakerEngine {
    MakerVat immutable vat;
    bytes32 public immutable ilk;
    Token public immutable usds;
    uint256 public totalSupply;
    mapping(address => uint256) public ownerUrnsCount;
    mapping(address => mapping(uint256 => address)) public ownerUrns;
    mapping(address => address) public urnOwners;

    constructor(MakerVat vat_, bytes32 ilk_, Token usds_) {
        (vat, ilk, usds) = (vat_, ilk_, usds_);
    }

    function open(address[] calldata users, uint256[] calldata inks, uint256[] calldata arts) external {
        address[] memory urns = new address[](users.length);
        for (uint256 i = 0; i < users.length; i++) {
            uint256 index = ownerUrnsCount[users[i]]++;
            urns[i] = address(uint160(uint256(keccak256(abi.encode(this, users[i], index)))));
            ownerUrns[users[i]][index] = urns[i];
            urnOwners[urns[i]] = users[i];
            totalSupply += inks[i];
        }
        vat.set(ilk, urns, inks, arts);
    }

    /// Stakes and borrows, or pays back and frees.
    function frob(address urn, int256 dink, int256 dart) external {
        vat.frob(ilk, urn, urn, address(this), dink, dart);
    }
}

/// The first engine staked MKR, the second stakes SKY: their receipts have names of their own.
contract MakerEngineOfMkr is MakerEngine {
    constructor(MakerVat vat_, bytes32 ilk_, Token usds_) MakerEngine(vat_, ilk_, usds_) {}

    function lsmkr() external view returns (address) {
        return address(this);
    }
}

contract MakerEngineOfSky is MakerEngine {
    constructor(MakerVat vat_, bytes32 ilk_, Token usds_) MakerEngine(vat_, ilk_, usds_) {}

    function lssky() external view returns (address) {
        return address(this);
    }
}
