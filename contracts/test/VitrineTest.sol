// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibClone} from "solady/utils/LibClone.sol";
import {MintVoucher} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";

/// @notice The forge cheat codes that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function accesses(address account) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function addr(uint256 key) external pure returns (address);
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function getChainId() external view returns (uint256 id);
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata data) external;
    function getRecordedLogs() external returns (Log[] memory);
    function load(address account, bytes32 slot) external view returns (bytes32);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function prank(address sender) external;
    function readLine(string calldata path) external view returns (string memory);
    function record() external;
    function recordLogs() external;
    function revertToState(uint256 id) external returns (bool);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotState() external returns (uint256 id);
    function startPrank(address sender) external;
    function stopPrank() external;
    function store(address account, bytes32 slot, bytes32 word) external;
    function warp(uint256 timestamp) external;
}

/// @notice Accounts, collections, vouchers and assertions for tests.
abstract contract VitrineTest {
    /// @dev A collection's terms; a field that isn't set is zero.
    struct Terms {
        bool soulbound;
        bool manualIds;
        uint64 maxSupply;
        address royaltyReceiver;
        uint16 royaltyBps;
    }

    /// @dev A transfer with a signature. On ERC-721 the amount is 1 and isn't signed.
    struct SignedTransfer {
        uint256 tokenId;
        uint256 amount;
        address from;
        address to;
        uint256 nonce;
        uint256 deadline;
    }

    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    string internal constant METADATA = "http://localhost:3000/public/v1/metadata/";
    bytes16 internal constant COLLECTION = 0x0190000000007000800000000000abcd;
    string internal constant COLLECTION_URI =
        "http://localhost:3000/public/v1/metadata/01900000-0000-7000-8000-00000000abcd";

    uint64 internal constant UNLIMITED = type(uint64).max;
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant SIGNER_KEY = 0xA11CE;
    uint256 internal constant ALICE_KEY = 0xA11;
    uint256 internal constant BOB_KEY = 0xB0B;
    uint256 internal constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    address internal signer = vm.addr(SIGNER_KEY);
    address internal owner = address(0xB0551);
    address internal minter = address(0x0FE7A);
    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = vm.addr(BOB_KEY);
    address internal outsider = address(0x57A);
    address internal seller = address(0x5E11);
    address internal platform = address(0xFEE);

    Vitrine721 internal implementation721;
    Vitrine1155 internal implementation1155;

    constructor() {
        vm.warp(NOW);
        implementation721 = new Vitrine721(METADATA);
        implementation1155 = new Vitrine1155(METADATA);
    }

    // ------------------------------------------------------------------------------------------------ collections

    function termsOf() internal pure returns (Terms memory terms) {
        terms.maxSupply = UNLIMITED;
    }

    function argsOf(Terms memory terms) internal view returns (bytes memory) {
        uint8 flags = (terms.soulbound ? 1 : 0) + (terms.manualIds ? 2 : 0);
        bytes memory people = abi.encodePacked(flags, minter, terms.maxSupply, signer, owner);
        bytes memory royalty = abi.encodePacked(terms.royaltyReceiver, terms.royaltyBps);
        return abi.encodePacked(people, COLLECTION, royalty, uint16(7), "Genesis", "GEN");
    }

    function clone721(Terms memory terms) internal returns (Vitrine721) {
        return Vitrine721(LibClone.clone(address(implementation721), argsOf(terms)));
    }

    function clone1155(Terms memory terms) internal returns (Vitrine1155) {
        return Vitrine1155(LibClone.clone(address(implementation1155), argsOf(terms)));
    }

    // --------------------------------------------------------------------------------------------------- vouchers

    /// @dev A free voucher for alice and one unit of token 1.
    function voucherOf() internal view returns (MintVoucher memory voucher) {
        voucher.minter = alice;
        voucher.quantity = 1;
        voucher.nonce = 1;
        voucher.expiry = NOW + 1 hours;
        voucher.tokenId = 1;
    }

    /// @dev The same at 1,000 wei a unit, of which 25 for the whole voucher go to the platform.
    function pricedVoucherOf() internal view returns (MintVoucher memory voucher) {
        voucher = voucherOf();
        voucher.price = 1_000;
        voucher.netRecipient = seller;
        voucher.initialRecipient = platform;
        voucher.initialRecipientAmount = 25;
    }

    /// @dev The EIP-712 digest, computed independently of the contract.
    function digestOf(address token, MintVoucher memory voucher) internal view returns (bytes32) {
        bytes32 typehash = keccak256(
            "MintVoucher(address minter,address netRecipient,address initialRecipient,uint256 initialRecipientAmount,uint256 quantity,uint256 nonce,uint256 expiry,uint256 price,uint256 tokenId,address currency)"
        );
        return digestOf(token, keccak256(abi.encodePacked(typehash, abi.encode(voucher))));
    }

    function digestOf(address token, bytes32 message) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Vitrine"),
                keccak256("1"),
                block.chainid,
                token
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, message));
    }

    function sign(address token, MintVoucher memory voucher) internal view returns (bytes memory) {
        return signWith(SIGNER_KEY, token, voucher);
    }

    function signWith(uint256 key, address token, MintVoucher memory voucher) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digestOf(token, voucher));
        return abi.encodePacked(r, s, v);
    }

    /// @dev The 64-byte form (ERC-2098).
    function signShort(address token, MintVoucher memory voucher) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, digestOf(token, voucher));
        return abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
    }

    // ------------------------------------------------------------------------------------ transfers with signatures

    /// @dev The EIP-712 digest, computed independently of the contracts.
    function transferDigestOf721(address token, SignedTransfer memory transfer) internal view returns (bytes32) {
        bytes32 typehash =
            keccak256("TransferWithSignature(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)");
        bytes memory ends = abi.encode(transfer.from, transfer.to, transfer.nonce, transfer.deadline);
        return digestOf(token, keccak256(abi.encodePacked(typehash, transfer.tokenId, ends)));
    }

    function transferDigestOf1155(address token, SignedTransfer memory transfer) internal view returns (bytes32) {
        bytes32 typehash = keccak256(
            "TransferWithSignature(uint256 tokenId,uint256 amount,address from,address to,uint256 nonce,uint256 deadline)"
        );
        return digestOf(token, keccak256(abi.encodePacked(typehash, abi.encode(transfer))));
    }

    function callOf721(SignedTransfer memory transfer, bytes memory signature) internal pure returns (bytes memory) {
        (address from, address to) = (transfer.from, transfer.to);
        return abi.encodeCall(
            Vitrine721.transferWithSignature, (transfer.tokenId, from, to, transfer.nonce, transfer.deadline, signature)
        );
    }

    function callOf1155(SignedTransfer memory transfer, bytes memory signature) internal pure returns (bytes memory) {
        (address from, address to) = (transfer.from, transfer.to);
        return abi.encodeCall(
            Vitrine1155.transferWithSignature,
            (transfer.tokenId, transfer.amount, from, to, transfer.nonce, transfer.deadline, signature)
        );
    }

    // ------------------------------------------------------------------------------------------------- assertions

    function assertTrue(bool condition) internal pure {
        require(condition, "expected true");
    }

    function assertFalse(bool condition) internal pure {
        require(!condition, "expected false");
    }

    function assertEq(uint256 actual, uint256 expected) internal pure {
        require(actual == expected, string.concat("expected ", text(expected), ", got ", text(actual)));
    }

    function assertEq(address actual, address expected) internal pure {
        assertEq(uint256(uint160(actual)), uint256(uint160(expected)));
    }

    function assertEq(bytes32 actual, bytes32 expected) internal pure {
        assertEq(uint256(actual), uint256(expected));
    }

    function assertEq(string memory actual, string memory expected) internal pure {
        require(
            keccak256(bytes(actual)) == keccak256(bytes(expected)),
            string.concat("expected ", expected, ", got ", actual)
        );
    }

    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        return low + (value % (high - low + 1));
    }

    function text(uint256 value) private pure returns (string memory) {
        bytes memory digits = new bytes(78);
        uint256 start = 78;
        do {
            digits[--start] = bytes1(uint8(48 + (value % 10)));
            value /= 10;
        } while (value != 0);
        bytes memory shown = new bytes(78 - start);
        for (uint256 i; i < shown.length; ++i) {
            shown[i] = digits[start + i];
        }
        return string(shown);
    }
}
