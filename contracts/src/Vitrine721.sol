// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The token contract of a collection of unique items
/// @notice The token id guards against a double mint: it is minted once, and once burnt it never comes back.
/// @dev The 96 spare bits of a token's ownership word (solady's "extra data") hold the lowest voucher nonce that is still
/// valid for it, all ones once it is burnt. So cancelling and burning need no slot of their own. The highest of them says
/// that somebody may be approved for the token: without it, a transfer needn't read who that is.
///
/// A run of consecutive ids may have its owners in contract code instead ("owners' blobs", a seventh of a slot's price):
///
///   - Ids are divided into chunks of 128. A blob holds neighbouring ids of one chunk; a chunk has up to 8 blobs, its layers,
///     filled in order and without an id in common.
///   - A blob stands where CREATE2 puts `BLOB_INIT_CODE` with the salt (chunk << 8 | layer), so finding it reads no storage.
///     That code asks its deployer, this contract, for what it is to become.
///   - Its code is a zero byte (so that nobody can run it), the place in the chunk of its first id plus one, and 20 bytes of
///     each owner's address, none of them zero.
///   - A token's ownership word wins over the blob when its owner bits aren't zero, or when it is burnt. A word that holds
///     only a lowest valid nonce says nothing of the owner. Approving, transferring and burning write that word.
///   - Where blobs may be is kept in the config word as a hull of chunks: bits 144-199 the first one, bits 200-255 the one
///     after the last. Mints outside it needn't look for blobs.
contract Vitrine721 is ERC721, VitrineToken {
    uint256 private constant BURNT = type(uint96).max;
    uint256 private constant MAX_NONCE = (1 << 95) - 2;
    uint256 private constant APPROVED = 1 << 95;
    /// @dev A mint that is no voucher's passes any nonce but the tombstone.
    uint256 private constant ANY_NONCE = BURNT - 1;

    /// @dev Where solady's ERC721 keeps owners and balances; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x7d8825530a5a2e7a << 192;
    uint256 private constant ACCOUNT_BALANCE = 0xffffffff;
    uint256 private constant TRANSFER_TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

    uint256 private constant MINT_SKIPPED_TOPIC = 0x3ecf7b2e594d66d7930ff3d2354c0a6a451d5672eea3f7b35b0d2702e5c3e002;

    uint256 private constant CHUNK_BITS = 7;
    uint256 private constant CHUNK_SIZE = 1 << CHUNK_BITS;
    uint256 private constant LAYERS = 8;
    /// @dev Above these ids there are no blobs: chunks are numbered in 56 bits.
    uint256 private constant BLOB_IDS = 1 << (56 + CHUNK_BITS);
    uint256 private constant HULL_FIRST_SHIFT = 144;
    uint256 private constant HULL_END_SHIFT = 200;
    uint256 private constant HULL_MASK = 0xffffffffffffff;
    /// @dev A run of this length still fits into one transaction (EIP-7825).
    uint256 private constant LONGEST_RUN = 500;

    /// @dev Calls `blobInCreation()` of its deployer and becomes what that answers:
    /// push4 selector, push0, mstore, push0, push0, push1 4, push1 28, caller, gas, staticcall, returndatasize, push0,
    /// push0, returndatacopy, returndatasize, push0, return.
    uint256 private constant BLOB_INIT_CODE = 0x63cdb802445f525f5f6004601c335afa3d5f5f3e3d5ff3;
    uint256 private constant BLOB_INIT_CODE_LENGTH = 23;
    /// @dev keccak256 of those bytes.
    uint256 private constant BLOB_INIT_CODE_HASH = 0x19faa6443e354be24843077ff26d522bf6fa3d4d34d332bc8540d18e56277a77;

    /// @notice An entry of a batch couldn't be minted and was left out: its id exists, was burnt, or is out of bounds.
    event MintSkipped(uint256 id);
    /// @dev ERC-5192.
    event Locked(uint256 tokenId);
    /// @dev ERC-4906.
    event MetadataUpdate(uint256 _tokenId);
    /// @dev ERC-4906.
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    error TokenIsBurnt();
    error VoucherIsCancelled();
    error WrongQuantity();
    error WrongNonce();
    error ValueNotAccepted();
    error ChunkIsFull();
    error BlobNotStored();

    constructor(string memory metadataPrefix) VitrineToken(metadataPrefix) {}

    // ----------------------------------------------------------------------------------------------------- minting

    /// @notice Mints token `id` to `to`. A receiving contract isn't asked.
    function adminMint(address to, uint256 id) external {
        uint256 config = _config;
        uint256 terms = _terms();
        _checkMinter(config, terms);
        _mintOrRevert(config, terms, to, id, ANY_NONCE);
    }

    /// @notice Mints many tokens. What can't be minted is left out with `MintSkipped`; the others are minted.
    /// @param packed One byte w (1 to 32), the width of the ids, then for each token 20 bytes of its recipient's address
    /// and w bytes of its id.
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

    /// @return added How many of them were minted.
    function _mintMany(uint256 position, uint256 end, uint256 width, uint256 config, uint256 terms)
        private
        returns (uint256 added)
    {
        // Ids from `lowest` up to `lowest + span` fit while there is room.
        uint256 room = type(uint256).max;
        uint256 lowest;
        uint256 span = type(uint256).max;
        unchecked {
            uint256 cap = _cap(config, terms);
            if (terms & MANUAL_IDS != 0) room = cap - _minted(config);
            else if (cap == 0) room = 0;
            else if (cap != NO_CAP) (lowest, span) = (1, cap - 1);
        }
        // From here on only the topic of the event that a soulbound token needs besides, if any.
        terms = terms & SOULBOUND == 0 ? 0 : uint256(Locked.selector);
        while (position < end) {
            uint256 id;
            bool fits;
            {
                bool inHull;
                assembly ("memory-safe") {
                    id := shr(sub(256, shl(3, width)), calldataload(add(position, 20)))
                    fits := lt(gt(sub(id, lowest), span), lt(added, room))
                    // As `_isInHull`.
                    let first := and(shr(HULL_FIRST_SHIFT, config), HULL_MASK)
                    inHull := lt(sub(shr(CHUNK_BITS, id), first), sub(shr(HULL_END_SHIFT, config), first))
                }
                if (inHull && _ownerInBlobs(id) != address(0)) fits = false;
            }
            assembly ("memory-safe") {
                let to := shr(96, calldataload(position))
                position := add(position, add(20, width))
                // As `_place`.
                mstore(0x00, id)
                mstore(0x1c, SLOT_SEED)
                let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
                let ownership := sload(ownershipSlot)
                // Burnt: all of the spare bits are ones.
                let forbidden := or(iszero(to), or(shl(96, ownership), iszero(shr(160, not(ownership)))))
                switch or(forbidden, iszero(fits))
                case 0 {
                    mstore(0x00, to)
                    let balanceSlot := keccak256(0x0c, 0x1c)
                    let held := add(sload(balanceSlot), 1)
                    if iszero(and(held, ACCOUNT_BALANCE)) {
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

    /// @notice Mints tokens with consecutive ids for two thirds of the price: their owners are stored as code. All of them
    /// are minted, or none: an id that exists, was burnt or is out of bounds reverts. A receiving contract isn't asked.
    /// @param firstId The first token's id; below 2^63, as all of them.
    /// @param owners 20 bytes of each token's owner, at most 500 of them. Dearest is what a chunk of 128 ids (0 to 127, and
    /// so on) costs besides, so runs that keep to their bounds are cheapest. A chunk takes up to 8 runs.
    function adminMintRun(uint256 firstId, bytes calldata owners) external {
        uint256 config = _config;
        uint256 terms = _terms();
        _checkMinter(config, terms);
        uint256 count = owners.length / 20;
        if (count == 0 || count > LONGEST_RUN || owners.length % 20 != 0) revert WrongPacking();
        if (firstId > BLOB_IDS - count) revert WrongRange();
        uint256 cap = _cap(config, terms);
        unchecked {
            uint256 end = firstId + count;
            if (terms & MANUAL_IDS != 0 ? count > cap - _minted(config) : cap != NO_CAP && (firstId == 0 || end - 1 > cap)) {
                revert MaxSupplyReached();
            }
            uint256 position;
            assembly ("memory-safe") {
                position := owners.offset
            }
            for (uint256 id = firstId; id != end;) {
                uint256 length = CHUNK_SIZE - (id & (CHUNK_SIZE - 1));
                if (length > end - id) length = end - id;
                _storeBlob(config, id, length, position);
                _placeRun(terms, id, length, position);
                id += length;
                position += 20 * length;
            }
            uint256 changed = _widenHull(config, firstId >> CHUNK_BITS, ((end - 1) >> CHUNK_BITS) + 1);
            if (terms & MANUAL_IDS != 0) changed += count << MINTED_SHIFT;
            if (changed != config) _config = changed;
        }
    }

    /// @notice What a blob becomes: its init code asks for it while `adminMintRun` creates it. Nothing else has a use for it.
    function blobInCreation() external view {
        assembly {
            let length := tload(0)
            for { let i := 0 } lt(i, length) { i := add(i, 0x20) } { mstore(i, tload(add(i, 1))) }
            return(0x00, length)
        }
    }

    /// @notice Mints the voucher's token to its minter, against exactly its price. Anyone may send it. A receiving
    /// contract isn't asked.
    /// @param signature 64 or 65 bytes of a key that holds SIGNER, or the address of a contract that holds SIGNER
    /// followed by its ERC-1271 signature.
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

    /// @notice Makes this voucher and all older ones of its token void. For its minter, and for owner, minters and
    /// signers of the contract.
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

    /// @notice The lowest nonce that a voucher for token `id` may have; 2^96 - 1 once it is burnt.
    function lowestValidNonce(uint256 id) external view returns (uint256) {
        uint256 extra = _getExtraData(id);
        return extra == BURNT ? BURNT : extra & ~APPROVED;
    }

    /// @notice Destroys token `id` for ever. For its owner, or whom its owner has approved.
    function burn(uint256 id) external {
        _settle(id);
        _burn(msg.sender, id);
        _setExtraData(id, uint96(BURNT));
    }

    /// @notice Lowers the max supply. With automatic ids it bounds the ids from 1 on, and tokens above a bound that was
    /// lowered later stay; with ids given by hand it bounds their number.
    function setMaxSupply(uint256 newMaxSupply) external {
        _checkManager();
        // Zero where ids are automatic: nothing is counted there.
        _lowerMaxSupply(newMaxSupply, _minted(_config));
    }

    function _mintOrRevert(uint256 config, uint256 terms, address to, uint256 id, uint256 nonce) private {
        if (!_fits(terms, _cap(config, terms), _minted(config), id)) revert MaxSupplyReached();
        if (!_place(config, terms, to, id, nonce)) _explain(to, id);
        if (terms & MANUAL_IDS != 0) _config = config + (1 << MINTED_SHIFT);
    }

    /// @dev Ids that are counted up start at 1, so the id itself tells whether it is within the supply.
    function _fits(uint256 terms, uint256 cap, uint256 minted, uint256 id) private pure returns (bool) {
        if (terms & MANUAL_IDS != 0) return minted < cap;
        unchecked {
            return cap == NO_CAP || id - 1 < cap;
        }
    }

    /// @dev Writes owner and balance as solady's `_mint` does, unless the token exists or its lowest valid nonce is
    /// above `nonce`; one read of the ownership word decides both, where there are no blobs.
    function _place(uint256 config, uint256 terms, address to, uint256 id, uint256 nonce) private returns (bool placed) {
        bool inHull;
        assembly ("memory-safe") {
            // As `_isInHull`.
            let first := and(shr(HULL_FIRST_SHIFT, config), HULL_MASK)
            inHull := lt(sub(shr(CHUNK_BITS, id), first), sub(shr(HULL_END_SHIFT, config), first))
        }
        if (inHull && _ownerInBlobs(id) != address(0)) return false;
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, SLOT_SEED)
            let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            let ownership := sload(ownershipSlot)
            if iszero(or(or(iszero(to), shl(96, ownership)), gt(shr(160, ownership), nonce))) {
                mstore(0x00, to)
                let balanceSlot := keccak256(0x0c, 0x1c)
                let held := add(sload(balanceSlot), 1)
                if iszero(and(held, ACCOUNT_BALANCE)) {
                    mstore(0x00, 0x01336cea) // AccountBalanceOverflow()
                    revert(0x1c, 0x04)
                }
                sstore(ownershipSlot, or(ownership, to))
                sstore(balanceSlot, held)
                log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                placed := 1
            }
        }
        if (terms & SOULBOUND != 0 && placed) emit Locked(id);
    }

    /// @dev Why `_place` refused.
    function _explain(address to, uint256 id) private view {
        if (to == address(0)) revert TransferToZeroAddress();
        if (_exists(id)) revert TokenAlreadyExists();
        if (_getExtraData(id) == BURNT) revert TokenIsBurnt();
        revert VoucherIsCancelled();
    }

    // ---------------------------------------------------------------------------------------------- owners' blobs

    /// @dev Stores the owners of `length` ids from `firstId` on, all of one chunk, as a new blob of that chunk.
    /// @param position Where in the calldata the owners are.
    function _storeBlob(uint256 config, uint256 firstId, uint256 length, uint256 position) private {
        uint256 chunk = firstId >> CHUNK_BITS;
        uint256 place = firstId & (CHUNK_SIZE - 1);
        uint256 layer;
        if (_isInHull(config, chunk)) layer = _freeLayer(chunk, place, length);
        uint256 size;
        address blob;
        assembly ("memory-safe") {
            size := add(2, mul(20, length))
            let m := mload(0x40)
            mstore(m, shl(240, add(place, 1)))
            calldatacopy(add(m, 0x02), position, sub(size, 0x02))
            mstore(add(m, size), 0)
            tstore(0, size)
            for { let i := 0 } lt(i, size) { i := add(i, 0x20) } { tstore(add(i, 1), mload(add(m, i))) }
            mstore(0x00, BLOB_INIT_CODE)
            let start := sub(0x20, BLOB_INIT_CODE_LENGTH)
            blob := create2(0, start, BLOB_INIT_CODE_LENGTH, or(shl(8, chunk), layer))
        }
        // Its creation may have run out of gas and left an empty account.
        if (blob.code.length != size) revert BlobNotStored();
    }

    /// @dev The first layer of a chunk without a blob. Reverts when an earlier one holds any of `length` ids from `place` on.
    function _freeLayer(uint256 chunk, uint256 place, uint256 length) private view returns (uint256 layer) {
        unchecked {
            for (; layer < LAYERS; ++layer) {
                (address blob, uint256 first) = _blobOf(chunk, layer);
                if (first == 0) return layer;
                uint256 start = first - 1;
                uint256 end = start + (blob.code.length - 2) / 20;
                if (place < end && start < place + length) revert TokenAlreadyExists();
            }
        }
        revert ChunkIsFull();
    }

    /// @dev Counts the run's tokens and tells of them, each as `_place` does. Their owners are in a blob.
    function _placeRun(uint256 terms, uint256 firstId, uint256 length, uint256 position) private {
        uint256 lockedTopic = terms & SOULBOUND == 0 ? 0 : uint256(Locked.selector);
        assembly ("memory-safe") {
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
                let held := add(sload(balanceSlot), 1)
                if iszero(mul(to, and(held, ACCOUNT_BALANCE))) {
                    // TransferToZeroAddress(), AccountBalanceOverflow()
                    mstore(shl(2, iszero(to)), 0xea553b3401336cea)
                    revert(0x1c, 0x04)
                }
                sstore(balanceSlot, held)
                log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                if lockedTopic {
                    mstore(0x00, id)
                    log1(0x00, 0x20, lockedTopic)
                }
            }
        }
    }

    function _isInHull(uint256 config, uint256 chunk) private pure returns (bool) {
        unchecked {
            uint256 first = (config >> HULL_FIRST_SHIFT) & HULL_MASK;
            return chunk - first < (config >> HULL_END_SHIFT) - first;
        }
    }

    /// @dev The config word whose hull also has the chunks from `first` up to the one before `end`.
    function _widenHull(uint256 config, uint256 first, uint256 end) private pure returns (uint256) {
        uint256 oldFirst = (config >> HULL_FIRST_SHIFT) & HULL_MASK;
        uint256 oldEnd = config >> HULL_END_SHIFT;
        if (oldEnd != 0) {
            if (oldFirst < first) first = oldFirst;
            if (oldEnd > end) end = oldEnd;
        }
        uint256 rest = config & ((1 << HULL_FIRST_SHIFT) - 1);
        return rest | (first << HULL_FIRST_SHIFT) | (end << HULL_END_SHIFT);
    }

    /// @dev Where the blob of this layer stands or would stand.
    /// @return blob Its address.
    /// @return first The place in the chunk of its first id plus one; 0 when there is no such blob.
    function _blobOf(uint256 chunk, uint256 layer) private view returns (address blob, uint256 first) {
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, or(shl(248, 0xff), shl(88, address())))
            mstore(add(m, 0x15), or(shl(8, chunk), layer))
            mstore(add(m, 0x35), BLOB_INIT_CODE_HASH)
            blob := shr(96, shl(96, keccak256(m, 0x55)))
            mstore(0x00, 0)
            extcodecopy(blob, 0x00, 0x00, 0x02)
            first := byte(1, mload(0x00))
        }
    }

    /// @dev Who owns `id` by the blobs alone, or zero; its ownership word may know better.
    function _ownerInBlobs(uint256 id) private view returns (address holder) {
        if (id >= BLOB_IDS) return address(0);
        unchecked {
            for (uint256 layer; layer < LAYERS; ++layer) {
                (address blob, uint256 first) = _blobOf(id >> CHUNK_BITS, layer);
                if (first == 0) return address(0);
                // Below zero, and so beyond the end, for an id before the blob's first one.
                uint256 index = (id & (CHUNK_SIZE - 1)) + 1 - first;
                if (index >= CHUNK_SIZE) continue;
                assembly ("memory-safe") {
                    mstore(0x00, 0)
                    extcodecopy(blob, 0x0c, add(2, mul(20, index)), 20)
                    holder := mload(0x00)
                }
                if (holder != address(0)) return holder;
            }
        }
    }

    /// @dev The token's owner, or zero when it doesn't exist.
    function _ownerOf(uint256 id) internal view override returns (address holder) {
        holder = super._ownerOf(id);
        if (holder == address(0) && _getExtraData(id) != BURNT) holder = _ownerInBlobs(id);
    }

    function _exists(uint256 id) internal view override returns (bool) {
        return _ownerOf(id) != address(0);
    }

    /// @dev Writes the owner that only a blob knows into the token's ownership word, where solady looks for it.
    function _settle(uint256 id) private {
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

    function name() public view override returns (string memory) {
        return _name();
    }

    function symbol() public view override returns (string memory) {
        return _symbol();
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return _tokenURI(id);
    }

    /// @notice Tells marketplaces to read the metadata of tokens `from` to `to` again (ERC-4906).
    function refreshMetadata(uint256 from, uint256 to) external {
        _checkManager();
        if (from > to) revert WrongRange();
        if (from == to) emit MetadataUpdate(from);
        else emit BatchMetadataUpdate(from, to);
    }

    function _announceAllMetadata() internal override {
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    // ------------------------------------------------------------------------------------------- transfers, ERC-165

    /// @notice ERC-5192: whether token `id` can't be transferred.
    function locked(uint256 id) external view returns (bool) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return soulbound();
    }

    function approve(address account, uint256 id) public payable override {
        _checkTransferable();
        _settle(id);
        _approve(msg.sender, account, id);
        if (account != address(0)) _setExtraData(id, uint96(_getExtraData(id) | APPROVED));
    }

    function getApproved(uint256 id) public view override returns (address) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return _getApproved(id);
    }

    function setApprovalForAll(address operator, bool isApproved) public override {
        if (soulbound()) revert TokenIsSoulbound();
        super.setApprovalForAll(operator, isApproved);
    }

    /// @notice Transfers token `id`. For its owner, or whom its owner has approved.
    /// @dev Solady's, but for a token whose owner only a blob knows, and for the approval, which is read only where there
    /// may be one. Burning isn't concerned: who can't give a token away may part with it.
    function transferFrom(address from, address to, uint256 id) public payable override {
        uint256 ownershipSlot;
        uint256 ownership;
        bool unsettled;
        assembly ("memory-safe") {
            // The terms' flags and the value in one look; `_checkTransferable` says which of them it is.
            extcodecopy(address(), 0x00, ARGS_START, 0x01)
            unsettled := or(callvalue(), and(byte(0, mload(0x00)), 1))
        }
        if (unsettled) _checkTransferable();
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, or(SLOT_SEED, caller()))
            ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            ownership := sload(ownershipSlot)
            unsettled := iszero(shl(96, ownership))
        }
        if (unsettled) {
            if (ownership >> 160 == BURNT) revert TokenDoesNotExist();
            ownership |= uint160(_ownerInBlobs(id));
            assembly ("memory-safe") {
                mstore(0x1c, or(SLOT_SEED, caller()))
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
                if iszero(or(eq(caller(), from), eq(caller(), approved))) {
                    if iszero(sload(keccak256(0x0c, 0x30))) {
                        mstore(0x00, 0x4b6e7f18) // NotOwnerNorApproved()
                        revert(0x1c, 0x04)
                    }
                }
                if approved { sstore(add(1, ownershipSlot), 0) }
            }
            sstore(ownershipSlot, shr(1, shl(1, xor(ownership, xor(from, to)))))
            let balanceSlot := keccak256(0x0c, 0x1c)
            sstore(balanceSlot, sub(sload(balanceSlot), 1))
            mstore(0x00, to)
            balanceSlot := keccak256(0x0c, 0x1c)
            let held := add(sload(balanceSlot), 1)
            if iszero(mul(to, and(held, ACCOUNT_BALANCE))) {
                // TransferToZeroAddress(), AccountBalanceOverflow()
                mstore(shl(2, iszero(to)), 0xea553b3401336cea)
                revert(0x1c, 0x04)
            }
            sstore(balanceSlot, held)
            log4(codesize(), 0x00, TRANSFER_TOPIC, from, to, id)
        }
    }

    /// @dev The standard's payable functions take no value here: nothing could ever get it out again.
    function _checkTransferable() private view {
        if (msg.value != 0) revert ValueNotAccepted();
        if (soulbound()) revert TokenIsSoulbound();
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return super.supportsInterface(interfaceId) // ERC-165, ERC-721, ERC-721 metadata
            || interfaceId == 0x2a55205a // ERC-2981
            || interfaceId == 0x49064906 // ERC-4906
            || interfaceId == 0x7f5828d0 // ERC-173
            || (interfaceId == 0xb45a3c0e && soulbound()); // ERC-5192
    }
}
