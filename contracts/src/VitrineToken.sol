// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EIP712} from "solady/utils/EIP712.sol";
import {LibClone} from "solady/utils/LibClone.sol";
import {LibString} from "solady/utils/LibString.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

/// @notice A signed permission to mint, which its sender pays for. Anyone may send it.
/// @param minter The account that gets the token, whoever sends the voucher.
/// @param netRecipient The payee of price × quantity less `initialRecipientAmount`.
/// @param initialRecipient The payee of `initialRecipientAmount`.
/// @param initialRecipientAmount In the currency's smallest unit, for the whole voucher; at most price × quantity.
/// @param quantity The number of units; always 1 on ERC-721.
/// @param nonce Unique in the contract and good for one use. On ERC-721 at most 2^95 - 2.
/// @param expiry Unix time in seconds; the voucher is valid up to and including this second.
/// @param price The price of one unit, in the currency's smallest unit; 0 means that nobody is paid anything.
/// @param tokenId The token's id.
/// @param currency An ERC-20, or the zero address for the network's own coin.
struct MintVoucher {
    address minter;
    address netRecipient;
    address initialRecipient;
    uint256 initialRecipientAmount;
    uint256 quantity;
    uint256 nonce;
    uint256 expiry;
    uint256 price;
    uint256 tokenId;
    address currency;
}

