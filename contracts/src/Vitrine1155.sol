// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1155} from "solady/tokens/ERC1155.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The ERC-1155 token contract of a collection whose items have many units
/// @notice A bitmap of used numbers guards against a double mint. Request ids and voucher nonces share it. Both are
/// taken from one sequence, so that 256 of them share a slot.
contract Vitrine1155 is ERC1155, VitrineToken {
    /// @dev Gas for giving units to a contract within a batch, of which this contract uses about 30,000. It is enough
    /// for wallets and vaults, and a hundred receivers that burn all of it still fit into one transaction.
    uint256 private constant RECEIVER_GAS = 150_000;

    /// @dev The slot seed of balances in solady's ERC1155; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x9a31110384e0b0c9;
    uint256 private constant TRANSFER_SINGLE_TOPIC = 0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62;

    /// @dev A token's supply word: the lower 128 bits are the units minted, the upper 128 bits the bitwise complement
    /// of the token's max supply, so that 0 means none.
    uint256 private constant TOKEN_CAP_SHIFT = 128;
    uint256 private constant NO_TOKEN_CAP = type(uint128).max;

    /// @dev The EIP-712 type hash of a transfer with a signature.
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithSignature(uint256 tokenId,uint256 amount,address from,address to,uint256 nonce,uint256 deadline)"
    );

    /// @notice Emitted by `adminMintMultiple` for an entry that it left out. The entry doesn't use up its request id.
    /// @param reason The selector of the error with which `adminMint` would have reverted.
    event MintRefused(uint256 indexed requestId, bytes4 reason);
    /// @notice Emitted when a voucher is redeemed. The transfer that it causes is in the same transaction.
    event VoucherRedeemed(uint256 indexed nonce);
    /// @notice Emitted when a token's max supply is lowered.
    /// @param maxSupply The most units of the token that may ever be minted, burnt ones included.
    event TokenMaxSupplySet(uint256 indexed tokenId, uint256 maxSupply);

    /// @notice Thrown when zero units are to be minted.
    error AmountIsZero();
    /// @notice Thrown when a mint's request id was used before, by a mint, a voucher or a cancellation.
    error RequestIsUsed();
    /// @notice Thrown when a voucher is redeemed or cancelled whose nonce was used before, by a mint, a voucher or a
    /// cancellation.
    error VoucherIsUsed();
    /// @notice Thrown when a batch has too little gas left to give a receiving contract its full allowance.
    error NotEnoughGas();

    /// @dev The bitmap of used request ids and voucher nonces; see `_mark`.
    mapping(uint256 bucket => uint256) private _used;
    /// @dev Supply words; see `TOKEN_CAP_SHIFT`.
    mapping(uint256 tokenId => uint256) private _supplies;

    /// @dev The packing of a batch, and storage words that it has read and not yet written back.
    struct Batch {
        uint256 idWidth;
        uint256 amountWidth;
        uint256 requestWidth;
        /// Units of the token that may still be minted, by the token's bound and the collection's. 0 when nothing is
        /// loaded.
        uint256 remaining;
        uint256 tokenId;
        uint256 bucket;
        uint256 used;
        uint256 remainingAtLoad;
        uint256 config;
        uint256 supply;
        uint256 terms;
        bool loaded;
    }

    /// @param metadataPrefix The text before the collection's id in the default base URI, with a slash at its end.
    constructor(string memory metadataPrefix) VitrineToken(metadataPrefix) {}

    // ----------------------------------------------------------------------------------------------------- minting

    /// @notice Mints `amount` units of token `id` to `to`. Requires MINTER. A receiving contract is called and must
    /// accept.
    /// @dev Reverts with `Unauthorized`, `RequestIsUsed`, `TransferToZeroAddress`, `AmountIsZero`, `MaxSupplyReached`,
    /// and `TransferToNonERC1155ReceiverImplementer` when the receiver refuses. Emits `TransferSingle`.
    /// @param requestId Can be used once in this contract, by a mint or as a voucher's nonce.
    function adminMint(address to, uint256 id, uint256 amount, uint256 requestId) external {
        uint256 terms = _terms();
        _checkMinter(_config, terms);
        if (!_mark(_used, requestId)) revert RequestIsUsed();
        _mintOrRevert(terms, msg.sender, to, id, amount);
    }

    /// @notice Mints many entries. Requires MINTER. An entry that can't be minted, or whose receiver refuses it, is
    /// left out with `MintRefused` and doesn't use up its request id; the others are minted.
    /// @dev Reverts with `Unauthorized`, `WrongPacking`, and `NotEnoughGas`. Emits `TransferSingle` for each mint.
    /// @param packed Three bytes, the widths (1 to 32) of ids, amounts and request ids, then for each entry 20 bytes of
    /// its recipient's address, its id, amount and request id, big-endian.
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
            // Subtracting 1 makes a width of 0 as large as one above 32.
            let valid := and(lt(sub(idWidth, 1), 32), and(lt(sub(amountWidth, 1), 32), lt(sub(requestWidth, 1), 32)))
            stride := mul(stride, and(valid, gt(packed.length, 2)))
        }
        if (stride == 0 || (packed.length - 3) % stride != 0) revert WrongPacking();
        uint256 position;
        assembly ("memory-safe") {
            position := add(packed.offset, 3)
        }
        _mintMany(batch, position, position + packed.length - 3);
        _flush(batch);
    }

    /// @notice Gives units to a receiving contract within a batch. Only this contract may call it: it calls itself, so
    /// that a receiver's refusal reverts that entry alone.
    /// @dev Reverts with `Unauthorized`, and `TransferToNonERC1155ReceiverImplementer` when the receiver refuses. Emits
    /// `TransferSingle`.
    /// @param operator The account that sent the batch.
    function giveToReceiver(address operator, address to, uint256 id, uint256 amount) external {
        if (msg.sender != address(this)) revert Unauthorized();
        _credit(operator, address(0), to, id, amount);
        _checkReceiver(operator, address(0), to, id, amount);
    }

    /// @notice Mints the voucher's units to the voucher's minter, for exactly price × quantity. Anyone may send it. A
    /// receiving contract is called and must accept.
    /// @dev The value sent is price × quantity when the voucher's currency is the network's coin, else 0; an ERC-20 is
    /// transferred from the sender, who must have approved this contract. Emits `VoucherRedeemed` and `TransferSingle`.
    /// Reverts with
    ///   - `Panic(0x11)` when price × quantity overflows,
    ///   - `VouchersArePaused`, `VoucherIsExpired`, `InvalidSignature`, `WrongPayment`,
    ///     `InitialRecipientAmountTooHigh`,
    ///   - `VoucherIsUsed`, `TransferToZeroAddress`, `AmountIsZero`, `MaxSupplyReached` or
    ///     `TransferToNonERC1155ReceiverImplementer` when the units can't be minted,
    ///   - `WrongPayee` when a payee is the zero address or this contract, `TransferFromFailed` when the ERC-20 doesn't
    ///     pay.
    /// @param voucher The terms that were signed.
    /// @param signature 64 or 65 bytes of a key that has SIGNER, or the address of a contract that has SIGNER followed
    /// by its ERC-1271 signature.
    function mintWithVoucher(MintVoucher calldata voucher, bytes calldata signature) external payable {
        (uint256 terms, address defaultSigner) = _termsAndSigner();
        uint256 total = voucher.price * voucher.quantity;
        _checkVoucher(_config, defaultSigner, voucher, signature, total);
        if (!_mark(_used, voucher.nonce)) revert VoucherIsUsed();
        emit VoucherRedeemed(voucher.nonce);
        _mintOrRevert(terms, msg.sender, voucher.minter, voucher.tokenId, voucher.quantity);
        _payOut(voucher, total);
    }

    /// @notice Cancels this voucher. For the voucher's minter, the owner, and accounts that have MINTER or SIGNER.
    /// @dev Reverts with `InvalidSignature`, `Unauthorized`, and `VoucherIsUsed` when it was used or cancelled before.
    /// Emits `VoucherCancelled`.
    /// @param voucher The terms that were signed.
    /// @param signature As in `mintWithVoucher`.
    function cancelVoucher(MintVoucher calldata voucher, bytes calldata signature) external {
        _checkCanceller(voucher, signature);
        if (!_mark(_used, voucher.nonce)) revert VoucherIsUsed();
        emit VoucherCancelled(voucher.tokenId, voucher.nonce);
    }

    /// @notice Whether a request id or voucher nonce was used or cancelled.
    function isUsed(uint256 requestIdOrNonce) external view returns (bool) {
        return _isMarked(_used, requestIdOrNonce);
    }

    /// @notice Burns `amount` units of token `id`. For their owner and its operators, also when soulbound.
    /// @dev Reverts with `NotOwnerNorApproved` and `InsufficientBalance`. Emits `TransferSingle`.
    function burn(address from, uint256 id, uint256 amount) external {
        _burn(msg.sender, from, id, amount);
    }

    /// @dev Mints units, or reverts with the reason why they can't be minted.
    function _mintOrRevert(uint256 terms, address operator, address to, uint256 id, uint256 amount) private {
        uint256 config = _config;
        uint256 supply = _supplies[id];
        bytes4 reason = _mintError(_remaining(config, terms, supply), to, amount);
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
        _credit(operator, address(0), to, id, amount);
        if (to.code.length != 0) _checkReceiver(operator, address(0), to, id, amount);
    }

    /// @dev Mints the entries of the calldata from `position` up to `end`. The fast path takes an entry that is
    /// allowed, whose recipient has no code, and whose token and bucket are loaded. `_mintEntry` takes the others.
    function _mintMany(Batch memory batch, uint256 position, uint256 end) private {
        while (position < end) {
            address to;
            uint256 id;
            uint256 amount;
            uint256 requestId;
            uint256 slowPath;
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

                let remaining := mload(add(batch, 0x60))
                let used := mload(add(batch, 0xc0))
                let bit := shl(and(requestId, 255), 1)
                slowPath := or(xor(mload(add(batch, 0x80)), id), xor(mload(add(batch, 0xa0)), shr(8, requestId)))
                // Subtracting 1 makes an amount of 0 larger than any remaining supply.
                slowPath := or(slowPath, or(and(used, bit), iszero(mul(to, lt(sub(amount, 1), remaining)))))
                slowPath := or(slowPath, extcodesize(to))
                if iszero(slowPath) {
                    mstore(add(batch, 0xc0), or(used, bit))
                    mstore(add(batch, 0x60), sub(remaining, amount))
                    // Same as `_credit`.
                    mstore(0x20, SLOT_SEED)
                    mstore(0x14, to)
                    mstore(0x00, id)
                    let balanceSlot := keccak256(0x00, 0x40)
                    sstore(balanceSlot, add(sload(balanceSlot), amount))
                    mstore(0x20, amount)
                    log4(0x00, 0x40, TRANSFER_SINGLE_TOPIC, caller(), 0, to)
                }
            }
            if (slowPath != 0) _mintEntry(batch, to, id, amount, requestId);
        }
    }

    /// @dev Mints one entry of a batch, or emits `MintRefused` with the reason.
    function _mintEntry(Batch memory batch, address to, uint256 id, uint256 amount, uint256 requestId) private {
        _load(batch, id, requestId >> 8);
        uint256 bit = 1 << (requestId & 255);
        uint256 used = batch.used;
        bytes4 reason = used & bit != 0 ? RequestIsUsed.selector : _mintError(batch.remaining, to, amount);
        if (reason != 0) {
            emit MintRefused(requestId, reason);
            return;
        }
        unchecked {
            batch.used = used | bit;
            batch.remaining -= amount;
        }
        if (to.code.length == 0) {
            _credit(msg.sender, address(0), to, id, amount);
            return;
        }
        // The receiver's code may reenter: counts are written to storage before it runs and loaded again after it.
        _flush(batch);
        if (_tryGiveToReceiver(to, id, amount)) {
            batch.loaded = false;
            batch.remaining = 0;
            return;
        }
        unchecked {
            batch.used = used;
            batch.remaining += amount;
        }
        emit MintRefused(requestId, TransferToNonERC1155ReceiverImplementer.selector);
    }

    /// @dev Gives units to a contract with `RECEIVER_GAS`. Returns false, without an effect, when the receiver refuses.
    function _tryGiveToReceiver(address to, uint256 id, uint256 amount) private returns (bool) {
        // With less gas, a receiver that accepts could run out of it and look like one that refuses, so the batch
        // reverts.
        if (gasleft() < RECEIVER_GAS * 64 / 63 + 10_000) revert NotEnoughGas();
        try this.giveToReceiver{gas: RECEIVER_GAS}(msg.sender, to, id, amount) {
            return true;
        } catch {
            return false;
        }
    }

    /// @dev Loads the token and the bucket of the next entry, and writes those that they replace back to storage.
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
        batch.remaining = batch.remainingAtLoad = _remaining(batch.config, batch.terms, batch.supply);
    }

    /// @dev Writes the loaded counts back to storage. They stay loaded.
    function _flush(Batch memory batch) private {
        if (!batch.loaded) return;
        uint256 minted = _mintedSince(batch);
        _config = batch.config + (minted << MINTED_SHIFT);
        _used[batch.bucket] = batch.used;
        _supplies[batch.tokenId] = batch.supply + minted;
    }

    /// @dev Units of the loaded token minted since it was loaded.
    function _mintedSince(Batch memory batch) private pure returns (uint256) {
        return batch.remainingAtLoad - batch.remaining;
    }

    /// @dev The selector of the error that this mint would cause, or 0 when it is allowed.
    function _mintError(uint256 remaining, address to, uint256 amount) private pure returns (bytes4) {
        if (to == address(0)) return TransferToZeroAddress.selector;
        if (amount == 0) return AmountIsZero.selector;
        if (amount > remaining) return MaxSupplyReached.selector;
        return 0;
    }

    /// @dev How many units of a token may still be minted, by its supply word and the collection's max supply.
    function _remaining(uint256 config, uint256 terms, uint256 supply) private pure returns (uint256 remaining) {
        unchecked {
            remaining = _cap(config, terms) - _minted(config);
            uint256 remainingOfToken = _tokenCap(supply) - uint128(supply);
            if (remainingOfToken < remaining) remaining = remainingOfToken;
        }
    }

    /// @dev Adds to the recipient's balance and emits `TransferSingle` as solady does, but with the operator as a
    /// parameter: within a batch, and of a transfer with a signature, it isn't the caller. A balance can't overflow, as
    /// no token's supply exceeds 2^64.
    /// @param from The zero address for a mint.
    function _credit(address operator, address from, address to, uint256 id, uint256 amount) private {
        assembly ("memory-safe") {
            mstore(0x20, SLOT_SEED)
            mstore(0x14, to)
            mstore(0x00, id)
            let balanceSlot := keccak256(0x00, 0x40)
            sstore(balanceSlot, add(sload(balanceSlot), amount))
            mstore(0x20, amount)
            log4(
                0x00,
                0x40,
                TRANSFER_SINGLE_TOPIC,
                shr(96, shl(96, operator)),
                shr(96, shl(96, from)),
                shr(96, shl(96, to))
            )
        }
    }

    /// @dev Calls `onERC1155Received` of a receiving contract, as the standard demands.
    /// @param from The zero address for a mint.
    function _checkReceiver(address operator, address from, address to, uint256 id, uint256 amount) private {
        bytes memory data = abi.encodeWithSelector(0xf23a6e61, operator, from, id, amount, "");
        if (!_isAccepted(to, data)) revert TransferToNonERC1155ReceiverImplementer();
    }

    // ------------------------------------------------------------------------------------------------------ supply

    /// @notice How many units of token `id` were ever minted, burnt ones included.
    function totalMinted(uint256 id) external view returns (uint256) {
        return uint128(_supplies[id]);
    }

    /// @notice How many units of token `id` may ever be minted, burnt ones included; 2^128 - 1 means any number.
    function tokenMaxSupply(uint256 id) external view returns (uint256) {
        return _tokenCap(_supplies[id]);
    }

    /// @notice Lowers the number of units that the whole collection may ever have, burnt ones included. For the owner
    /// and accounts that have MINTER.
    /// @dev Reverts with `Unauthorized`, `MaxSupplyNotLower` and `MaxSupplyBelowMinted`. Emits `MaxSupplySet`.
    function setMaxSupply(uint256 newMaxSupply) external onlyManager {
        _lowerMaxSupply(newMaxSupply, _minted(_config));
    }

    /// @notice Lowers the number of units that token `id` may ever have, burnt ones included. For the owner and
    /// accounts that have MINTER.
    /// @dev Reverts with `Unauthorized`, `MaxSupplyNotLower` and `MaxSupplyBelowMinted`. Emits `TokenMaxSupplySet`.
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

    /// @notice The collection's name.
    function name() external view returns (string memory) {
        return _name();
    }

    /// @notice The collection's symbol.
    function symbol() external view returns (string memory) {
        return _symbol();
    }

    /// @notice The URI of token `id`'s metadata: the base URI followed by the id in decimal, also for an id that was
    /// never minted.
    function uri(uint256 id) public view override returns (string memory) {
        return _tokenURI(id);
    }

    /// @notice Announces that the metadata of tokens `from` to `to`, both included, changed. For the owner and accounts
    /// that have MINTER.
    /// @dev Reverts with `Unauthorized`, and `WrongRange` when `from` is above `to` or `to` is 2^256 - 1. Emits `URI`
    /// for each token.
    function refreshMetadata(uint256 from, uint256 to) external onlyManager {
        if (from > to || to == type(uint256).max) revert WrongRange();
        for (uint256 id = from; id <= to; ++id) {
            emit URI(_tokenURI(id), id);
        }
    }

    // ------------------------------------------------------------------------------------------- transfers, ERC-165

    /// @dev Not for `burn`: a soulbound token can be burnt.
    modifier onlyTransferable() {
        if (soulbound()) revert TokenIsSoulbound();
        _;
    }

    /// @notice Lets `operator` transfer and burn all of the sender's units, or withdraws that.
    /// @dev Reverts with `TokenIsSoulbound`. Emits `ApprovalForAll`.
    function setApprovalForAll(address operator, bool isApproved) public override onlyTransferable {
        super.setApprovalForAll(operator, isApproved);
    }

    /// @notice Transfers `amount` units of token `id`. For their owner and its operators. A receiving contract is
    /// called and must accept.
    /// @dev Reverts with `TokenIsSoulbound`, `NotOwnerNorApproved`, `TransferToZeroAddress`, `InsufficientBalance`,
    /// `AccountBalanceOverflow` and `TransferToNonERC1155ReceiverImplementer`. Emits `TransferSingle`.
    /// @param data Passed on to a receiving contract.
    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data)
        public
        override
        onlyTransferable
    {
        super.safeTransferFrom(from, to, id, amount, data);
    }

    /// @notice Transfers units of several tokens, all or none. For their owner and its operators. A receiving contract
    /// is called and must accept.
    /// @dev Reverts as `safeTransferFrom` does, and with `ArrayLengthsMismatch`. Emits `TransferBatch`.
    /// @param amounts The units of each id, in the order of `ids`.
    /// @param data Passed on to a receiving contract.
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) public override onlyTransferable {
        super.safeBatchTransferFrom(from, to, ids, amounts, data);
    }

    /// @notice Transfers `amount` units of token `tokenId` by the signature of their owner `from`. Anyone may send it,
    /// and it has the same effect whoever does: approvals aren't needed, and the operator that a receiving contract and
    /// `TransferSingle` are told is `from`. A receiving contract is called and must accept.
    /// @dev Reverts with `TokenIsSoulbound`, `TransferNonceIsUsed`, `TransferIsExpired`, `TransferIsNotSigned`,
    /// `TransferToZeroAddress`, `InsufficientBalance` and `TransferToNonERC1155ReceiverImplementer`. Emits
    /// `TransferNonceUsed` and `TransferSingle`.
    /// @param nonce Any number; each can be used once in this contract by `from`.
    /// @param deadline Unix time in seconds; the transfer is valid up to and including this second.
    /// @param signature 64 or 65 bytes of the key of `from`, or the ERC-1271 signature of the contract `from`. Signed is
    /// the EIP-712 message of the arguments before it, in their order (`TRANSFER_TYPEHASH`).
    function transferWithSignature(
        uint256 tokenId,
        uint256 amount,
        address from,
        address to,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        _useSignedTransfer(TRANSFER_TYPEHASH, 6, tokenId, from, nonce, deadline, signature);
        if (to == address(0)) revert TransferToZeroAddress();
        _debit(from, tokenId, amount);
        _credit(from, from, to, tokenId, amount);
        if (to.code.length != 0) _checkReceiver(from, from, to, tokenId, amount);
    }

    /// @dev Takes units from an owner, or reverts with `InsufficientBalance`.
    function _debit(address from, uint256 id, uint256 amount) private {
        bool isEnough;
        assembly ("memory-safe") {
            mstore(0x20, SLOT_SEED)
            mstore(0x14, from)
            mstore(0x00, id)
            let balanceSlot := keccak256(0x00, 0x40)
            let held := sload(balanceSlot)
            isEnough := iszero(gt(amount, held))
            if isEnough { sstore(balanceSlot, sub(held, amount)) }
        }
        if (!isEnough) revert InsufficientBalance();
    }

    /// @notice Whether the interface is implemented (ERC-165).
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return super.supportsInterface(interfaceId) // ERC-165, ERC-1155, ERC-1155 metadata URI
            || interfaceId == 0x2a55205a // ERC-2981
            || interfaceId == 0x7f5828d0 // ERC-173
            || interfaceId == 0x7a1aa76f; // transferWithSignature, transferNonceUsed, cancelTransferNonce
    }
}
