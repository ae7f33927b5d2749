import { concat, getCreate2Address, numberToHex, type Address, type Hex } from 'viem'

/**
 * Ids from this one on, those of the last chunk that contracts can number and larger ones, are in no consecutive batch.
 * Versions of Vitrine721 before 3 still take a batch in the last chunk, and lose the range of their blobs by it:
 * docs/contracts.md.
 */
export const CONSECUTIVE_ID_LIMIT = 2n ** 63n - 128n
/** The last id of the last chunk. */
export const LAST_CHUNK_END = 2n ** 63n - 1n

const LAST_CHUNK = 2n ** 56n - 1n
/** The hash of the init code of owner blobs (contracts/src/OwnerBlobs.sol). */
const BLOB_INIT_CODE_HASH: Hex = '0x19faa6443e354be24843077ff26d522bf6fa3d4d34d332bc8540d18e56277a77'

/**
 * Where a contract's first blob of the last chunk is. There is code exactly if a consecutive batch was minted there,
 * and it stays.
 */
export const lastChunkBlob = (contract: Address): Address =>
  getCreate2Address({
    from: contract,
    salt: concat([numberToHex(LAST_CHUNK, { size: 31 }), '0x00']),
    bytecodeHash: BLOB_INIT_CODE_HASH,
  })
