// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnersBlobs} from "./OwnersBlobs.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The token contract of a collection of unique items
/// @notice The token id guards against a double mint: it is minted once, and once burnt it never comes back.
/// @dev The 96 spare bits of a token's ownership word (solady's "extra data") hold the lowest voucher nonce that is still
/// valid for it, all ones once it is burnt. So cancelling and burning need no slot of their own. The highest of them says
/// that somebody may be approved for the token: without it, a transfer needn't read who that is.
///
/// A run of consecutive ids may have its owners in contract code instead (`OwnersBlobs`, a seventh of a slot's price):
///
///   - A token's ownership word wins over the blob when its owner bits aren't zero, or when it is burnt. A word that holds
///     only a lowest valid nonce says nothing of the owner. Approving, transferring and burning write that word.
///   - Where blobs may be is kept in the config word, from bit 144 on. Mints outside it needn't look for blobs.
///   - An owner's balance word says, above the balance, in which layer a run last gave that owner a token: the first place
///     to look in when the owner transfers one. It is a hint and no more.
contract Vitrine721 is OwnersBlobs, VitrineToken {
    uint256 private constant BURNT = type(uint96).max;
    uint256 private constant MAX_NONCE = (1 << 95) - 2;
    uint256 private constant APPROVED = 1 << 95;
    /// @dev A mint that is no voucher's passes any nonce but the tombstone.
    uint256 private constant ANY_NONCE = BURNT - 1;

    /// @dev Where solady's ERC721 keeps owners and balances; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x7d8825530a5a2e7a << 192;
    uint256 private constant ACCOUNT_BALANCE = 0xffffffff;
    /// @dev Above the balance in the same word: the layer of the owner's last token from a run.
    uint256 private constant LAYER_SHIFT = 32;
    uint256 private constant TRANSFER_TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

    uint256 private constant MINT_SKIPPED_TOPIC = 0x3ecf7b2e594d66d7930ff3d2354c0a6a451d5672eea3f7b35b0d2702e5c3e002;

    /// @dev A run of this length still fits into one transaction (EIP-7825).
    uint256 private constant LONGEST_RUN = 500;

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
                if (inHull && _ownerInBlobs(id, 0) != address(0)) fits = false;
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
                _placeRun(terms, id, length, position, _storeBlob(config, id, length, position));
                id += length;
                position += 20 * length;
            }
            uint256 counted = terms & MANUAL_IDS == 0 ? 0 : count << MINTED_SHIFT;
            uint256 changed = _widenHull(config, firstId >> CHUNK_BITS, ((end - 1) >> CHUNK_BITS) + 1) + counted;
            if (changed != config) _config = changed;
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
    function setMaxSupply(uint256 newMaxSupply) external onlyManager {
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
    function _place(uint256 config, uint256 terms, address to, uint256 id, uint256 nonce)
        private
        returns (bool placed)
    {
        bool inHull;
        assembly ("memory-safe") {
            // As `_isInHull`.
            let first := and(shr(HULL_FIRST_SHIFT, config), HULL_MASK)
            inHull := lt(sub(shr(CHUNK_BITS, id), first), sub(shr(HULL_END_SHIFT, config), first))
        }
        if (inHull && _ownerInBlobs(id, 0) != address(0)) return false;
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

    /// @dev Counts the run's tokens and tells of them, each as `_place` does. Their owners are in a blob.
    function _placeRun(uint256 terms, uint256 firstId, uint256 length, uint256 position, uint256 layer) private {
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
                let held := and(add(sload(balanceSlot), 1), ACCOUNT_BALANCE)
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

    /// @dev The token's owner, or zero when it doesn't exist.
    function _ownerOf(uint256 id) internal view override returns (address holder) {
        holder = super._ownerOf(id);
        if (holder == address(0) && _getExtraData(id) != BURNT) holder = _ownerInBlobs(id, 0);
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
    function refreshMetadata(uint256 from, uint256 to) external onlyManager {
        if (from > to) revert WrongRange();
        if (from == to) emit MetadataUpdate(from);
        else emit BatchMetadataUpdate(from, to);
    }

    /// @notice Changes what a token's id is appended to; empty goes back to the default.
    function setBaseURI(string calldata newBaseURI) public override {
        super.setBaseURI(newBaseURI);
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    // ------------------------------------------------------------------------------------------- transfers, ERC-165

    /// @notice ERC-5192: whether token `id` can't be transferred.
    function locked(uint256 id) external view returns (bool) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return soulbound();
    }

    function approve(address account, uint256 id) public payable override {
        // The standard's payable functions take no value here: nothing could ever get it out again.
        if (msg.value != 0) revert ValueNotAccepted();
        if (soulbound()) revert TokenIsSoulbound();
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
            // The terms' flags and the value in one look.
            extcodecopy(address(), 0x00, ARGS_START, 0x01)
            unsettled := or(callvalue(), and(byte(0, mload(0x00)), 1))
        }
        if (unsettled) {
            if (msg.value != 0) revert ValueNotAccepted();
            revert TokenIsSoulbound();
        }
        assembly ("memory-safe") {
            mstore(0x00, id)
            mstore(0x1c, or(SLOT_SEED, caller()))
            ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            ownership := sload(ownershipSlot)
            unsettled := iszero(shl(96, ownership))
        }
        if (unsettled) {
            if (ownership >> 160 == BURNT) revert TokenDoesNotExist();
            ownership |= uint160(_ownerInBlobs(id, _getAux(from)));
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
            let left := sub(sload(balanceSlot), 1)
            // Who has none left keeps no hint either.
            sstore(balanceSlot, mul(left, iszero(iszero(and(left, ACCOUNT_BALANCE)))))
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

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return super.supportsInterface(interfaceId) // ERC-165, ERC-721, ERC-721 metadata
            || interfaceId == 0x2a55205a // ERC-2981
            || interfaceId == 0x49064906 // ERC-4906
            || interfaceId == 0x7f5828d0 // ERC-173
            || (interfaceId == 0xb45a3c0e && soulbound()); // ERC-5192
    }
}
