// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EIP712} from "solady/utils/EIP712.sol";
import {LibClone} from "solady/utils/LibClone.sol";
import {LibString} from "solady/utils/LibString.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

/// @notice A signed permission to mint, which the buyer pays for and anyone may send.
/// @param minter Who gets the token, whoever sends the voucher.
/// @param netRecipient Gets the price less `initialRecipientAmount`.
/// @param initialRecipient Gets `initialRecipientAmount`.
/// @param initialRecipientAmount In the currency's smallest unit, for the whole voucher; at most price × quantity.
/// @param quantity How many units; always 1 on ERC-721.
/// @param nonce Unique in the contract; works once.
/// @param expiry Unix seconds; the voucher works up to and including this second.
/// @param price Of one unit, in the currency's smallest unit; 0 means that nobody is paid anything.
/// @param tokenId Which token.
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

/// @title What both token contracts share
/// @notice Terms, roles, royalties, metadata addresses and vouchers.
/// @dev Every contract of a collection is a minimal clone, and its terms are bytes behind the clone's code:
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
/// What changes later is in one word, `_config`, so that a mint reads one slot to learn all of it:
///
///       bits
///          0  vouchers are paused
///          1  roles are in storage, the terms' minter and signer no longer count
///          2  the owner is in storage
///          3  the royalty is in storage
///          4  the base URI is locked
///     16-79   units minted so far, where they are counted
///     80-143  the changed max supply, inverted; 0 means that the terms' one holds
///    144-255  the hull of the owners' blobs (`Vitrine721`), else free
abstract contract VitrineToken is EIP712 {
    uint256 public constant MINTER = 1;
    uint256 public constant SIGNER = 2;

    uint256 internal constant SOULBOUND = 1 << 248;
    uint256 internal constant MANUAL_IDS = 2 << 248;

    uint256 internal constant VOUCHERS_PAUSED = 1 << 0;
    uint256 internal constant ROLES_STORED = 1 << 1;
    uint256 internal constant OWNER_STORED = 1 << 2;
    uint256 internal constant ROYALTY_STORED = 1 << 3;
    uint256 internal constant BASE_URI_LOCKED = 1 << 4;
    uint256 internal constant MINTED_SHIFT = 16;
    uint256 internal constant CAP_SHIFT = 80;
    uint256 internal constant NO_CAP = type(uint64).max;

    /// @dev Bytes of a clone before its arguments.
    uint256 internal constant ARGS_START = 0x2d;

    /// @dev Enough for a wallet's receive function, too little to make a buyer pay for mischief.
    uint256 private constant PAYEE_GAS = 100_000;

    /// @dev keccak256("MintVoucher(address minter,address netRecipient,address initialRecipient,uint256
    /// initialRecipientAmount,uint256 quantity,uint256 nonce,uint256 expiry,uint256 price,uint256 tokenId,address
    /// currency)"), as a number because assembly takes no other.
    uint256 private constant VOUCHER_TYPEHASH = 0xea6f0a9802fd73f65924796032476658436a4fcbe4820aa4d534ebb27894fd1a;

    /// @dev The fixed words of the EIP-712 domain: its type's hash, keccak256("Vitrine") and keccak256("1").
    uint256 private constant DOMAIN_TYPEHASH = 0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f;
    uint256 private constant DOMAIN_NAME_HASH = 0x58be7e112c26f3cc591b52fcd981f5dbff47916c6bd142280377372905f4e6c3;
    uint256 private constant DOMAIN_VERSION_HASH = 0xc89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6;

    /// @dev The upper half of the curve's order; a signature's `s` above it is a second form of the same signature.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event RolesSet(address indexed account, uint256 roles);
    event MaxSupplySet(uint256 maxSupply);
    event VouchersPausedSet(bool paused);
    event VoucherCancelled(uint256 indexed tokenId, uint256 indexed nonce);
    event DefaultRoyaltySet(address receiver, uint256 basisPoints);
    event TokenRoyaltySet(uint256 indexed tokenId, address receiver, uint256 basisPoints);
    event BaseURISet(string baseURI);
    event BaseURILocked(string baseURI);
    /// @dev ERC-7572.
    event ContractURIUpdated();

    error Unauthorized();
    error OwnerIsZeroAddress();
    error UnknownRole();
    error MaxSupplyReached();
    error MaxSupplyNotLower();
    error MaxSupplyBelowMinted();
    error BaseURIIsLocked();
    error RoyaltyTooHigh();
    error RoyaltyReceiverMissing();
    error VouchersArePaused();
    error VoucherIsExpired();
    error WrongPayment(uint256 expectedValue);
    error InitialRecipientAmountTooHigh();
    error WrongPayee();
    error InvalidSignature();
    error TokenIsSoulbound();
    error WrongPacking();
    error WrongRange();

    /// @dev Holds the text that every collection's default base URI begins with, as code: a string can't be immutable.
    address private immutable PREFIX;

    uint256 internal _config;
    address private _storedOwner;
    uint256 private _storedRoyalty;
    string private _storedBaseURI;
    mapping(address account => uint256) private _roles;
    mapping(uint256 tokenId => uint256) private _tokenRoyalties;

    /// @param metadataPrefix What precedes the collection's id in the default base URI, with a slash at its end.
    constructor(string memory metadataPrefix) {
        PREFIX = SSTORE2.write(bytes(metadataPrefix));
    }

    // ------------------------------------------------------------------------------------------------------ terms

    /// @dev 32 bytes of the clone's arguments, zeros where they have ended.
    function _argument(uint256 offset) internal view returns (uint256 word) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, add(ARGS_START, offset), 0x20)
            word := mload(0x00)
        }
    }

    /// @dev Flags, minter and max supply, which every mint needs, in one word.
    function _terms() internal view returns (uint256) {
        return _argument(0);
    }

    /// @dev The same and the terms' signer, which a voucher needs besides, by one reading of the code.
    function _termsAndSigner() internal view returns (uint256 terms, address defaultSigner) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, ARGS_START, 0x40)
            terms := mload(0x00)
            defaultSigner := shr(96, mload(29))
        }
    }

    function _defaultMinter(uint256 terms) private pure returns (address) {
        return address(uint160(terms >> 88));
    }

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

    /// @notice The id of the collection that this is the contract of.
    function collectionId() public view returns (bytes16) {
        return bytes16(bytes32(_argument(69)));
    }

    /// @notice Whether tokens stay for ever with whom they were minted to.
    function soulbound() public view returns (bool) {
        return _terms() & SOULBOUND != 0;
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Vitrine", "1");
    }

    // ------------------------------------------------------------------------------------------------------ roles

    /// @notice Who may give roles and hand over the contract.
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

    /// @notice Gives `account` exactly these roles; 0 takes all of them away.
    /// @dev The first call copies the terms' minter and signer to storage, where each of them can then be replaced.
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

    function transferOwnership(address newOwner) external {
        if (newOwner == address(0)) revert OwnerIsZeroAddress();
        _setOwner(newOwner);
    }

    /// @notice Leaves the contract without an owner: the roles stay as they are, for ever.
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

    function _hasRole(uint256 config, address account, uint256 role) internal view returns (bool) {
        if (config & ROLES_STORED != 0) return _roles[account] & role != 0;
        return account == (role == MINTER ? _defaultMinter(_terms()) : _defaultSigner());
    }

    function _checkMinter(uint256 config, uint256 terms) internal view {
        bool allowed =
            config & ROLES_STORED == 0 ? msg.sender == _defaultMinter(terms) : _roles[msg.sender] & MINTER != 0;
        if (!allowed) revert Unauthorized();
    }

    /// @dev The settings below are the owner's, and the minter's on the owner's behalf.
    modifier onlyManager() {
        if (!_hasRole(_config, msg.sender, MINTER) && msg.sender != owner()) revert Unauthorized();
        _;
    }

    // ----------------------------------------------------------------------------------------------------- supply

    /// @notice How many units the whole collection may ever have, burnt ones included; 2^64 - 1 means any number.
    function maxSupply() public view returns (uint256) {
        return _cap(_config, _terms());
    }

    /// @dev Lowers the collection's max supply; `minted` is what there is already.
    function _lowerMaxSupply(uint256 newMaxSupply, uint256 minted) internal {
        uint256 config = _config;
        if (newMaxSupply >= _cap(config, _terms())) revert MaxSupplyNotLower();
        if (newMaxSupply < minted) revert MaxSupplyBelowMinted();
        uint256 inverted = NO_CAP - newMaxSupply;
        _config = (config & ~(NO_CAP << CAP_SHIFT)) | (inverted << CAP_SHIFT);
        emit MaxSupplySet(newMaxSupply);
    }

    function _cap(uint256 config, uint256 terms) internal pure returns (uint256) {
        uint256 inverted = uint64(config >> CAP_SHIFT);
        return inverted == 0 ? uint64(terms >> 24) : NO_CAP - inverted;
    }

    function _minted(uint256 config) internal pure returns (uint256) {
        return uint64(config >> MINTED_SHIFT);
    }

    // -------------------------------------------------------------------------------------------------- royalties

    /// @notice ERC-2981: the token's own royalty where it has one, else the collection's.
    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 amount) {
        uint256 royalty = _tokenRoyalties[tokenId];
        if (royalty == 0) royalty = _defaultRoyalty();
        uint256 basisPoints = uint16(royalty);
        receiver = address(uint160(royalty >> 16));
        // Split, so that no price is too large to be multiplied.
        amount = (salePrice / 10_000) * basisPoints + ((salePrice % 10_000) * basisPoints) / 10_000;
    }

    /// @notice Sets the collection's royalty; the zero address with 0 means none.
    function setDefaultRoyalty(address receiver, uint256 basisPoints) external onlyManager {
        _storedRoyalty = _packRoyalty(receiver, basisPoints);
        _config |= ROYALTY_STORED;
        emit DefaultRoyaltySet(receiver, basisPoints);
    }

    /// @notice Sets one token's royalty; the zero address with 0 means the collection's.
    function setTokenRoyalty(uint256 tokenId, address receiver, uint256 basisPoints) external onlyManager {
        _tokenRoyalties[tokenId] = _packRoyalty(receiver, basisPoints);
        emit TokenRoyaltySet(tokenId, receiver, basisPoints);
    }

    function _defaultRoyalty() private view returns (uint256) {
        if (_config & ROYALTY_STORED != 0) return _storedRoyalty;
        // Receiver and basis points stand side by side in the terms as they do in a stored royalty.
        return _argument(85) >> 80;
    }

    function _packRoyalty(address receiver, uint256 basisPoints) private pure returns (uint256) {
        if (basisPoints > 10_000) revert RoyaltyTooHigh();
        if (receiver == address(0) && basisPoints != 0) revert RoyaltyReceiverMissing();
        return (uint256(uint160(receiver)) << 16) | basisPoints;
    }

    // --------------------------------------------------------------------------------------------------- metadata

    /// @notice What a token's id is appended to.
    function baseURI() public view returns (string memory) {
        string memory stored = _storedBaseURI;
        if (bytes(stored).length != 0) return stored;
        return LibString.concat(_defaultContractURI(), "/");
    }

    /// @notice ERC-7572: the collection's own metadata, which is the base URI without its last slash.
    function contractURI() external view returns (string memory) {
        string memory stored = _storedBaseURI;
        uint256 length = bytes(stored).length;
        if (length == 0) return _defaultContractURI();
        return bytes(stored)[length - 1] == "/" ? LibString.slice(stored, 0, length - 1) : stored;
    }

    /// @notice Whether the base URI can never change again.
    function baseURILocked() external view returns (bool) {
        return _config & BASE_URI_LOCKED != 0;
    }

    /// @notice Changes what a token's id is appended to; empty goes back to the default.
    function setBaseURI(string calldata newBaseURI) public virtual onlyManager {
        if (_config & BASE_URI_LOCKED != 0) revert BaseURIIsLocked();
        _storedBaseURI = newBaseURI;
        emit BaseURISet(newBaseURI);
        emit ContractURIUpdated();
    }

    /// @notice Keeps the base URI as it is for ever.
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

    /// @dev A UUID as it is written: 8-4-4-4-12 lower-case hexadecimal digits.
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

    /// @notice Whether vouchers are refused for the time being.
    function vouchersPaused() external view returns (bool) {
        return _config & VOUCHERS_PAUSED != 0;
    }

    /// @notice Stops or resumes minting with vouchers; other mints go on.
    function setVouchersPaused(bool paused) external onlyManager {
        _config = paused ? _config | VOUCHERS_PAUSED : _config & ~VOUCHERS_PAUSED;
        emit VouchersPausedSet(paused);
    }

    /// @notice The EIP-712 digest that a signer of this contract signs for `voucher`.
    function voucherDigest(MintVoucher calldata voucher) public view returns (bytes32 digest) {
        // The struct's calldata is already the encoding that EIP-712 asks for; bits outside a field's type would give a
        // digest that nobody signed. The domain has this clone's address in it, so that it is hashed here and now.
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, VOUCHER_TYPEHASH)
            calldatacopy(add(m, 0x20), voucher, 0x140)
            let structHash := keccak256(m, 0x160)
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

    /// @dev Everything that makes a voucher good except that it is unused.
    /// @param total What it costs, in its currency: price × quantity.
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

    /// @dev Only those concerned may cancel: a voucher's signature is known to more people than its buyer.
    function _checkCanceller(MintVoucher calldata voucher, bytes calldata signature) internal view {
        uint256 config = _config;
        _checkSignature(config, _defaultSigner(), voucher, signature);
        bool concerned = msg.sender == voucher.minter || _hasRole(config, msg.sender, MINTER)
            || _hasRole(config, msg.sender, SIGNER) || msg.sender == owner();
        if (!concerned) revert Unauthorized();
    }

    /// @dev 64 bytes (ERC-2098) or 65: a key that holds SIGNER. Longer: the address of a contract that holds SIGNER,
    /// then what its `isValidSignature` is to judge.
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
            if (!SignatureCheckerLib.isValidERC1271SignatureNowCalldata(signer, digest, signature[20:])) {
                revert InvalidSignature();
            }
        } else {
            if (signature.length < 64) revert InvalidSignature();
            signer = _recover(digest, signature);
        }
        bool allowed = config & ROLES_STORED == 0 ? signer == defaultSigner : _roles[signer] & SIGNER != 0;
        if (!allowed) revert InvalidSignature();
    }

    /// @dev Who signed, by 64 or 65 bytes. A signature's `s` is to be in the lower half: the other form is refused.
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
            // The precompile answers nothing when it can't recover a key.
            if or(iszero(returndatasize()), gt(s, HALF_ORDER)) {
                mstore(0x00, 0x8baa579f) // InvalidSignature()
                revert(0x1c, 0x04)
            }
            mstore(0x60, 0)
            mstore(0x40, m)
        }
    }

    /// @dev Pays both payees. Comes after minting: by then nothing is left that a payee could disturb. The coin goes to its
    /// payee even if that refuses or burns gas, so that no payee can block a sale. An ERC-20 goes straight from the sender to
    /// the payee. Nothing ever stays here.
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
            // `_checkVoucher` saw that the amount is at most the total.
            if (initialAmount != total) _pay(currency, netRecipient, total - initialAmount);
        }
    }

    function _pay(address currency, address payee, uint256 amount) private {
        assembly ("memory-safe") {
            if iszero(mul(shl(96, payee), xor(payee, address()))) {
                mstore(0x00, 0x0efb6726) // WrongPayee()
                revert(0x1c, 0x04)
            }
            if iszero(shl(96, currency)) {
                if iszero(call(PAYEE_GAS, payee, amount, 0x00, 0x00, 0x00, 0x00)) {
                    // A contract that destroys itself as it begins leaves its coin to the payee without asking.
                    mstore(0x00, payee)
                    mstore8(0x0b, 0x73) // push20
                    mstore8(0x20, 0xff) // selfdestruct
                    if iszero(create(amount, 0x0b, 0x16)) { revert(0x00, 0x00) }
                }
            }
        }
        if (currency != address(0)) SafeTransferLib.safeTransferFrom(currency, msg.sender, payee, amount);
    }
}
