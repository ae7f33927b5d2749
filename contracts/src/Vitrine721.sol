// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnerBlobs} from "./OwnerBlobs.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The ERC-721 token contract of a collection of unique items
/// @notice The token id guards against a double mint: an id is minted at most once, and never again after it was burnt.
/// @dev The upper 96 bits of a token's ownership word (solady's "extra data") are the lowest voucher nonce that is
/// still valid for the token, or all ones when the token is burnt, so cancelling and burning need no slot of their own.
/// The highest of them is set when an account may be approved for the token: without it, a transfer doesn't read the
/// approval.
///
/// The owners of a consecutive batch (called "run" on chain) are contract code instead (see `OwnerBlobs`), at about a
/// fifth of a storage slot's price:
///
///   - A token's ownership word takes precedence over the blob when its owner bits aren't zero, or when the token is
///     burnt. A word that has only a lowest valid nonce doesn't affect the owner. Approving, transferring and burning
///     write the word.
///   - The range of chunks that may have blobs is in the config word, from bit 144 on. Mints of ids outside it read no
///     blobs.
///   - Bits 32-34 of an owner's balance word, above the balance, are the layer of the last consecutive batch that gave
///     the owner a token. The owner's transfers read that layer first. It is a hint: the token may be in another layer.
contract Vitrine721 is OwnerBlobs, VitrineToken {
    /// @dev The extra data of a burnt token.
    uint256 private constant BURNT = type(uint96).max;
    uint256 private constant MAX_NONCE = (1 << 95) - 2;
    /// @dev The bit of the extra data that is set when an account may be approved for the token.
    uint256 private constant APPROVED = 1 << 95;
    /// @dev Given as the nonce of a mint without a voucher: not below any lowest valid nonce except `BURNT`.
    uint256 private constant ANY_NONCE = BURNT - 1;

    /// @dev The slot seed of owners and balances in solady's ERC721; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x7d8825530a5a2e7a << 192;
    /// @dev The bits of a balance word that are the balance.
    uint256 private constant BALANCE_MASK = 0xffffffff;
    /// @dev The lowest bit of the layer hint in a balance word.
    uint256 private constant LAYER_SHIFT = 32;
    uint256 private constant TRANSFER_TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

    uint256 private constant MINT_SKIPPED_TOPIC = 0x3ecf7b2e594d66d7930ff3d2354c0a6a451d5672eea3f7b35b0d2702e5c3e002;

    /// @dev A consecutive batch of this length fits into one transaction (EIP-7825).
    uint256 private constant MAX_CONSECUTIVE_BATCH = 500;

    /// @dev The EIP-712 type hash of a transfer with a signature.
    bytes32 private constant TRANSFER_TYPEHASH =
        keccak256("TransferWithSignature(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)");

    /// @notice Emitted by `adminMintMultiple` for an entry that it left out: the id exists, was burnt or is beyond the
    /// max supply, or the recipient is the zero address.
    event MintSkipped(uint256 id);
    /// @notice Emitted when a soulbound token is minted (ERC-5192).
    event Locked(uint256 tokenId);
    /// @notice Emitted when `refreshMetadata` is called for one token (ERC-4906).
    event MetadataUpdate(uint256 _tokenId);
    /// @notice Emitted when `refreshMetadata` is called for several tokens, and for all ids when the base URI changes
    /// (ERC-4906). Both ids are included.
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    /// @notice Thrown when a burnt token is to be minted, or a voucher for it cancelled.
    error TokenIsBurnt();
    /// @notice Thrown when a voucher is redeemed or cancelled whose nonce is below the token's lowest valid one.
    error VoucherIsCancelled();
    /// @notice Thrown when a redeemed voucher's quantity isn't 1.
    error WrongQuantity();
    /// @notice Thrown when a voucher's nonce is above 2^95 - 2.
    error WrongNonce();
    /// @notice Thrown when value is sent with a transfer or an approval, which are payable in the standard.
    error ValueNotAccepted();

    /// @param metadataPrefix The text before the collection's id in the default base URI, with a slash at its end.
    constructor(string memory metadataPrefix) VitrineToken(metadataPrefix) {}

    // ----------------------------------------------------------------------------------------------------- minting

    /// @notice Mints token `id` to `to`. Requires MINTER. A receiving contract isn't called.
    /// @dev Reverts with `Unauthorized`, `MaxSupplyReached`, `TransferToZeroAddress`, `TokenAlreadyExists`,
    /// `TokenIsBurnt`, and `AccountBalanceOverflow` when `to` has 2^32 - 1 tokens. Emits `Transfer`, and `Locked` when
    /// soulbound.
    function adminMint(address to, uint256 id) external {
        uint256 config = _config;
        uint256 terms = _terms();
        _checkMinter(config, terms);
        _mintOrRevert(config, terms, to, id, ANY_NONCE);
    }

    /// @notice Mints many tokens. Requires MINTER. An entry that can't be minted is left out with `MintSkipped`; the
    /// others are minted. Receiving contracts aren't called.
    /// @dev Reverts with `Unauthorized`, `WrongPacking`, and `AccountBalanceOverflow` when a recipient has 2^32 - 1
    /// tokens.
    /// @param packed One byte w (1 to 32), the width of the ids, then for each token 20 bytes of its recipient's
    /// address and w bytes of its id, big-endian.
    function adminMintMultiple(bytes calldata packed) external {
        uint256 config = _config;
        uint256 terms = _terms();
        _checkMinter(config, terms);
        uint256 width = packed.length == 0 ? 0 : uint8(packed[0]);
        if (width == 0 || width > 32 || (packed.length - 1) % (20 + width) != 0) revert WrongPacking();
        uint256 position;
        assembly ("memory-safe") {
            position := add(packed.offset, 1)
        }
        uint256 added = _mintMany(position, position + packed.length - 1, width, config, terms);
        unchecked {
            if (terms & MANUAL_IDS != 0) _config = config + (added << MINTED_SHIFT);
        }
    }

    /// @dev Mints the entries of the calldata from `position` up to `end` that can be minted.
    /// @param width The number of bytes of an id.
    /// @return added The number of tokens minted.
    function _mintMany(uint256 position, uint256 end, uint256 width, uint256 config, uint256 terms)
        private
        returns (uint256 added)
    {
        // An id is within the supply from `lowest` to `lowest + span`, while `added` is below `remaining`.
        uint256 remaining = type(uint256).max;
        uint256 lowest;
        uint256 span = type(uint256).max;
        unchecked {
            uint256 cap = _cap(config, terms);
            if (terms & MANUAL_IDS != 0) remaining = cap - _minted(config);
            else if (cap == 0) remaining = 0;
            else if (cap != NO_CAP) (lowest, span) = (1, cap - 1);
        }
        // `terms` is reused, as the stack is full: the topic of `Locked` for a soulbound token, else 0.
        terms = terms & SOULBOUND == 0 ? 0 : uint256(Locked.selector);
        while (position < end) {
            uint256 id;
            bool withinSupply;
            {
                bool mayHaveBlob;
                assembly ("memory-safe") {
                    id := shr(sub(256, shl(3, width)), calldataload(add(position, 20)))
                    withinSupply := lt(gt(sub(id, lowest), span), lt(added, remaining))
                    // Same as `_isInChunkRange`.
                    let first := and(shr(CHUNK_RANGE_START_SHIFT, config), CHUNK_NUMBER_MASK)
                    mayHaveBlob := lt(sub(shr(CHUNK_BITS, id), first), sub(shr(CHUNK_RANGE_END_SHIFT, config), first))
                }
                if (mayHaveBlob && _ownerInBlobs(id, 0) != address(0)) withinSupply = false;
            }
            assembly ("memory-safe") {
                let to := shr(96, calldataload(position))
                position := add(position, add(20, width))
                // Same as `_tryMint`.
                mstore(0x00, id)
                mstore(0x1c, SLOT_SEED)
                let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
                let ownership := sload(ownershipSlot)
                // Forbidden: no recipient, an owner, or burnt (all of the extra data's bits are ones).
                let forbidden := or(iszero(to), or(shl(96, ownership), iszero(shr(160, not(ownership)))))
                switch or(forbidden, iszero(withinSupply))
                case 0 {
                    mstore(0x00, to)
                    let balanceSlot := keccak256(0x0c, 0x1c)
                    let held := add(sload(balanceSlot), 1)
                    if iszero(and(held, BALANCE_MASK)) {
                        mstore(0x00, 0x01336cea) // AccountBalanceOverflow()
                        revert(0x1c, 0x04)
                    }
                    sstore(ownershipSlot, or(ownership, to))
                    sstore(balanceSlot, held)
                    log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                    if terms {
                        mstore(0x00, id)
                        log1(0x00, 0x20, terms)
                    }
                    added := add(added, 1)
                }
                default {
                    mstore(0x00, id)
                    log1(0x00, 0x20, MINT_SKIPPED_TOPIC)
                }
            }
        }
    }

    /// @notice Mints a consecutive batch, called "run" on chain: tokens with consecutive ids, whose owners are stored
    /// as code, for about two thirds of the price of `adminMintMultiple`. Requires MINTER. All of the tokens are
    /// minted, or none. Receiving contracts aren't called.
    /// @dev Each chunk of 128 ids (0 to 127, and so on) that the batch touches costs a blob, so a batch that doesn't
    /// cross the bounds of its chunk is cheapest. A chunk takes up to 8 batches. Emits `Transfer` for each token, and
    /// `Locked` when soulbound. Reverts with
    ///   - `Unauthorized` when the sender doesn't have MINTER,
    ///   - `WrongPacking` when `owners` is empty, has more than 500 addresses or a part of one,
    ///   - `WrongRange` when an id is `BLOB_ID_LIMIT` or above,
    ///   - `MaxSupplyReached`, `TokenAlreadyExists`, `TokenIsBurnt` or `TransferToZeroAddress` when a token can't be
    ///     minted,
    ///   - `AccountBalanceOverflow` when an owner would have 2^32 tokens,
    ///   - `ChunkIsFull` when a chunk has 8 blobs, `BlobNotStored` when a blob's creation failed.
    /// @param firstId The first token's id. All ids are below `BLOB_ID_LIMIT`.
    /// @param owners 20 bytes of each token's owner, 1 to 500 of them, in the order of the ids.
    function adminMintRun(uint256 firstId, bytes calldata owners) external {
        uint256 config = _config;
        uint256 terms = _terms();
        _checkMinter(config, terms);
        uint256 count = owners.length / 20;
        if (count == 0 || count > MAX_CONSECUTIVE_BATCH || owners.length % 20 != 0) revert WrongPacking();
        if (firstId > BLOB_ID_LIMIT - count) revert WrongRange();
        uint256 cap = _cap(config, terms);
        unchecked {
            uint256 end = firstId + count;
            if (terms & MANUAL_IDS != 0
                    ? count > cap - _minted(config)
                    : cap != NO_CAP && (firstId == 0 || end - 1 > cap)) {
                revert MaxSupplyReached();
            }
            uint256 position;
            assembly ("memory-safe") {
                position := owners.offset
            }
            for (uint256 id = firstId; id != end;) {
                uint256 length = CHUNK_SIZE - (id & (CHUNK_SIZE - 1));
                if (length > end - id) length = end - id;
                _creditConsecutive(terms, id, length, position, _storeBlob(config, id, length, position));
                id += length;
                position += 20 * length;
            }
            uint256 counted = terms & MANUAL_IDS == 0 ? 0 : count << MINTED_SHIFT;
            uint256 newConfig =
                _extendChunkRange(config, firstId >> CHUNK_BITS, ((end - 1) >> CHUNK_BITS) + 1) + counted;
            if (newConfig != config) _config = newConfig;
        }
    }

    /// @notice Mints the voucher's token to the voucher's minter, for exactly its price. Anyone may send it. A
    /// receiving contract isn't called.
    /// @dev The value sent is the price when the voucher's currency is the network's coin, else 0; an ERC-20 is
    /// transferred from the sender, who must have approved this contract. Emits `Transfer`, and `Locked` when
    /// soulbound. Reverts with
    ///   - `WrongQuantity` when the quantity isn't 1, `WrongNonce` when the nonce is above 2^95 - 2,
    ///   - `VouchersArePaused`, `VoucherIsExpired`, `InvalidSignature`, `WrongPayment`,
    ///     `InitialRecipientAmountTooHigh`,
    ///   - `MaxSupplyReached`, `TokenAlreadyExists`, `TokenIsBurnt`, `VoucherIsCancelled`, `TransferToZeroAddress` or
    ///     `AccountBalanceOverflow` when the token can't be minted,
    ///   - `WrongPayee` when a payee is the zero address or this contract, `TransferFromFailed` when the ERC-20 doesn't
    ///     pay.
    /// @param voucher The terms that were signed.
    /// @param signature 64 or 65 bytes of a key that has SIGNER, or the address of a contract that has SIGNER followed
    /// by its ERC-1271 signature.
    function mintWithVoucher(MintVoucher calldata voucher, bytes calldata signature) external payable {
        if (voucher.quantity != 1) revert WrongQuantity();
        if (voucher.nonce > MAX_NONCE) revert WrongNonce();
        uint256 config = _config;
        (uint256 terms, address defaultSigner) = _termsAndSigner();
        uint256 total = voucher.price;
        _checkVoucher(config, defaultSigner, voucher, signature, total);
        _mintOrRevert(config, terms, voucher.minter, voucher.tokenId, voucher.nonce);
        _payOut(voucher, total);
    }

    /// @notice Cancels this voucher and every voucher of its token with a lower nonce. For the voucher's minter, the
    /// owner, and accounts that have MINTER or SIGNER.
    /// @dev Reverts with `InvalidSignature`, `Unauthorized`, `WrongNonce` when the nonce is above 2^95 - 2,
    /// `TokenAlreadyExists`, `TokenIsBurnt`, and `VoucherIsCancelled` when it was cancelled before. Emits
    /// `VoucherCancelled`.
    /// @param voucher The terms that were signed.
    /// @param signature As in `mintWithVoucher`.
    function cancelVoucher(MintVoucher calldata voucher, bytes calldata signature) external {
        _checkCanceller(voucher, signature);
        uint256 id = voucher.tokenId;
        uint256 nonce = voucher.nonce;
        if (nonce > MAX_NONCE) revert WrongNonce();
        uint256 lowest = _getExtraData(id);
        if (_exists(id)) revert TokenAlreadyExists();
        if (lowest == BURNT) revert TokenIsBurnt();
        if (nonce < lowest) revert VoucherIsCancelled();
        _setExtraData(id, uint96(nonce + 1));
        emit VoucherCancelled(id, nonce);
    }

    /// @notice The lowest nonce that a voucher for token `id` may have; 2^96 - 1 when the token is burnt.
    /// @dev Doesn't revert when the token doesn't exist.
    function lowestValidNonce(uint256 id) external view returns (uint256) {
        uint256 extra = _getExtraData(id);
        // An approval can set the last of the bits on a token whose lowest valid nonce is the highest possible.
        return extra == BURNT && super._ownerOf(id) == address(0) ? BURNT : extra & ~APPROVED;
    }

    /// @notice Burns token `id` permanently. For its owner and accounts that the owner approved, also when soulbound.
    /// @dev Reverts with `TokenDoesNotExist` and `NotOwnerNorApproved`. Emits `Transfer`.
    function burn(uint256 id) external {
        _writeOwnership(id);
        _burn(msg.sender, id);
        _setExtraData(id, uint96(BURNT));
    }

    /// @notice Lowers the max supply. For the owner and accounts that have MINTER. With automatic ids it is the highest
    /// id, from 1 on, and tokens above it that were minted before stay. With ids given by hand it is the number of
    /// tokens ever minted.
    /// @dev Reverts with `Unauthorized`, `MaxSupplyNotLower`, and, with ids given by hand, `MaxSupplyBelowMinted`.
    /// Emits `MaxSupplySet`.
    function setMaxSupply(uint256 newMaxSupply) external onlyManager {
        // The number minted is 0 with automatic ids, which aren't counted.
        _lowerMaxSupply(newMaxSupply, _minted(_config));
    }

    /// @dev Mints one token, or reverts with the reason why it can't be minted.
    /// @param nonce The voucher's nonce, or `ANY_NONCE`.
    function _mintOrRevert(uint256 config, uint256 terms, address to, uint256 id, uint256 nonce) private {
        if (!_isWithinSupply(config, terms, id)) revert MaxSupplyReached();
        if (!_tryMint(config, to, id, nonce)) _revertUnmintable(to, id);
        // One branch for both flags, as most collections have neither.
        if (terms & (SOULBOUND | MANUAL_IDS) == 0) return;
        if (terms & SOULBOUND != 0) emit Locked(id);
        if (terms & MANUAL_IDS != 0) _config = config + (1 << MINTED_SHIFT);
    }

    /// @dev Whether the max supply allows one more token, with this id. Automatic ids start at 1, so only the id is
    /// compared.
    function _isWithinSupply(uint256 config, uint256 terms, uint256 id) private pure returns (bool) {
        uint256 cap = _cap(config, terms);
        if (terms & MANUAL_IDS != 0) return _minted(config) < cap;
        unchecked {
            return cap == NO_CAP || id - 1 < cap;
        }
    }

    /// @dev Writes owner and balance as solady's `_mint` does, unless `to` is zero, the token exists or its lowest
    /// valid nonce is above `nonce`. One read of the ownership word decides it for an id that can't have a blob.
    /// @return isMinted Whether the token was minted.
    function _tryMint(uint256 config, address to, uint256 id, uint256 nonce) private returns (bool isMinted) {
        bool mayHaveBlob;
        assembly ("memory-safe") {
            // Same as `_isInChunkRange`.
            let first := and(shr(CHUNK_RANGE_START_SHIFT, config), CHUNK_NUMBER_MASK)
            mayHaveBlob := lt(sub(shr(CHUNK_BITS, id), first), sub(shr(CHUNK_RANGE_END_SHIFT, config), first))
        }
        if (mayHaveBlob && _ownerInBlobs(id, 0) != address(0)) return false;
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, SLOT_SEED)
            let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            let ownership := sload(ownershipSlot)
            if iszero(or(or(iszero(to), shl(96, ownership)), gt(shr(160, ownership), nonce))) {
                mstore(0x00, to)
                let balanceSlot := keccak256(0x0c, 0x1c)
                let held := add(sload(balanceSlot), 1)
                if iszero(and(held, BALANCE_MASK)) {
                    mstore(0x00, 0x01336cea) // AccountBalanceOverflow()
                    revert(0x1c, 0x04)
                }
                sstore(ownershipSlot, or(ownership, to))
                sstore(balanceSlot, held)
                log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                isMinted := 1
            }
        }
    }

    /// @dev Reverts with the reason why `_tryMint` didn't mint.
    function _revertUnmintable(address to, uint256 id) private view {
        if (to == address(0)) revert TransferToZeroAddress();
        if (_exists(id)) revert TokenAlreadyExists();
        if (_getExtraData(id) == BURNT) revert TokenIsBurnt();
        revert VoucherIsCancelled();
    }

    // ------------------------------------------------------------------------------------------------ owner blobs

    /// @dev Checks the ids of a consecutive batch's part in one chunk, increments their owners' balances and emits the
    /// events, as `_tryMint` does for one token. The owners themselves are in the blob of `layer`.
    /// @param position The calldata offset of the owners.
    function _creditConsecutive(uint256 terms, uint256 firstId, uint256 length, uint256 position, uint256 layer)
        private
    {
        uint256 lockedTopic = terms & SOULBOUND == 0 ? 0 : uint256(Locked.selector);
        assembly ("memory-safe") {
            layer := shl(LAYER_SHIFT, layer)
            let end := add(firstId, length)
            for { let id := firstId } lt(id, end) { id := add(id, 1) } {
                let to := shr(96, calldataload(position))
                position := add(position, 20)
                mstore(0x00, id)
                mstore(0x1c, SLOT_SEED)
                let ownership := sload(add(id, add(id, keccak256(0x00, 0x20))))
                if shl(96, ownership) {
                    mstore(0x00, 0xc991cbb1) // TokenAlreadyExists()
                    revert(0x1c, 0x04)
                }
                if iszero(shr(160, not(ownership))) {
                    mstore(0x00, 0xafee0b10) // TokenIsBurnt()
                    revert(0x1c, 0x04)
                }
                mstore(0x00, to)
                let balanceSlot := keccak256(0x0c, 0x1c)
                let held := and(add(sload(balanceSlot), 1), BALANCE_MASK)
                if iszero(mul(to, held)) {
                    // TransferToZeroAddress(), AccountBalanceOverflow()
                    mstore(shl(2, iszero(to)), 0xea553b3401336cea)
                    revert(0x1c, 0x04)
                }
                sstore(balanceSlot, or(held, layer))
                log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                if lockedTopic {
                    mstore(0x00, id)
                    log1(0x00, 0x20, lockedTopic)
                }
            }
        }
    }

    /// @dev The token's owner, or zero when the token doesn't exist.
    function _ownerOf(uint256 id) internal view override returns (address holder) {
        holder = super._ownerOf(id);
        if (holder == address(0) && _getExtraData(id) != BURNT) holder = _ownerInBlobs(id, 0);
    }

    /// @dev Overridden because solady's reads the ownership word only.
    function _exists(uint256 id) internal view override returns (bool) {
        return _ownerOf(id) != address(0);
    }

    /// @dev Copies an owner that is only in a blob into the token's ownership word, which solady's functions read.
    function _writeOwnership(uint256 id) private {
        if (super._ownerOf(id) != address(0)) return;
        address holder = _ownerOf(id);
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, SLOT_SEED)
            let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            if holder { sstore(ownershipSlot, or(sload(ownershipSlot), holder)) }
        }
    }

    // ---------------------------------------------------------------------------------------------------- metadata

    /// @notice The collection's name.
    function name() public view override returns (string memory) {
        return _name();
    }

    /// @notice The collection's symbol.
    function symbol() public view override returns (string memory) {
        return _symbol();
    }

    /// @notice The URI of token `id`'s metadata: the base URI followed by the id in decimal.
    /// @dev Reverts with `TokenDoesNotExist`.
    function tokenURI(uint256 id) public view override returns (string memory) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return _tokenURI(id);
    }

    /// @notice Announces that the metadata of tokens `from` to `to`, both included, changed (ERC-4906). For the owner
    /// and accounts that have MINTER.
    /// @dev Reverts with `Unauthorized`, and with `WrongRange` when `from` is above `to`. Emits `MetadataUpdate` or
    /// `BatchMetadataUpdate`.
    function refreshMetadata(uint256 from, uint256 to) external onlyManager {
        if (from > to) revert WrongRange();
        if (from == to) emit MetadataUpdate(from);
        else emit BatchMetadataUpdate(from, to);
    }

    /// @notice Changes the base URI, to which a token's id is appended; an empty one restores the default. For the
    /// owner and accounts that have MINTER.
    /// @dev Reverts with `Unauthorized` and `BaseURIIsLocked`. Emits `BaseURISet`, `ContractURIUpdated` and
    /// `BatchMetadataUpdate` for all ids.
    function setBaseURI(string calldata newBaseURI) public override {
        super.setBaseURI(newBaseURI);
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    // ------------------------------------------------------------------------------------------- transfers, ERC-165

    /// @notice Whether token `id` can't be transferred (ERC-5192).
    /// @dev Reverts with `TokenDoesNotExist`.
    function locked(uint256 id) external view returns (bool) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return soulbound();
    }

    /// @notice Lets `account` transfer and burn token `id`; the zero address withdraws the approval. For the token's
    /// owner and its operators.
    /// @dev Reverts with `ValueNotAccepted`, `TokenIsSoulbound`, `TokenDoesNotExist` and `NotOwnerNorApproved`. Emits
    /// `Approval`.
    function approve(address account, uint256 id) public payable override {
        // The standard's payable functions refuse value here, as it could never be withdrawn.
        if (msg.value != 0) revert ValueNotAccepted();
        if (soulbound()) revert TokenIsSoulbound();
        _writeOwnership(id);
        _approve(msg.sender, account, id);
        if (account != address(0)) _setExtraData(id, uint96(_getExtraData(id) | APPROVED));
    }

    /// @notice The account that is approved for token `id`, or the zero address.
    /// @dev Reverts with `TokenDoesNotExist`.
    function getApproved(uint256 id) public view override returns (address) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return _getApproved(id);
    }

    /// @notice Lets `operator` transfer and burn all of the sender's tokens, or withdraws that.
    /// @dev Reverts with `TokenIsSoulbound`. Emits `ApprovalForAll`.
    function setApprovalForAll(address operator, bool isApproved) public override {
        if (soulbound()) revert TokenIsSoulbound();
        super.setApprovalForAll(operator, isApproved);
    }

    /// @notice Transfers token `id`. For its owner and accounts that the owner approved. A receiving contract isn't
    /// called.
    /// @dev `burn` doesn't come here, so a soulbound token can be burnt. Reverts with `ValueNotAccepted`,
    /// `TokenIsSoulbound`, `TokenDoesNotExist`, `TransferFromIncorrectOwner`, `NotOwnerNorApproved`,
    /// `TransferToZeroAddress` and `AccountBalanceOverflow`. Emits `Transfer`.
    function transferFrom(address from, address to, uint256 id) public payable override {
        bool isRefused;
        assembly ("memory-safe") {
            // One branch for the soulbound flag and the value.
            extcodecopy(address(), 0x00, ARGS_START, 0x01)
            isRefused := or(callvalue(), and(byte(0, mload(0x00)), 1))
        }
        if (isRefused) {
            if (msg.value != 0) revert ValueNotAccepted();
            revert TokenIsSoulbound();
        }
        _move(msg.sender, from, to, id);
    }

    /// @notice Transfers token `tokenId` by the signature of its owner `from`. Anyone may send it, and it has the same
    /// effect whoever does: approvals aren't needed, and the operator that a receiving contract is told is `from`. A
    /// receiving contract is called and must accept.
    /// @dev Reverts with `TokenIsSoulbound`, `TransferNonceIsUsed`, `TransferIsExpired`, `TransferIsNotSigned`,
    /// `TokenDoesNotExist`, `TransferFromIncorrectOwner`, `TransferToZeroAddress`, `AccountBalanceOverflow` and
    /// `TransferToNonERC721ReceiverImplementer`. Emits `TransferNonceUsed` and `Transfer`.
    /// @param nonce Any number; each can be used once in this contract by `from`.
    /// @param deadline Unix time in seconds; the transfer is valid up to and including this second.
    /// @param signature 64 or 65 bytes of the key of `from`, or the ERC-1271 signature of the contract `from`. Signed is
    /// the EIP-712 message of the arguments before it, in their order (`TRANSFER_TYPEHASH`).
    function transferWithSignature(
        uint256 tokenId,
        address from,
        address to,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        _useSignedTransfer(TRANSFER_TYPEHASH, 5, tokenId, from, nonce, deadline, signature);
        _move(from, from, to, tokenId);
        if (to.code.length == 0) return;
        bytes memory data = abi.encodeWithSelector(0x150b7a02, from, from, tokenId, "");
        if (!_isAccepted(to, data)) revert TransferToNonERC721ReceiverImplementer();
    }

    /// @dev Transfers a token for the account `by`. Does what solady's `transferFrom` does, but also finds an owner that
    /// is only in a blob, and reads the approval only where there may be one. The addresses' upper bits must be zeros.
    function _move(address by, address from, address to, uint256 id) private {
        uint256 ownershipSlot;
        uint256 ownership;
        bool hasNoOwner;
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, or(SLOT_SEED, by))
            ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            ownership := sload(ownershipSlot)
            hasNoOwner := iszero(shl(96, ownership))
        }
        if (hasNoOwner) {
            if (ownership >> 160 == BURNT) revert TokenDoesNotExist();
            ownership |= uint160(_ownerInBlobs(id, _getAux(from)));
            assembly ("memory-safe") {
                mstore(0x1c, or(SLOT_SEED, by))
            }
        }
        assembly ("memory-safe") {
            let holder := shr(96, shl(96, ownership))
            if iszero(mul(holder, eq(holder, from))) {
                // TokenDoesNotExist(), TransferFromIncorrectOwner()
                mstore(shl(2, iszero(holder)), 0xceea21b6a1148100)
                revert(0x1c, 0x04)
            }
            mstore(0x00, from)
            {
                let approved := 0
                if shr(255, ownership) { approved := sload(add(1, ownershipSlot)) }
                if iszero(or(eq(by, from), eq(by, approved))) {
                    if iszero(sload(keccak256(0x0c, 0x30))) {
                        mstore(0x00, 0x4b6e7f18) // NotOwnerNorApproved()
                        revert(0x1c, 0x04)
                    }
                }
                if approved { sstore(add(1, ownershipSlot), 0) }
            }
            sstore(ownershipSlot, shr(1, shl(1, xor(ownership, xor(from, to)))))
            let balanceSlot := keccak256(0x0c, 0x1c)
            let left := sub(sload(balanceSlot), 1)
            // An owner's last token also clears the layer hint, so that the slot becomes zero.
            sstore(balanceSlot, mul(left, iszero(iszero(and(left, BALANCE_MASK)))))
            mstore(0x00, to)
            balanceSlot := keccak256(0x0c, 0x1c)
            let held := add(sload(balanceSlot), 1)
            if iszero(mul(to, and(held, BALANCE_MASK))) {
                // TransferToZeroAddress(), AccountBalanceOverflow()
                mstore(shl(2, iszero(to)), 0xea553b3401336cea)
                revert(0x1c, 0x04)
            }
            sstore(balanceSlot, held)
            log4(codesize(), 0x00, TRANSFER_TOPIC, from, to, id)
        }
    }

    /// @notice Whether the interface is implemented (ERC-165); ERC-5192 only when the collection is soulbound.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return super.supportsInterface(interfaceId) // ERC-165, ERC-721, ERC-721 metadata
            || interfaceId == 0x2a55205a // ERC-2981
            || interfaceId == 0x49064906 // ERC-4906
            || interfaceId == 0x7f5828d0 // ERC-173
            || interfaceId == 0xf695d948 // transferWithSignature, transferNonceUsed, cancelTransferNonce
            || (interfaceId == 0xb45a3c0e && soulbound()); // ERC-5192
    }
}
