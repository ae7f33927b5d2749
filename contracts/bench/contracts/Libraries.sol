// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// Minimal tokens made with each library's own tools: an owner mints, ids count up, and vouchers of a fixed key pay a
// seller and a platform. Nothing is pausable, capped or revocable, so their figures are the lowest to expect.

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC721A} from "erc721a/contracts/ERC721A.sol";
import {ERC721 as Solady721} from "solady/src/tokens/ERC721.sol";
import {ERC1155 as Solady1155} from "solady/src/tokens/ERC1155.sol";
import {Ownable as SoladyOwnable} from "solady/src/auth/Ownable.sol";
import {EIP712 as SoladyEIP712} from "solady/src/utils/EIP712.sol";
import {ECDSA as SoladyECDSA} from "solady/src/utils/ECDSA.sol";
import {LibBitmap} from "solady/src/utils/LibBitmap.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

struct Voucher {
    address to;
    uint256 price;
    uint256 platformShare;
    uint256 nonce;
    uint256 deadline;
}

bytes32 constant VOUCHER =
    keccak256("Voucher(address to,uint256 price,uint256 platformShare,uint256 nonce,uint256 deadline)");

function hashOf(Voucher calldata v) pure returns (bytes32) {
    return keccak256(abi.encode(VOUCHER, v.to, v.price, v.platformShare, v.nonce, v.deadline));
}

abstract contract OzVouchers is Ownable, EIP712 {
    using BitMaps for BitMaps.BitMap;

    address internal immutable signer;
    address internal immutable seller;
    address internal immutable platform;
    BitMaps.BitMap internal used;

    constructor(address signer_, address seller_, address platform_) Ownable(msg.sender) EIP712("Vouchers", "1") {
        (signer, seller, platform) = (signer_, seller_, platform_);
    }

    function _use(Voucher calldata v, bytes calldata signature) internal {
        require(block.timestamp <= v.deadline && msg.value == v.price && !used.get(v.nonce));
        used.set(v.nonce);
        require(ECDSA.recover(_hashTypedDataV4(hashOf(v)), signature) == signer);
    }

    function _pay(Voucher calldata v) internal {
        if (v.price == 0) return;
        if (v.platformShare != 0) Address.sendValue(payable(platform), v.platformShare);
        Address.sendValue(payable(seller), v.price - v.platformShare);
    }
}

contract OzToken is ERC721, OzVouchers {
    uint256 public nextId = 1;

    constructor(address signer_, address seller_, address platform_)
        ERC721("Genesis", "GEN")
        OzVouchers(signer_, seller_, platform_)
    {}

    function mint(address to, uint256 quantity) external onlyOwner {
        uint256 id = nextId;
        for (uint256 i; i < quantity; ++i) {
            _mint(to, id++);
        }
        nextId = id;
    }

    function airdrop(address[] calldata to) external onlyOwner {
        uint256 id = nextId;
        for (uint256 i; i < to.length; ++i) {
            _mint(to[i], id++);
        }
        nextId = id;
    }

    function redeem(Voucher calldata v, bytes calldata signature) external payable {
        _use(v, signature);
        _mint(v.to, nextId++);
        _pay(v);
    }
}

contract AToken is ERC721A, OzVouchers {
    constructor(address signer_, address seller_, address platform_)
        ERC721A("Genesis", "GEN")
        OzVouchers(signer_, seller_, platform_)
    {}

    function _startTokenId() internal pure override returns (uint256) {
        return 1;
    }

    function mint(address to, uint256 quantity) external onlyOwner {
        _mint(to, quantity);
    }

    function airdrop(address[] calldata to) external onlyOwner {
        for (uint256 i; i < to.length; ++i) {
            _mint(to[i], 1);
        }
    }

    function redeem(Voucher calldata v, bytes calldata signature) external payable {
        _use(v, signature);
        _mint(v.to, 1);
        _pay(v);
    }
}

contract SoladyToken is Solady721, SoladyOwnable, SoladyEIP712 {
    using LibBitmap for LibBitmap.Bitmap;

    address internal immutable signer;
    address internal immutable seller;
    address internal immutable platform;
    uint256 public nextId = 1;
    LibBitmap.Bitmap internal used;

    constructor(address signer_, address seller_, address platform_) {
        _initializeOwner(msg.sender);
        (signer, seller, platform) = (signer_, seller_, platform_);
    }

    function name() public pure override returns (string memory) {
        return "Genesis";
    }

    function symbol() public pure override returns (string memory) {
        return "GEN";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Vouchers", "1");
    }

    function mint(address to, uint256 quantity) external onlyOwner {
        uint256 id = nextId;
        for (uint256 i; i < quantity; ++i) {
            _mint(to, id++);
        }
        nextId = id;
    }

    function airdrop(address[] calldata to) external onlyOwner {
        uint256 id = nextId;
        for (uint256 i; i < to.length; ++i) {
            _mint(to[i], id++);
        }
        nextId = id;
    }

    function redeem(Voucher calldata v, bytes calldata signature) external payable {
        require(block.timestamp <= v.deadline && msg.value == v.price && !used.get(v.nonce));
        used.set(v.nonce);
        require(SoladyECDSA.recoverCalldata(_hashTypedData(hashOf(v)), signature) == signer);
        _mint(v.to, nextId++);
        if (v.price == 0) return;
        if (v.platformShare != 0) SafeTransferLib.forceSafeTransferETH(platform, v.platformShare);
        SafeTransferLib.forceSafeTransferETH(seller, v.price - v.platformShare);
    }
}

/// The minimum: an owner mints ids that the caller names, so that nothing is counted.
contract SoladyBare is Solady721, SoladyOwnable {
    constructor() {
        _initializeOwner(msg.sender);
    }

    function name() public pure override returns (string memory) {
        return "Genesis";
    }

    function symbol() public pure override returns (string memory) {
        return "GEN";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id) external onlyOwner {
        _mint(to, id);
    }
}

contract OzUnits is ERC1155, Ownable {
    constructor() ERC1155("") Ownable(msg.sender) {}

    function mint(address to) external onlyOwner {
        _mint(to, 1, 1, "");
    }

    function airdrop(address[] calldata to) external onlyOwner {
        for (uint256 i; i < to.length; ++i) {
            _mint(to[i], 1, 1, "");
        }
    }
}

contract SoladyUnits is Solady1155, SoladyOwnable {
    constructor() {
        _initializeOwner(msg.sender);
    }

    function uri(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to) external onlyOwner {
        _mint(to, 1, 1, "");
    }

    function airdrop(address[] calldata to) external onlyOwner {
        for (uint256 i; i < to.length; ++i) {
            _mint(to[i], 1, 1, "");
        }
    }
}