/// @title The base of both token contracts
/// @notice Terms, roles, royalties, metadata URIs, vouchers and the signatures of transfers.
/// @dev Every contract of a collection is a minimal clone. Its terms are bytes after the clone's code:
///
///     offset  bytes
///          0      1  flags: 1 soulbound, 2 token ids are given by hand
///          1     20  minter
///         21      8  max supply, all ones for none
///         29     20  signer
///         49     20  owner
///         69     16  collection id (a UUID)
///         85     20  royalty receiver
///        105      2  royalty in basis points
///        107      2  length of the name in bytes
///        109      …  name, then symbol up to the end
///
/// What can change later is in one word, `_config`, so that a mint reads a single slot for it:
///
///       bits
///          0  vouchers are paused
///          1  roles are in storage, and the terms' minter and signer are no longer valid
///          2  the owner is in storage
///          3  the royalty is in storage
///          4  the base URI is locked
///     16-79   units minted so far, where they are counted
///     80-143  the changed max supply's bitwise complement; 0 means that the terms' max supply is valid
///    144-255  the range of chunks that may have owner blobs (`Vitrine721`), else free
abstract contract VitrineToken is EIP712 {
    /// @notice The role that mints, and changes settings on the owner's behalf.
    uint256 public constant MINTER = 1;
    /// @notice The role whose signature makes a voucher valid.
    uint256 public constant SIGNER = 2;

    /// @dev Flags of the terms' first word (see `_terms`).
    uint256 internal constant SOULBOUND = 1 << 248;
    uint256 internal constant MANUAL_IDS = 2 << 248;

    /// @dev Flags and positions of the config word.
    uint256 internal constant VOUCHERS_PAUSED = 1 << 0;
    uint256 internal constant ROLES_STORED = 1 << 1;
    uint256 internal constant OWNER_STORED = 1 << 2;
    uint256 internal constant ROYALTY_STORED = 1 << 3;
    uint256 internal constant BASE_URI_LOCKED = 1 << 4;
    uint256 internal constant MINTED_SHIFT = 16;
    uint256 internal constant CAP_SHIFT = 80;
    uint256 internal constant NO_CAP = type(uint64).max;

    /// @dev The number of bytes of a clone's code before its terms.
    uint256 internal constant ARGS_START = 0x2d;

    /// @dev Gas forwarded to a payee: enough for a wallet's receive function, and a bound on what a hostile payee can
    /// cost the voucher's sender.
    uint256 private constant PAYEE_GAS = 100_000;
    /// @dev Gas for a contract's answer whether a signature is valid: enough for wallets that verify a passkey's
    /// signature (P-256) in Solidity, and a bound on what a hostile wallet can cost whoever sends its signature.
    uint256 private constant SIGNATURE_GAS = 500_000;

    /// @dev The EIP-712 type hash of a voucher.
    bytes32 private constant VOUCHER_TYPEHASH = keccak256(
        "MintVoucher(address minter,address netRecipient,address initialRecipient,uint256 initialRecipientAmount,uint256 quantity,uint256 nonce,uint256 expiry,uint256 price,uint256 tokenId,address currency)"
    );

    /// @dev The constant words of the EIP-712 domain: its type hash, keccak256("Vitrine") and keccak256("1").
    uint256 private constant DOMAIN_TYPEHASH = 0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f;
    uint256 private constant DOMAIN_NAME_HASH = 0x58be7e112c26f3cc591b52fcd981f5dbff47916c6bd142280377372905f4e6c3;
    uint256 private constant DOMAIN_VERSION_HASH = 0xc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6;

    /// @dev Half of the order of secp256k1. A signature with `s` above it is the second form of another signature.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Emitted when the owner changes (ERC-173); the zero address as new owner means that there is none any
    /// more.
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    /// @notice Emitted when `setRoles` sets an account's roles.
    /// @param roles The sum of MINTER (1) and SIGNER (2); 0 means none.
    event RolesSet(address indexed account, uint256 roles);
    /// @notice Emitted when the collection's max supply is lowered.
    event MaxSupplySet(uint256 maxSupply);
    /// @notice Emitted when `setVouchersPaused` is called.
    event VouchersPausedSet(bool paused);
    /// @notice Emitted when a voucher is cancelled. On ERC-721 it cancels all vouchers of the token with lower nonces
    /// too.
    event VoucherCancelled(uint256 indexed tokenId, uint256 indexed nonce);
    /// @notice Emitted by a transfer with a signature. The contract's next log is the transfer itself.
    event TransferNonceUsed(address indexed from, uint256 indexed nonce, uint256 indexed tokenId);
    /// @notice Emitted when an account cancels a nonce of its transfers with a signature.
    event TransferNonceCancelled(address indexed from, uint256 indexed nonce);
    /// @notice Emitted when the collection's royalty is set.
    /// @param basisPoints Hundredths of a percent of the sale price.
    event DefaultRoyaltySet(address receiver, uint256 basisPoints);
    /// @notice Emitted when a token's own royalty is set, or unset: then both values are zero.
    /// @param basisPoints Hundredths of a percent of the sale price.
    event TokenRoyaltySet(uint256 indexed tokenId, address receiver, uint256 basisPoints);
    /// @notice Emitted when the base URI is set; an empty one means the default.
    event BaseURISet(string baseURI);
    /// @notice Emitted when the base URI is locked.
    event BaseURILocked(string baseURI);
    /// @notice Emitted when the base URI is set, as the collection's metadata URI follows from it (ERC-7572).
    event ContractURIUpdated();

    /// @notice Thrown when the sender doesn't have the role, or isn't the account, that the function requires.
    error Unauthorized();
    /// @notice Thrown when ownership is transferred to the zero address.
    error OwnerIsZeroAddress();
    /// @notice Thrown when the roles to set aren't a sum of MINTER (1) and SIGNER (2).
    error UnknownRole();
    /// @notice Thrown when a mint would exceed the max supply of the collection or of the token.
    error MaxSupplyReached();
    /// @notice Thrown when a max supply is set that isn't below the present one.
    error MaxSupplyNotLower();
    /// @notice Thrown when a max supply is set that is below the number already minted.
    error MaxSupplyBelowMinted();
    /// @notice Thrown when the base URI is set after it was locked.
    error BaseURIIsLocked();
    /// @notice Thrown when a royalty above 10,000 basis points (the whole price) is set.
    error RoyaltyTooHigh();
    /// @notice Thrown when a royalty above 0 is set with the zero address as its receiver.
    error RoyaltyReceiverMissing();
    /// @notice Thrown when a voucher is redeemed while vouchers are paused.
    error VouchersArePaused();
    /// @notice Thrown when a voucher is redeemed in a block later than its expiry.
    error VoucherIsExpired();
    /// @notice Thrown when the value sent with a voucher isn't exactly what is due in the network's coin.
    /// @param expectedValue The value to send, in wei: price × quantity, or 0 when the voucher's currency is an ERC-20.
    error WrongPayment(uint256 expectedValue);
    /// @notice Thrown when a redeemed voucher's `initialRecipientAmount` exceeds price × quantity.
    error InitialRecipientAmountTooHigh();
    /// @notice Thrown when a payee of an amount above 0 is the zero address or this contract.
    error WrongPayee();
    /// @notice Thrown when a voucher's signature is malformed, isn't of this voucher, or isn't by an account that has
    /// SIGNER.
    error InvalidSignature();
    /// @notice Thrown when a transfer with a signature is sent in a block later than its deadline.
    error TransferIsExpired();
    /// @notice Thrown when the signature of a transfer is malformed, isn't of this transfer, or isn't by the account
    /// that the token is transferred from.
    error TransferIsNotSigned();
    /// @notice Thrown when a nonce is used or cancelled that the account has used or cancelled before.
    error TransferNonceIsUsed();
    /// @notice Thrown when a token of a soulbound collection is to be transferred or approved.
    error TokenIsSoulbound();
    /// @notice Thrown when the packed bytes of a batch don't have the documented form.
    error WrongPacking();
    /// @notice Thrown when a range of ids ends before it starts or contains an id that the function doesn't accept.
    error WrongRange();

    /// @dev A contract whose code is the text that every default base URI begins with, as a string can't be immutable.
    address private immutable PREFIX;

    /// @dev The config word; the contract's notes have its layout.
    uint256 internal _config;
    /// @dev Valid when `OWNER_STORED` is set.
    address private _storedOwner;
    /// @dev Valid when `ROYALTY_STORED` is set: the receiver << 16 | basis points.
    uint256 private _storedRoyalty;
    /// @dev Empty means the default.
    string private _storedBaseURI;
    /// @dev Valid when `ROLES_STORED` is set.
    mapping(address account => uint256) private _roles;
    /// @dev The receiver << 16 | basis points; 0 means the collection's royalty.
    mapping(uint256 tokenId => uint256) private _tokenRoyalties;
    /// @dev Each account's bitmap of the nonces that it used or cancelled; see `_mark`.
    mapping(address from => mapping(uint256 bucket => uint256)) private _usedTransferNonces;

    /// @param metadataPrefix The text before the collection's id in the default base URI, with a slash at its end.
    constructor(string memory metadataPrefix) {
        PREFIX = SSTORE2.write(bytes(metadataPrefix));
    }

    // ------------------------------------------------------------------------------------------------------ terms

    /// @dev 32 bytes of the clone's terms from `offset` on, filled up with zeros beyond their end.
    function _argument(uint256 offset) internal view returns (uint256 word) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, add(ARGS_START, offset), 0x20)
            word := mload(0x00)
        }
    }

    /// @dev The terms' first word: flags, minter and max supply, which every mint needs.
    function _terms() internal view returns (uint256) {
        return _argument(0);
    }

    /// @dev The same and the terms' signer, which a voucher also needs, with a single `extcodecopy`.
    function _termsAndSigner() internal view returns (uint256 terms, address defaultSigner) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, ARGS_START, 0x40)
            terms := mload(0x00)
            defaultSigner := shr(96, mload(29))
        }
    }

    /// @dev The minter of the terms, valid until `ROLES_STORED` is set.
    function _defaultMinter(uint256 terms) private pure returns (address) {
        return address(uint160(terms >> 88));
    }

    /// @dev The signer of the terms, valid until `ROLES_STORED` is set.
    function _defaultSigner() private view returns (address) {
        return address(uint160(_argument(29) >> 96));
    }

    function _name() internal view returns (string memory) {
        uint256 length = _argument(107) >> 240;
        return string(LibClone.argsOnClone(address(this), 109, 109 + length));
    }

    function _symbol() internal view returns (string memory) {
        uint256 length = _argument(107) >> 240;
        return string(LibClone.argsOnClone(address(this), 109 + length));
    }

    /// @notice The id (a UUID) of the collection that this contract belongs to.
    function collectionId() public view returns (bytes16) {
        return bytes16(bytes32(_argument(69)));
    }

    /// @notice Whether tokens can't be transferred or approved. They can be burnt.
    function soulbound() public view returns (bool) {
        return _terms() & SOULBOUND != 0;
    }

    /// @dev The EIP-712 domain, for solady's `eip712Domain` (ERC-5267).
    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Vitrine", "1");
    }

    // ------------------------------------------------------------------------------------------------------ roles

    /// @notice The account that may set roles and transfer ownership; the zero address when ownership was renounced.
    function owner() public view returns (address) {
        if (_config & OWNER_STORED != 0) return _storedOwner;
        return address(uint160(_argument(49) >> 96));
    }

    /// @notice The account's roles: the sum of MINTER (1) and SIGNER (2).
    function rolesOf(address account) external view returns (uint256 roles) {
        uint256 config = _config;
        if (_hasRole(config, account, MINTER)) roles |= MINTER;
        if (_hasRole(config, account, SIGNER)) roles |= SIGNER;
    }

    /// @notice Sets the roles of `account` to exactly `roles`. Only for the owner.
    /// @dev The first call copies the terms' minter and signer to storage, where each of them can then be replaced.
    /// Reverts with `Unauthorized` and `UnknownRole`. Emits `RolesSet`.
    /// @param roles The sum of MINTER (1) and SIGNER (2); 0 withdraws both.
    function setRoles(address account, uint256 roles) external {
        if (msg.sender != owner()) revert Unauthorized();
        if (roles > (MINTER | SIGNER)) revert UnknownRole();
        uint256 config = _config;
        if (config & ROLES_STORED == 0) {
            _config = config | ROLES_STORED;
            _roles[_defaultMinter(_terms())] |= MINTER;
            _roles[_defaultSigner()] |= SIGNER;
        }
        _roles[account] = roles;
        emit RolesSet(account, roles);
    }

    /// @notice Makes `newOwner` the owner. Only for the owner.
    /// @dev Reverts with `OwnerIsZeroAddress` and `Unauthorized`. Emits `OwnershipTransferred`.
    function transferOwnership(address newOwner) external {
        if (newOwner == address(0)) revert OwnerIsZeroAddress();
        _setOwner(newOwner);
    }

    /// @notice Leaves the contract without an owner, permanently: roles can't change any more. Only for the owner.
    /// @dev Reverts with `Unauthorized`. Emits `OwnershipTransferred`.
    function renounceOwnership() external {
        _setOwner(address(0));
    }

    function _setOwner(address newOwner) private {
        address previousOwner = owner();
        if (msg.sender != previousOwner) revert Unauthorized();
        _config |= OWNER_STORED;
        _storedOwner = newOwner;
        emit OwnershipTransferred(previousOwner, newOwner);
    }

    /// @dev Whether `account` has `role`, which is either MINTER or SIGNER.
    function _hasRole(uint256 config, address account, uint256 role) internal view returns (bool) {
        if (config & ROLES_STORED != 0) return _roles[account] & role != 0;
        return account == (role == MINTER ? _defaultMinter(_terms()) : _defaultSigner());
    }

    /// @dev Reverts with `Unauthorized` unless the sender has MINTER.
    function _checkMinter(uint256 config, uint256 terms) internal view {
        bool allowed =
            config & ROLES_STORED == 0 ? msg.sender == _defaultMinter(terms) : _roles[msg.sender] & MINTER != 0;
        if (!allowed) revert Unauthorized();
    }

    /// @dev Reverts with `Unauthorized` unless the sender is the owner or has MINTER, which changes settings on the
    /// owner's behalf.
    modifier onlyManager() {
        if (!_hasRole(_config, msg.sender, MINTER) && msg.sender != owner()) revert Unauthorized();
        _;
    }

    // ----------------------------------------------------------------------------------------------------- supply

    /// @notice How many units the whole collection may ever have, burnt ones included; 2^64 - 1 means any number. Of an
    /// ERC-721 collection with automatic ids it is the highest id.
    function maxSupply() public view returns (uint256) {
        return _cap(_config, _terms());
    }

    /// @dev Lowers the collection's max supply. Reverts with `MaxSupplyNotLower`, and with `MaxSupplyBelowMinted` when
    /// it would be below `minted`.
    function _lowerMaxSupply(uint256 newMaxSupply, uint256 minted) internal {
        uint256 config = _config;
        if (newMaxSupply >= _cap(config, _terms())) revert MaxSupplyNotLower();
        if (newMaxSupply < minted) revert MaxSupplyBelowMinted();
        uint256 inverted = NO_CAP - newMaxSupply;
        _config = (config & ~(NO_CAP << CAP_SHIFT)) | (inverted << CAP_SHIFT);
        emit MaxSupplySet(newMaxSupply);
    }

    /// @dev The max supply, `NO_CAP` for none.
    function _cap(uint256 config, uint256 terms) internal pure returns (uint256) {
        uint256 inverted = uint64(config >> CAP_SHIFT);
        return inverted == 0 ? uint64(terms >> 24) : NO_CAP - inverted;
    }

    /// @dev The number of units minted, burnt ones included; 0 where they aren't counted.
    function _minted(uint256 config) internal pure returns (uint256) {
        return uint64(config >> MINTED_SHIFT);
    }

    // -------------------------------------------------------------------------------------------------- royalties

    /// @notice The royalty of a sale (ERC-2981): the token's own where it has one, else the collection's. Also for
    /// tokens that don't exist.
    /// @param salePrice In any currency's smallest unit.
    /// @return receiver The zero address when there is no royalty.
    /// @return amount In the unit of `salePrice`, rounded down.
    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 amount) {
        uint256 royalty = _tokenRoyalties[tokenId];
        if (royalty == 0) royalty = _defaultRoyalty();
        uint256 basisPoints = uint16(royalty);
        receiver = address(uint160(royalty >> 16));
        // In two parts, so that no price overflows.
        amount = (salePrice / 10_000) * basisPoints + ((salePrice % 10_000) * basisPoints) / 10_000;
    }

    /// @notice Sets the collection's royalty; the zero address with 0 means none. For the owner and accounts that have
    /// MINTER.
    /// @dev Reverts with `Unauthorized`, `RoyaltyTooHigh` and `RoyaltyReceiverMissing`. Emits `DefaultRoyaltySet`.
    /// @param basisPoints Hundredths of a percent of the sale price, at most 10,000.
    function setDefaultRoyalty(address receiver, uint256 basisPoints) external onlyManager {
        _storedRoyalty = _packRoyalty(receiver, basisPoints);
        _config |= ROYALTY_STORED;
        emit DefaultRoyaltySet(receiver, basisPoints);
    }

    /// @notice Sets one token's royalty; the zero address with 0 restores the collection's. For the owner and accounts
    /// that have MINTER.
    /// @dev Reverts with `Unauthorized`, `RoyaltyTooHigh` and `RoyaltyReceiverMissing`. Emits `TokenRoyaltySet`.
    /// @param basisPoints Hundredths of a percent of the sale price, at most 10,000.
    function setTokenRoyalty(uint256 tokenId, address receiver, uint256 basisPoints) external onlyManager {
        _tokenRoyalties[tokenId] = _packRoyalty(receiver, basisPoints);
        emit TokenRoyaltySet(tokenId, receiver, basisPoints);
    }

    function _defaultRoyalty() private view returns (uint256) {
        if (_config & ROYALTY_STORED != 0) return _storedRoyalty;
        // The terms have receiver and basis points in the order of a stored royalty.
        return _argument(85) >> 80;
    }

    function _packRoyalty(address receiver, uint256 basisPoints) private pure returns (uint256) {
        if (basisPoints > 10_000) revert RoyaltyTooHigh();
        if (receiver == address(0) && basisPoints != 0) revert RoyaltyReceiverMissing();
        return (uint256(uint160(receiver)) << 16) | basisPoints;
    }

    // --------------------------------------------------------------------------------------------------- metadata

    /// @notice The URI to which a token's id is appended.
    function baseURI() public view returns (string memory) {
        string memory stored = _storedBaseURI;
        if (bytes(stored).length != 0) return stored;
        return LibString.concat(_defaultContractURI(), "/");
    }

    /// @notice The URI of the collection's own metadata (ERC-7572): the base URI without a slash at its end.
    function contractURI() external view returns (string memory) {
        string memory stored = _storedBaseURI;
        uint256 length = bytes(stored).length;
        if (length == 0) return _defaultContractURI();
        return bytes(stored)[length - 1] == "/" ? LibString.slice(stored, 0, length - 1) : stored;
    }

    /// @notice Whether the base URI was locked, permanently.
    function baseURILocked() external view returns (bool) {
        return _config & BASE_URI_LOCKED != 0;
    }

    /// @notice Changes the base URI, to which a token's id is appended; an empty one restores the default. For the
    /// owner and accounts that have MINTER.
    /// @dev Reverts with `Unauthorized` and `BaseURIIsLocked`. Emits `BaseURISet` and `ContractURIUpdated`.
    function setBaseURI(string calldata newBaseURI) public virtual onlyManager {
        if (_config & BASE_URI_LOCKED != 0) revert BaseURIIsLocked();
        _storedBaseURI = newBaseURI;
        emit BaseURISet(newBaseURI);
        emit ContractURIUpdated();
    }

    /// @notice Locks the base URI permanently. For the owner and accounts that have MINTER.
    /// @dev Reverts with `Unauthorized`. Emits `BaseURILocked`.
    function lockBaseURI() external onlyManager {
        _config |= BASE_URI_LOCKED;
        emit BaseURILocked(baseURI());
    }

    function _tokenURI(uint256 id) internal view returns (string memory) {
        return LibString.concat(baseURI(), LibString.toString(id));
    }

    function _defaultContractURI() private view returns (string memory) {
        return LibString.concat(string(SSTORE2.read(PREFIX)), _hyphenated(collectionId()));
    }

    /// @dev A UUID in its canonical form: 8-4-4-4-12 lower-case hexadecimal digits.
    function _hyphenated(bytes16 uuid) private pure returns (string memory) {
        bytes memory digits = "0123456789abcdef";
        bytes memory text = new bytes(36);
        uint256 length;
        for (uint256 i; i < 16; ++i) {
            if (i == 4 || i == 6 || i == 8 || i == 10) text[length++] = "-";
            text[length++] = digits[uint8(uuid[i]) >> 4];
            text[length++] = digits[uint8(uuid[i]) & 15];
        }
        return string(text);
    }

    // --------------------------------------------------------------------------------------------------- vouchers

    /// @notice Whether vouchers are paused, so that none can be redeemed.
    function vouchersPaused() external view returns (bool) {
        return _config & VOUCHERS_PAUSED != 0;
    }

    /// @notice Pauses or resumes minting with vouchers; other mints aren't affected. For the owner and accounts that
    /// have MINTER.
    /// @dev Reverts with `Unauthorized`. Emits `VouchersPausedSet`.
    function setVouchersPaused(bool paused) external onlyManager {
        _config = paused ? _config | VOUCHERS_PAUSED : _config & ~VOUCHERS_PAUSED;
        emit VouchersPausedSet(paused);
    }

    /// @notice The EIP-712 digest that an account with SIGNER signs for `voucher`. It depends on this contract's
    /// address and the chain id.
    function voucherDigest(MintVoucher calldata voucher) public view returns (bytes32 digest) {
        uint256 position;
        assembly ("memory-safe") {
            position := voucher
        }
        digest = _digest(VOUCHER_TYPEHASH, position, 0x140);
    }

    /// @dev Reverts unless the voucher is valid and paid for. Whether it was used is checked elsewhere.
    /// @param total Price × quantity, in the currency's smallest unit.
    function _checkVoucher(
        uint256 config,
        address defaultSigner,
        MintVoucher calldata voucher,
        bytes calldata signature,
        uint256 total
    ) internal view {
        if (config & VOUCHERS_PAUSED != 0) revert VouchersArePaused();
        if (block.timestamp > voucher.expiry) revert VoucherIsExpired();
        uint256 expectedValue = voucher.currency == address(0) ? total : 0;
        if (msg.value != expectedValue) revert WrongPayment(expectedValue);
        if (voucher.initialRecipientAmount > total) revert InitialRecipientAmountTooHigh();
        _checkSignature(config, defaultSigner, voucher, signature);
    }

    /// @dev Reverts unless the signature is valid and the sender may cancel the voucher. The signature alone isn't
    /// enough, because others than the voucher's minter may know it.
    function _checkCanceller(MintVoucher calldata voucher, bytes calldata signature) internal view {
        uint256 config = _config;
        _checkSignature(config, _defaultSigner(), voucher, signature);
        bool allowed = msg.sender == voucher.minter || _hasRole(config, msg.sender, MINTER)
            || _hasRole(config, msg.sender, SIGNER) || msg.sender == owner();
        if (!allowed) revert Unauthorized();
    }

    /// @dev Reverts with `InvalidSignature` unless an account that has SIGNER signed the voucher. 64 bytes (ERC-2098)
    /// or 65 are a key's signature. More are the address of a contract and the signature for its `isValidSignature`
    /// (ERC-1271).
    function _checkSignature(
        uint256 config,
        address defaultSigner,
        MintVoucher calldata voucher,
        bytes calldata signature
    ) private view {
        bytes32 digest = voucherDigest(voucher);
        address signer;
        if (signature.length > 65) {
            signer = address(bytes20(signature[:20]));
            if (!_isSignedByContract(signer, digest, signature[20:])) revert InvalidSignature();
        } else {
            if (signature.length < 64) revert InvalidSignature();
            signer = _recover(digest, signature);
        }
        bool allowed = config & ROLES_STORED == 0 ? signer == defaultSigner : _roles[signer] & SIGNER != 0;
        if (!allowed || signer == address(0)) revert InvalidSignature();
    }

    /// @dev Pays both payees. Called after minting, so that a payee that reenters can't affect the mint. The coin
    /// reaches a payee that refuses it or burns its gas, so no payee can block a sale. An ERC-20 goes from the sender
    /// directly to the payees. Nothing stays in this contract.
    function _payOut(MintVoucher calldata voucher, uint256 total) internal {
        if (total == 0) return;
        address currency;
        address initialRecipient;
        address netRecipient;
        assembly ("memory-safe") {
            netRecipient := calldataload(add(voucher, 0x20))
            initialRecipient := calldataload(add(voucher, 0x40))
            currency := calldataload(add(voucher, 0x120))
        }
        uint256 initialAmount = voucher.initialRecipientAmount;
        if (initialAmount != 0) _pay(currency, initialRecipient, initialAmount);
        unchecked {
            // `_checkVoucher` has checked that the amount is at most the total.
            if (initialAmount != total) _pay(currency, netRecipient, total - initialAmount);
        }
    }

    /// @dev Pays one payee. Reverts with `WrongPayee`, and with solady's `TransferFromFailed` when the ERC-20 doesn't
    /// pay.
    function _pay(address currency, address payee, uint256 amount) private {
        assembly ("memory-safe") {
            if iszero(mul(shl(96, payee), xor(payee, address()))) {
                mstore(0x00, 0x0efb6726) // WrongPayee()
                revert(0x1c, 0x04)
            }
            if iszero(shl(96, currency)) {
                if iszero(call(PAYEE_GAS, payee, amount, 0x00, 0x00, 0x00, 0x00)) {
                    // A contract that self-destructs in its constructor sends its coin to the payee without a call.
                    mstore(0x00, payee)
                    mstore8(0x0b, 0x73) // push20
                    mstore8(0x20, 0xff) // selfdestruct
                    if iszero(create(amount, 0x0b, 0x16)) { revert(0x00, 0x00) }
                }
            }
        }
        if (currency != address(0)) SafeTransferLib.safeTransferFrom(currency, msg.sender, payee, amount);
    }

    // ------------------------------------------------------------------------------------ transfers with signatures

    /// @notice Whether `from` has used or cancelled this nonce of its transfers with a signature.
    function transferNonceUsed(address from, uint256 nonce) external view returns (bool) {
        return _isMarked(_usedTransferNonces[from], nonce);
    }

    /// @notice Cancels the sender's transfers that are signed with this nonce, also those that it signs later.
    /// @dev Reverts with `TransferNonceIsUsed`. Emits `TransferNonceCancelled`.
    function cancelTransferNonce(uint256 nonce) external {
        if (!_mark(_usedTransferNonces[msg.sender], nonce)) revert TransferNonceIsUsed();
        emit TransferNonceCancelled(msg.sender, nonce);
    }

    /// @dev Reverts unless `from` signed this transfer and it may be made now, and uses up its nonce. Only for
    /// functions whose arguments begin with the fields of the signed message, in their order: the calldata is then
    /// already their EIP-712 encoding. Reverts with `TokenIsSoulbound`, `TransferNonceIsUsed`, `TransferIsExpired` and
    /// `TransferIsNotSigned`. Emits `TransferNonceUsed`.
    /// @param typehash The EIP-712 type hash of the message.
    /// @param fields The number of its fields.
    function _useSignedTransfer(
        bytes32 typehash,
        uint256 fields,
        uint256 tokenId,
        address from,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) internal {
        if (soulbound()) revert TokenIsSoulbound();
        // The nonce is checked first: a transfer that was made is always refused as used, not as expired.
        if (!_mark(_usedTransferNonces[from], nonce)) revert TransferNonceIsUsed();
        if (block.timestamp > deadline) revert TransferIsExpired();
        if (!_isSignedBy(from, _digest(typehash, 4, fields * 0x20), signature)) revert TransferIsNotSigned();
        emit TransferNonceUsed(from, nonce, tokenId);
    }

    /// @dev Asks a receiving contract to accept a token. It accepts by answering with the selector of the call, of
    /// which only one word is copied, however long the answer is.
    /// @param data The encoded call.
    function _isAccepted(address receiver, bytes memory data) internal returns (bool accepted) {
        assembly ("memory-safe") {
            mstore(0x00, 0)
            accepted := call(gas(), receiver, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            accepted := and(accepted, eq(mload(0x00), shl(224, shr(224, mload(add(data, 0x20))))))
        }
    }

    // -------------------------------------------------------------------------------------- used numbers, signatures

    /// @dev Marks a number as used in a bitmap, in which bit n of bucket b stands for 256 × b + n.
    /// @return wasUnused Whether it wasn't used before.
    function _mark(mapping(uint256 bucket => uint256) storage bitmap, uint256 number)
        internal
        returns (bool wasUnused)
    {
        uint256 bit = 1 << (number & 255);
        uint256 used = bitmap[number >> 8];
        wasUnused = used & bit == 0;
        if (wasUnused) bitmap[number >> 8] = used | bit;
    }

    /// @dev Whether a number is marked as used in a bitmap.
    function _isMarked(mapping(uint256 bucket => uint256) storage bitmap, uint256 number) internal view returns (bool) {
        return bitmap[number >> 8] & (1 << (number & 255)) != 0;
    }

    /// @dev The EIP-712 digest of a message whose fields are words of the calldata, which are already its encoding.
    /// Dirty bits outside a field's type give a digest that nobody signed. The domain has the clone's address, so its
    /// hash can't be a constant.
    /// @param position The calldata offset of the fields.
    /// @param length Their length in bytes.
    function _digest(bytes32 typehash, uint256 position, uint256 length) private view returns (bytes32 digest) {
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, typehash)
            calldatacopy(add(m, 0x20), position, length)
            let structHash := keccak256(m, add(length, 0x20))
            mstore(m, DOMAIN_TYPEHASH)
            mstore(add(m, 0x20), DOMAIN_NAME_HASH)
            mstore(add(m, 0x40), DOMAIN_VERSION_HASH)
            mstore(add(m, 0x60), chainid())
            mstore(add(m, 0x80), address())
            let domain := keccak256(m, 0xa0)
            mstore(m, shl(240, 0x1901))
            mstore(add(m, 0x02), domain)
            mstore(add(m, 0x22), structHash)
            digest := keccak256(m, 0x42)
        }
    }

    /// @dev Whether `account` signed `digest`: its key with 64 (ERC-2098) or 65 bytes, or the account as a contract
    /// (ERC-1271). The key of an account that has delegated code (EIP-7702) is valid, as it may make any call.
    function _isSignedBy(address account, bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (account == address(0)) return false;
        if (signature.length == 64 || signature.length == 65) {
            if (_recover(digest, signature) == account) return true;
        }
        return _isSignedByContract(account, digest, signature);
    }

    /// @dev Whether a contract says that the signature is its own (ERC-1271).
    function _isSignedByContract(address account, bytes32 digest, bytes calldata signature)
        private
        view
        returns (bool isValid)
    {
        assembly ("memory-safe") {
            let m := mload(0x40)
            let selector := shl(224, 0x1626ba7e) // isValidSignature(bytes32,bytes)
            mstore(m, selector)
            mstore(add(m, 0x04), digest)
            mstore(add(m, 0x24), 0x40)
            mstore(add(m, 0x44), signature.length)
            calldatacopy(add(m, 0x64), signature.offset, signature.length)
            mstore(0x00, 0)
            isValid := staticcall(SIGNATURE_GAS, account, m, add(signature.length, 0x64), 0x00, 0x20)
            isValid := and(isValid, and(gt(returndatasize(), 0x1f), eq(mload(0x00), selector)))
        }
    }

    /// @dev The signer of a signature of 64 or 65 bytes; the zero address when no key can be recovered or when `s` is
    /// in the upper half of the curve's order.
    function _recover(bytes32 digest, bytes calldata signature) private view returns (address signer) {
        assembly ("memory-safe") {
            let m := mload(0x40)
            let s := calldataload(add(signature.offset, 0x20))
            let v := byte(0, calldataload(add(signature.offset, 0x40)))
            if eq(signature.length, 64) {
                v := add(shr(255, s), 27)
                s := shr(1, shl(1, s))
            }
            mstore(0x00, digest)
            mstore(0x20, v)
            mstore(0x40, calldataload(signature.offset))
            mstore(0x60, s)
            signer := mload(staticcall(gas(), 1, 0x00, 0x80, 0x01, 0x20))
            // The precompile returns no data when it can't recover a key.
            signer := mul(signer, gt(returndatasize(), mul(gt(s, HALF_ORDER), 0x20)))
            mstore(0x60, 0)
            mstore(0x40, m)
        }
    }
}
