// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {MintVoucher, VitrineToken} from "./VitrineToken.sol";

/// @title The token contract of a collection of unique items
/// @notice The token id guards against a double mint: it is minted once, and once burnt it never comes back.
/// @dev The 96 spare bits of a token's ownership word (solady's "extra data") hold the lowest voucher nonce that is still
/// valid for it, all ones once it is burnt. So cancelling and burning need no slot of their own.
contract Vitrine721 is ERC721, VitrineToken {
    uint256 private constant BURNT = type(uint96).max;
    uint256 private constant MAX_NONCE = BURNT - 2;
    /// @dev A mint that is no voucher's passes any nonce but the tombstone.
    uint256 private constant ANY_NONCE = BURNT - 1;

    /// @dev Where solady's ERC721 keeps owners and balances; see its notes on storage.
    uint256 private constant SLOT_SEED = 0x7d8825530a5a2e7a << 192;
    uint256 private constant TRANSFER_TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

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
        uint256 cap = _cap(config, terms);
        uint256 minted = _minted(config);
        unchecked {
            uint256 position;
            uint256 end;
            assembly ("memory-safe") {
                position := add(packed.offset, 1)
                end := add(packed.offset, packed.length)
            }
            for (; position < end; position += 20 + width) {
                uint256 id = _read(position + 20, width);
                address to = address(uint160(_read(position, 20)));
                if (_fits(terms, cap, minted, id) && _place(terms, to, id, ANY_NONCE)) ++minted;
                else emit MintSkipped(id);
            }
            if (terms & MANUAL_IDS != 0) _config = config + ((minted - _minted(config)) << MINTED_SHIFT);
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
        uint256 total = _checkVoucher(config, voucher, signature);
        _mintOrRevert(config, _terms(), voucher.minter, voucher.tokenId, voucher.nonce);
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
        return _getExtraData(id);
    }

    /// @notice Destroys token `id` for ever. For its owner, or whom its owner has approved.
    function burn(uint256 id) external {
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
        if (!_place(terms, to, id, nonce)) _explain(to, id);
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
    /// above `nonce`; one read of the ownership word decides both.
    function _place(uint256 terms, address to, uint256 id, uint256 nonce) private returns (bool placed) {
        assembly ("memory-safe") {
            to := shr(96, shl(96, to))
            mstore(0x00, id)
            mstore(0x1c, SLOT_SEED)
            let ownershipSlot := add(id, add(id, keccak256(0x00, 0x20)))
            let ownership := sload(ownershipSlot)
            if iszero(or(or(iszero(to), shl(96, ownership)), gt(shr(160, ownership), nonce))) {
                mstore(0x00, to)
                let balanceSlot := keccak256(0x0c, 0x1c)
                let held := add(sload(balanceSlot), 1)
                if iszero(and(held, 0xffffffff)) {
                    mstore(0x00, 0x01336cea) // AccountBalanceOverflow()
                    revert(0x1c, 0x04)
                }
                sstore(ownershipSlot, or(ownership, to))
                sstore(balanceSlot, held)
                log4(codesize(), 0x00, TRANSFER_TOPIC, 0, to, id)
                placed := 1
            }
        }
        if (placed && terms & SOULBOUND != 0) emit Locked(id);
    }

    /// @dev Why `_place` refused.
    function _explain(address to, uint256 id) private view {
        if (to == address(0)) revert TransferToZeroAddress();
        if (_exists(id)) revert TokenAlreadyExists();
        if (_getExtraData(id) == BURNT) revert TokenIsBurnt();
        revert VoucherIsCancelled();
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
        super.approve(account, id);
    }

    function setApprovalForAll(address operator, bool isApproved) public override {
        if (soulbound()) revert TokenIsSoulbound();
        super.setApprovalForAll(operator, isApproved);
    }

    /// @dev Burning stays possible: whoever can't give a token away may still part with it.
    function _beforeTokenTransfer(address, address to, uint256) internal view override {
        if (to != address(0)) _checkTransferable();
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
