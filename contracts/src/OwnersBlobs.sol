// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";

/// @title Owners of consecutive token ids, stored as code
/// @notice Ids are divided into chunks of 128. A blob holds the owners of neighbouring ids of one chunk; a chunk has up to 8
/// blobs, its layers, filled in order and without an id in common.
/// @dev A blob stands where CREATE2 puts `BLOB_INIT_CODE` with the salt (chunk << 8 | layer), so finding it reads no storage.
/// That code asks its deployer, this contract, for what it is to become. Its code is a zero byte (so that nobody can run it),
/// the place in the chunk of its first id plus one, and 20 bytes of each owner's address, none of them zero.
///
/// Which chunks may have blobs is kept in a word of the token contract as a hull: bits 144-199 the first chunk, bits 200-255
/// the one after the last.
abstract contract OwnersBlobs is ERC721 {
    uint256 internal constant CHUNK_BITS = 7;
    uint256 internal constant CHUNK_SIZE = 1 << CHUNK_BITS;
    uint256 internal constant LAYERS = 8;
    /// @dev Above these ids there are no blobs: chunks are numbered in 56 bits.
    uint256 internal constant BLOB_IDS = 1 << (56 + CHUNK_BITS);
    uint256 internal constant HULL_FIRST_SHIFT = 144;
    uint256 internal constant HULL_END_SHIFT = 200;
    uint256 internal constant HULL_MASK = 0xffffffffffffff;

    /// @dev Calls `blobInCreation()` of its deployer and becomes what that answers:
    /// push4 selector, push0, mstore, push0, push0, push1 4, push1 28, caller, gas, staticcall, returndatasize, push0,
    /// push0, returndatacopy, returndatasize, push0, return.
    uint256 internal constant BLOB_INIT_CODE = 0x63cdb802445f525f5f6004601c335afa3d5f5f3e3d5ff3;
    uint256 internal constant BLOB_INIT_CODE_LENGTH = 23;
    /// @dev keccak256 of those bytes.
    uint256 internal constant BLOB_INIT_CODE_HASH = 0x19faa6443e354be24843077ff26d522bf6fa3d4d34d332bc8540d18e56277a77;

    error ChunkIsFull();
    error BlobNotStored();

    /// @notice What a blob becomes: its init code asks for it while `adminMintRun` creates it. Nothing else has a use for it.
    function blobInCreation() external view {
        assembly {
            let length := tload(0)
            for { let i := 0 } lt(i, length) { i := add(i, 0x20) } { mstore(i, tload(add(i, 1))) }
            return(0x00, length)
        }
    }

    /// @dev Stores the owners of `length` ids from `firstId` on, all of one chunk, as a new blob of that chunk.
    /// @param position Where in the calldata the owners are.
    /// @return layer Which of the chunk's blobs it is.
    function _storeBlob(uint256 config, uint256 firstId, uint256 length, uint256 position)
        internal
        returns (uint256 layer)
    {
        uint256 chunk = firstId >> CHUNK_BITS;
        uint256 place = firstId & (CHUNK_SIZE - 1);
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
    function _freeLayer(uint256 chunk, uint256 place, uint256 length) internal view returns (uint256 layer) {
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

    function _isInHull(uint256 config, uint256 chunk) internal pure returns (bool) {
        unchecked {
            uint256 first = (config >> HULL_FIRST_SHIFT) & HULL_MASK;
            return chunk - first < (config >> HULL_END_SHIFT) - first;
        }
    }

    /// @dev The config word whose hull also has the chunks from `first` up to the one before `end`.
    function _widenHull(uint256 config, uint256 first, uint256 end) internal pure returns (uint256) {
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
    function _blobOf(uint256 chunk, uint256 layer) internal view returns (address blob, uint256 first) {
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
    /// @param likely The layer to look in first.
    function _ownerInBlobs(uint256 id, uint256 likely) internal view returns (address holder) {
        if (id >= BLOB_IDS) return address(0);
        unchecked {
            for (uint256 turn; turn < LAYERS; ++turn) {
                // The likely one, then the others in their order.
                uint256 layer = turn > likely ? turn : turn == 0 ? likely : turn - 1;
                (address blob, uint256 first) = _blobOf(id >> CHUNK_BITS, layer);
                if (first == 0) {
                    if (turn != 0 || likely == 0) return address(0);
                    continue;
                }
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
}
