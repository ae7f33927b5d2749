// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1155} from "solady/tokens/ERC1155.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The token contract of a collection whose items have many units
/// @notice A bitmap of used ids guards against a double mint. Requests of ours and vouchers' nonces share it and come
/// from one sequence, so that 256 of them share a slot.
contract Vitrine1155 is ERC1155, VitrineToken {
    /// @dev What giving to a contract may use in a batch, of which some 30,000 is ours: enough for wallets and vaults, and a
    /// hundred receivers that burn it all still fit into one transaction.
    uint256 private constant RECEIVER_GAS = 150_000;

    /// @dev Where solady's ERC1155 keeps balances; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x9a31110384e0b0c9;
    uint256 private constant TRANSFER_SINGLE_TOPIC = 0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62;

    /// @dev Bits of a token's supply word: units minted below, its max supply inverted above, so that 0 means none.
    uint256 private constant TOKEN_CAP_SHIFT = 128;
    uint256 private constant NO_TOKEN_CAP = type(uint128).max;

    /// @notice An entry of a batch couldn't be minted and was left out.
    /// @param reason The selector of the error that the entry alone would have met.
    event MintRefused(uint256 indexed requestId, bytes4 reason);
    /// @notice A voucher was used; the transfer that it caused is in the same transaction.
    event VoucherRedeemed(uint256 indexed nonce);
    event TokenMaxSupplySet(uint256 indexed tokenId, uint256 maxSupply);

    error AmountIsZero();
    error RequestIsUsed();
    error VoucherIsUsed();
    error NotEnoughGas();

    mapping(uint256 bucket => uint256) private _used;
    mapping(uint256 tokenId => uint256) private _supplies;

    /// @dev How a batch is packed, and what it knows of the storage without having written it back.
    struct Batch {
        uint256 idWidth;
        uint256 amountWidth;
        uint256 requestWidth;
        /// How many units of the token may still be minted: its own bound or the collection's. 0 when nothing is loaded.
        uint256 room;
        uint256 tokenId;
        uint256 bucket;
        uint256 used;
        uint256 roomAtFirst;
        uint256 config;
        uint256 supply;
        uint256 terms;
        bool loaded;
    }

    constructor(string memory metadataPrefix) VitrineToken(metadataPrefix) {}

    // ----------------------------------------------------------------------------------------------------- minting

    /// @notice Mints `amount` units of token `id` to `to`.
    /// @param requestId Works once, in this contract, for ever.
    function adminMint(address to, uint256 id, uint256 amount, uint256 requestId) external {
        uint256 terms = _terms();
        _checkMinter(_config, terms);
        if (!_use(requestId)) revert RequestIsUsed();
        _mintOrRevert(terms, msg.sender, to, id, amount);
    }

    /// @notice Mints many. What can't be minted, be it that its receiver refuses, is left out with `MintRefused` and its
    /// request id stays unused; the others are minted.
    /// @param packed Three bytes, the widths (1 to 32) of ids, amounts and request ids, then for each entry 20 bytes of
    /// its recipient's address, its id, amount and request id.
    function adminMintMultiple(bytes calldata packed) external {
        Batch memory batch;
        batch.terms = _terms();
        _checkMinter(_config, batch.terms);
        uint256 stride;
        assembly ("memory-safe") {
            let widths := calldataload(packed.offset)
            let idWidth := byte(0, widths)
            let amountWidth := byte(1, widths)
            let requestWidth := byte(2, widths)
            mstore(batch, idWidth)
            mstore(add(batch, 0x20), amountWidth)
            mstore(add(batch, 0x40), requestWidth)
            stride := add(add(20, idWidth), add(amountWidth, requestWidth))
            // A width of zero is as one above 32.
            let right := and(lt(sub(idWidth, 1), 32), and(lt(sub(amountWidth, 1), 32), lt(sub(requestWidth, 1), 32)))
            stride := mul(stride, and(right, gt(packed.length, 2)))
        }
        if (stride == 0 || (packed.length - 3) % stride != 0) revert WrongPacking();
        uint256 position;
        assembly ("memory-safe") {
            position := add(packed.offset, 3)
        }
        _mintMany(batch, position, position + packed.length - 3);
        _flush(batch);
    }

    /// @notice Gives units to a contract within a batch. Only for this contract itself, which calls it so that a refusal
    /// undoes that entry and nothing else.
    function giveToReceiver(address operator, address to, uint256 id, uint256 amount) external {
        if (msg.sender != address(this)) revert Unauthorized();
        _credit(operator, to, id, amount);
        _askReceiver(operator, to, id, amount);
    }

    /// @notice Mints the voucher's units to its minter, against exactly price × quantity. Anyone may send it.
    /// @param signature 64 or 65 bytes of a key that holds SIGNER, or the address of a contract that holds SIGNER
    /// followed by its ERC-1271 signature.
    function mintWithVoucher(MintVoucher calldata voucher, bytes calldata signature) external payable {
        (uint256 terms, address defaultSigner) = _termsAndSigner();
        uint256 total = voucher.price * voucher.quantity;
        _checkVoucher(_config, defaultSigner, voucher, signature, total);
        if (!_use(voucher.nonce)) revert VoucherIsUsed();
        emit VoucherRedeemed(voucher.nonce);
        _mintOrRevert(terms, msg.sender, voucher.minter, voucher.tokenId, voucher.quantity);
        _payOut(voucher, total);
    }

    /// @notice Makes this voucher void. For its minter, and for owner, minters and signers of the contract.
    function cancelVoucher(MintVoucher calldata voucher, bytes calldata signature) external {
        _checkCanceller(voucher, signature);
        if (!_use(voucher.nonce)) revert VoucherIsUsed();
        emit VoucherCancelled(voucher.tokenId, voucher.nonce);
    }

    /// @notice Whether a request id or voucher nonce was used, or cancelled.
    function isUsed(uint256 requestIdOrNonce) external view returns (bool) {
        return _used[requestIdOrNonce >> 8] & (1 << (requestIdOrNonce & 255)) != 0;
    }

    /// @notice Destroys `amount` units of token `id`. For their owner, or whom it has approved.
    function burn(address from, uint256 id, uint256 amount) external {
        _burn(msg.sender, from, id, amount);
    }

    function _use(uint256 requestId) private returns (bool isFirst) {
        uint256 bit = 1 << (requestId & 255);
        uint256 used = _used[requestId >> 8];
        isFirst = used & bit == 0;
        if (isFirst) _used[requestId >> 8] = used | bit;
    }

    function _mintOrRevert(uint256 terms, address operator, address to, uint256 id, uint256 amount) private {
        uint256 config = _config;
        uint256 supply = _supplies[id];
        bytes4 reason = _refusal(_room(config, terms, supply), to, amount);
        if (reason != 0) {
            assembly ("memory-safe") {
                mstore(0x00, reason)
                revert(0x00, 0x04)
            }
        }
        unchecked {
            _config = config + (amount << MINTED_SHIFT);
            _supplies[id] = supply + amount;
        }
        _credit(operator, to, id, amount);
        if (to.code.length != 0) _askReceiver(operator, to, id, amount);
    }

    /// @dev Mints the usual entry at once: nothing forbids it, it goes to no contract, and the storage it needs is what the
    /// entry before it needed. `_mintEntry` does the others.
    function _mintMany(Batch memory batch, uint256 position, uint256 end) private {
        while (position < end) {
            address to;
            uint256 id;
            uint256 amount;
            uint256 requestId;
            uint256 unusual;
            assembly ("memory-safe") {
                to := shr(96, calldataload(position))
                position := add(position, 20)
                let width := mload(batch)
                id := shr(sub(256, shl(3, width)), calldataload(position))
                position := add(position, width)
                width := mload(add(batch, 0x20))
                amount := shr(sub(256, shl(3, width)), calldataload(position))
                position := add(position, width)
                width := mload(add(batch, 0x40))
                requestId := shr(sub(256, shl(3, width)), calldataload(position))
                position := add(position, width)

                let room := mload(add(batch, 0x60))
                let used := mload(add(batch, 0xc0))
                let bit := shl(and(requestId, 255), 1)
                unusual := or(xor(mload(add(batch, 0x80)), id), xor(mload(add(batch, 0xa0)), shr(8, requestId)))
                // An amount of zero is as one above any room.
                unusual := or(unusual, or(and(used, bit), iszero(mul(to, lt(sub(amount, 1), room)))))
                unusual := or(unusual, extcodesize(to))
                if iszero(unusual) {
                    mstore(add(batch, 0xc0), or(used, bit))
                    mstore(add(batch, 0x60), sub(room, amount))
                    // As `_credit`.
                    mstore(0x20, SLOT_SEED)
                    mstore(0x14, to)
                    mstore(0x00, id)
                    let balanceSlot := keccak256(0x00, 0x40)
                    sstore(balanceSlot, add(sload(balanceSlot), amount))
                    mstore(0x20, amount)
                    log4(0x00, 0x40, TRANSFER_SINGLE_TOPIC, caller(), 0, to)
                }
            }
            if (unusual != 0) _mintEntry(batch, to, id, amount, requestId);
        }
    }

    /// @dev Mints one entry of a batch, or tells why not.
    function _mintEntry(Batch memory batch, address to, uint256 id, uint256 amount, uint256 requestId) private {
        _load(batch, id, requestId >> 8);
        uint256 bit = 1 << (requestId & 255);
        uint256 used = batch.used;
        bytes4 reason = used & bit != 0 ? RequestIsUsed.selector : _refusal(batch.room, to, amount);
        if (reason != 0) {
            emit MintRefused(requestId, reason);
            return;
        }
        unchecked {
            batch.used = used | bit;
            batch.room -= amount;
        }
        if (to.code.length == 0) {
            _credit(msg.sender, to, id, amount);
            return;
        }
        // A stranger's code runs now and may call back: the counts are written first, and read again afterwards.
        _flush(batch);
        if (_give(to, id, amount)) {
            batch.loaded = false;
            batch.room = 0;
            return;
        }
        unchecked {
            batch.used = used;
            batch.room += amount;
        }
        emit MintRefused(requestId, TransferToNonERC1155ReceiverImplementer.selector);
    }

    /// @dev Gives to a contract with limited gas; false when it refused, and then nothing happened.
    function _give(address to, uint256 id, uint256 amount) private returns (bool) {
        // With less, a receiver that would have accepted could be cut short: then the whole batch is to fail.
        if (gasleft() < RECEIVER_GAS * 64 / 63 + 10_000) revert NotEnoughGas();
        try this.giveToReceiver{gas: RECEIVER_GAS}(msg.sender, to, id, amount) {
            return true;
        } catch {
            return false;
        }
    }

    /// @dev Writes back what the next entry doesn't need, and reads what it does.
    function _load(Batch memory batch, uint256 id, uint256 bucket) private {
        bool first = !batch.loaded;
        if (first || batch.bucket != bucket) {
            if (!first) _used[batch.bucket] = batch.used;
            batch.bucket = bucket;
            batch.used = _used[bucket];
        }
        if (!first && batch.tokenId == id) return;
        if (first) {
            batch.config = _config;
        } else {
            uint256 minted = _mintedSince(batch);
            _supplies[batch.tokenId] = batch.supply + minted;
            batch.config += minted << MINTED_SHIFT;
        }
        batch.loaded = true;
        batch.tokenId = id;
        batch.supply = _supplies[id];
        batch.room = batch.roomAtFirst = _room(batch.config, batch.terms, batch.supply);
    }

    function _flush(Batch memory batch) private {
        if (!batch.loaded) return;
        uint256 minted = _mintedSince(batch);
        _config = batch.config + (minted << MINTED_SHIFT);
        _used[batch.bucket] = batch.used;
        _supplies[batch.tokenId] = batch.supply + minted;
    }

    /// @dev Units of the batch's token minted since its supply was read.
    function _mintedSince(Batch memory batch) private pure returns (uint256) {
        return batch.roomAtFirst - batch.room;
    }

    /// @dev The selector of the error that forbids this mint, or 0.
    function _refusal(uint256 room, address to, uint256 amount) private pure returns (bytes4) {
        if (to == address(0)) return TransferToZeroAddress.selector;
        if (amount == 0) return AmountIsZero.selector;
        if (amount > room) return MaxSupplyReached.selector;
        return 0;
    }

    /// @dev How many units of a token of this supply word may still be minted.
    function _room(uint256 config, uint256 terms, uint256 supply) private pure returns (uint256 room) {
        unchecked {
            room = _cap(config, terms) - _minted(config);
            uint256 tokenRoom = _tokenCap(supply) - uint128(supply);
            if (tokenRoom < room) room = tokenRoom;
        }
    }

    /// @dev Writes the balance as solady's `_mint` does, but names the operator, which within a batch isn't the caller.
    /// A balance can't overflow: no token's supply exceeds 2^64.
    function _credit(address operator, address to, uint256 id, uint256 amount) private {
        assembly ("memory-safe") {
            mstore(0x20, SLOT_SEED)
            mstore(0x14, to)
            mstore(0x00, id)
            let balanceSlot := keccak256(0x00, 0x40)
            sstore(balanceSlot, add(sload(balanceSlot), amount))
            mstore(0x20, amount)
            log4(0x00, 0x40, TRANSFER_SINGLE_TOPIC, shr(96, shl(96, operator)), 0, shr(96, shl(96, to)))
        }
    }

    /// @dev The standard has every receiving contract asked. Its answer is read into one word, however long it is.
    function _askReceiver(address operator, address to, uint256 id, uint256 amount) private {
        bytes memory question = abi.encodeWithSelector(0xf23a6e61, operator, address(0), id, amount, "");
        bool accepted;
        assembly ("memory-safe") {
            mstore(0x00, 0)
            accepted := call(gas(), to, 0, add(question, 0x20), mload(question), 0x00, 0x20)
            accepted := and(accepted, eq(mload(0x00), shl(224, 0xf23a6e61)))
        }
        if (!accepted) revert TransferToNonERC1155ReceiverImplementer();
    }

    // ------------------------------------------------------------------------------------------------------ supply

    /// @notice How many units of token `id` were ever minted, burnt ones included.
    function totalMinted(uint256 id) external view returns (uint256) {
        return uint128(_supplies[id]);
    }

    /// @notice How many units of token `id` there may ever be; 2^128 - 1 means any number.
    function tokenMaxSupply(uint256 id) external view returns (uint256) {
        return _tokenCap(_supplies[id]);
    }

    /// @notice Lowers the number of units that the whole collection may ever have.
    function setMaxSupply(uint256 newMaxSupply) external onlyManager {
        _lowerMaxSupply(newMaxSupply, _minted(_config));
    }

    /// @notice Lowers the number of units that token `id` may ever have.
    function setTokenMaxSupply(uint256 id, uint256 newMaxSupply) external onlyManager {
        uint256 supply = _supplies[id];
        uint256 minted = uint128(supply);
        if (newMaxSupply >= _tokenCap(supply)) revert MaxSupplyNotLower();
        if (newMaxSupply < minted) revert MaxSupplyBelowMinted();
        _supplies[id] = minted | ((NO_TOKEN_CAP - newMaxSupply) << TOKEN_CAP_SHIFT);
        emit TokenMaxSupplySet(id, newMaxSupply);
    }

    function _tokenCap(uint256 supply) private pure returns (uint256) {
        return NO_TOKEN_CAP - (supply >> TOKEN_CAP_SHIFT);
    }

    // ---------------------------------------------------------------------------------------------------- metadata

    function name() external view returns (string memory) {
        return _name();
    }

    function symbol() external view returns (string memory) {
        return _symbol();
    }

    function uri(uint256 id) public view override returns (string memory) {
        return _tokenURI(id);
    }

    /// @notice Tells marketplaces to read the metadata of tokens `from` to `to` again, by a `URI` event for each.
    function refreshMetadata(uint256 from, uint256 to) external onlyManager {
        if (from > to || to == type(uint256).max) revert WrongRange();
        for (uint256 id = from; id <= to; ++id) {
            emit URI(_tokenURI(id), id);
        }
    }

    // ------------------------------------------------------------------------------------------- transfers, ERC-165

    /// @dev Burning stays possible: whoever can't give a token away may still part with it.
    modifier onlyTransferable() {
        if (soulbound()) revert TokenIsSoulbound();
        _;
    }

    function setApprovalForAll(address operator, bool isApproved) public override onlyTransferable {
        super.setApprovalForAll(operator, isApproved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data)
        public
        override
        onlyTransferable
    {
        super.safeTransferFrom(from, to, id, amount, data);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) public override onlyTransferable {
        super.safeBatchTransferFrom(from, to, ids, amounts, data);
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return super.supportsInterface(interfaceId) // ERC-165, ERC-1155, ERC-1155 metadata URI
            || interfaceId == 0x2a55205a // ERC-2981
            || interfaceId == 0x7f5828d0; // ERC-173
    }
}
