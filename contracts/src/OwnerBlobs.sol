// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";

/// @title Owner blobs: the owners of consecutive token ids, stored as contract code
/// @notice Token ids are divided into chunks of 128. An owner blob holds the owners of consecutive ids of one chunk. A
/// chunk has up to 8 blobs, called layers, which are filled in order and have no id in common.
/// @dev A blob's address is the CREATE2 address of `BLOB_INIT_CODE` with the salt (chunk << 8 | layer), so finding a
/// blob reads no storage. The init code calls its deployer, this contract, for the blob's content. The content is a
/// zero byte (STOP, so that the blob can't be executed), one byte with the offset in the chunk of the blob's first id,
/// plus one, and 20 bytes for each owner, none of them the zero address.
///
/// The token contract's config word has the range of chunks that may have blobs: bits 144-199 are the first chunk, bits
/// 200-255 the chunk after the last.
abstract contract OwnerBlobs is ERC721 {
    uint256 internal constant CHUNK_BITS = 7;
    uint256 internal constant CHUNK_SIZE = 1 << CHUNK_BITS;
    uint256 internal constant MAX_LAYERS = 8;
    /// @notice Ids from this one on, 2^63 - 128, are never in a consecutive batch and have no blobs.
    /// @dev The chunk after the last one that has blobs must fit into the 56 bits of the chunk range's end.
    uint256 public constant BLOB_ID_LIMIT = ((1 << 56) - 1) << CHUNK_BITS;
    uint256 internal constant CHUNK_RANGE_START_SHIFT = 144;
    uint256 internal constant CHUNK_RANGE_END_SHIFT = 200;
    uint256 internal constant CHUNK_NUMBER_MASK = 0xffffffffffffff;

    /// @dev Calls `blobInCreation()` of its deployer and returns the answer as the code to deploy: push4 selector,
    /// push0, mstore, push0, push0, push1 4, push1 28, caller, gas, staticcall, returndatasize, push0, push0,
    /// returndatacopy, returndatasize, push0, return.
    uint256 internal constant BLOB_INIT_CODE = 0x63cdb802445f525f5f6004601c335afa3d5f5f3e3d5ff3;
    uint256 internal constant BLOB_INIT_CODE_LENGTH = 23;
    /// @dev keccak256 of those bytes.
    uint256 internal constant BLOB_INIT_CODE_HASH = 0x19faa6443e354be24843077ff26d522bf6fa3d4d34d332bc8540d18e56277a77;

    /// @notice Thrown when a consecutive batch needs a blob in a chunk that already has 8.
    error ChunkIsFull();
    /// @notice Thrown when the code of a new blob isn't what was to be stored, as when its creation ran out of gas.
    error BlobNotStored();

    /// @notice Returns the content of the blob that `adminMintRun` is creating. Only the blob's init code needs it.
    /// @dev Returns raw bytes without ABI encoding, from transient storage: slot 0 has their number, the slots after it
    /// their words. No bytes in a transaction in which no blob was created. Doesn't revert.
    function blobInCreation() external view {
        assembly {
            let length := tload(0)
            for { let i := 0 } lt(i, length) { i := add(i, 0x20) } { mstore(i, tload(add(i, 1))) }
            return(0x00, length)
        }
    }

    /// @dev Stores the owners of `length` ids from `firstId` on, all of one chunk, as a new blob of that chunk. Reverts
    /// with `TokenAlreadyExists` when a blob has one of the ids, with `ChunkIsFull`, and with `BlobNotStored`.
    /// @param position The calldata offset of the owners.
    /// @return layer The new blob's layer.
    function _storeBlob(uint256 config, uint256 firstId, uint256 length, uint256 position)
        internal
        returns (uint256 layer)
    {
        uint256 chunk = firstId >> CHUNK_BITS;
        uint256 offset = firstId & (CHUNK_SIZE - 1);
        if (_isInChunkRange(config, chunk)) layer = _freeLayer(chunk, offset, length);
        uint256 size;
        address blob;
        assembly ("memory-safe") {
            size := add(2, mul(20, length))
            let m := mload(0x40)
            mstore(m, shl(240, add(offset, 1)))
            calldatacopy(add(m, 0x02), position, sub(size, 0x02))
            mstore(add(m, size), 0)
            tstore(0, size)
            for { let i := 0 } lt(i, size) { i := add(i, 0x20) } { tstore(add(i, 1), mload(add(m, i))) }
            mstore(0x00, BLOB_INIT_CODE)
            let start := sub(0x20, BLOB_INIT_CODE_LENGTH)
            blob := create2(0, start, BLOB_INIT_CODE_LENGTH, or(shl(8, chunk), layer))
        }
        // A creation that runs out of gas fails, or leaves a contract without code.
        if (blob.code.length != size) revert BlobNotStored();
    }

    /// @dev The first layer of `chunk` that has no blob. Reverts with `TokenAlreadyExists` when an earlier layer has
    /// one of the `length` ids from `offset` on, and with `ChunkIsFull` when all layers have blobs.
    function _freeLayer(uint256 chunk, uint256 offset, uint256 length) internal view returns (uint256 layer) {
        unchecked {
            for (; layer < MAX_LAYERS; ++layer) {
                (address blob, uint256 startPlusOne) = _blobOf(chunk, layer);
                if (startPlusOne == 0) return layer;
                uint256 start = startPlusOne - 1;
                uint256 end = start + (blob.code.length - 2) / 20;
                if (offset < end && start < offset + length) revert TokenAlreadyExists();
            }
        }
        revert ChunkIsFull();
    }

    /// @dev Whether `chunk` may have blobs.
    function _isInChunkRange(uint256 config, uint256 chunk) internal pure returns (bool) {
        unchecked {
            uint256 first = (config >> CHUNK_RANGE_START_SHIFT) & CHUNK_NUMBER_MASK;
            return chunk - first < (config >> CHUNK_RANGE_END_SHIFT) - first;
        }
    }

    /// @dev The config word with its chunk range extended to include the chunks from `first` up to, not including,
    /// `end`.
    function _extendChunkRange(uint256 config, uint256 first, uint256 end) internal pure returns (uint256) {
        uint256 oldFirst = (config >> CHUNK_RANGE_START_SHIFT) & CHUNK_NUMBER_MASK;
        uint256 oldEnd = config >> CHUNK_RANGE_END_SHIFT;
        if (oldEnd != 0) {
            if (oldFirst < first) first = oldFirst;
            if (oldEnd > end) end = oldEnd;
        }
        uint256 rest = config & ((1 << CHUNK_RANGE_START_SHIFT) - 1);
        return rest | (first << CHUNK_RANGE_START_SHIFT) | (end << CHUNK_RANGE_END_SHIFT);
    }

    /// @dev The address of a layer's blob, whether or not it was created.
    /// @return blob The address.
    /// @return startPlusOne The offset in the chunk of the blob's first id, plus one; 0 when there is no such blob.
    function _blobOf(uint256 chunk, uint256 layer) internal view returns (address blob, uint256 startPlusOne) {
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, or(shl(248, 0xff), shl(88, address())))
            mstore(add(m, 0x15), or(shl(8, chunk), layer))
            mstore(add(m, 0x35), BLOB_INIT_CODE_HASH)
            blob := shr(96, shl(96, keccak256(m, 0x55)))
            mstore(0x00, 0)
            extcodecopy(blob, 0x00, 0x00, 0x02)
            startPlusOne := byte(1, mload(0x00))
        }
    }

    /// @dev The owner of `id` according to the blobs alone, or zero. The token's ownership word takes precedence.
    /// @param layerHint The layer to read first.
    function _ownerInBlobs(uint256 id, uint256 layerHint) internal view returns (address holder) {
        if (id >= BLOB_ID_LIMIT) return address(0);
        unchecked {
            for (uint256 attempt; attempt < MAX_LAYERS; ++attempt) {
                // The hinted layer, then the others in ascending order.
                uint256 layer = attempt > layerHint ? attempt : attempt == 0 ? layerHint : attempt - 1;
                (address blob, uint256 startPlusOne) = _blobOf(id >> CHUNK_BITS, layer);
                if (startPlusOne == 0) {
                    // Layers are filled in order, so only a missing hinted layer says nothing of the others.
                    if (attempt != 0 || layerHint == 0) return address(0);
                    continue;
                }
                // An id before the blob's first one underflows to an index beyond the end.
                uint256 index = (id & (CHUNK_SIZE - 1)) + 1 - startPlusOne;
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
