import type { Hex } from 'viem'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { historyId, MAX_PARTS } from '../history/history-id.ts'

export const CHAIN_LOG_COLUMNS = columns('l', 'ChainLog', [
  'organizationId',
  'collectionId',
  'networkId',
  'txHash',
  'logIndex',
  'blockNumber',
  'blockHash',
  'timestamp',
  'topics',
  'data',
])
/** A log of a collection's contract, as stored in chain_logs. */
export type ChainLogRow = RowOf<typeof CHAIN_LOG_COLUMNS> & { topics: Hex[]; data: Hex }

/** Units of one token changing owner. Mints come from the zero address, burns go to it. */
export type Move = {
  id: string
  organizationId: string
  collectionId: string
  tokenId: string
  type: 'MINT' | 'TRANSFER' | 'BURN'
  quantity: bigint
  fromAddress: string
  toAddress: string
  networkId: number
  txHash: string
  blockNumber: bigint
  logIndex: number
  part: number
  timestamp: Date
}

/**
 * The next log of the same transaction redeems this voucher: `<tx hash>:<log index>` of the mint → the voucher's nonce
 * (ERC-1155).
 */
export type RedeemedNonces = ReadonlyMap<string, bigint>

/** A log by which a contract voids vouchers. */
export type Cancellation = Pick<
  ChainLogRow,
  'organizationId' | 'collectionId' | 'networkId' | 'txHash' | 'blockNumber' | 'logIndex'
> & { tokenId: bigint; nonce: bigint }

export const mintKey = (place: { txHash: string; logIndex: number }): string => `${place.txHash}:${place.logIndex}`

/**
 * The next log of the same transaction is a transfer that its holder signed with this nonce: the transfer's place → the
 * nonce.
 */
export type SignedNonces = ReadonlyMap<string, bigint>

/** Tokens whose metadata a log says to have changed. */
type MetadataChange = Pick<ChainLogRow, 'collectionId' | 'timestamp'> & { from: bigint; to: bigint }

type Decoded = {
  moves: Move[]
  nonces: RedeemedNonces
  signed: SignedNonces
  cancellations: Cancellation[]
  changes: MetadataChange[]
}

/** The decoded form of each log. Several steps of a round ask for it. */
const known = new WeakMap<ChainLogRow, ReturnType<typeof decodeTokenLog>>()

function decoded(log: ChainLogRow): ReturnType<typeof decodeTokenLog> {
  const said = known.get(log)
  if (said !== undefined) return said
  const read = decodeTokenLog(log)
  known.set(log, read)
  return read
}

/**
 * The token moves, voucher cancellations and changes of metadata in these logs, in chain order. Other logs, and those
 * that can't be decoded, add nothing.
 */
export function movesOf(logs: readonly ChainLogRow[]): Decoded {
  const moves: Move[] = []
  const cancellations: Cancellation[] = []
  const changes: MetadataChange[] = []
  const nonces = new Map<string, bigint>()
  const signed = new Map<string, bigint>()
  for (const log of inChainOrder(logs)) {
    const said = decoded(log)
    if (said?.type === 'VOUCHER_REDEEMED')
      nonces.set(mintKey({ txHash: log.txHash, logIndex: log.logIndex + 1 }), said.nonce)
    if (said?.type === 'TRANSFER_NONCE_USED')
      signed.set(mintKey({ txHash: log.txHash, logIndex: log.logIndex + 1 }), said.nonce)
    if (said?.type === 'VOUCHER_CANCELLED') {
      const { organizationId, collectionId, networkId, txHash, blockNumber, logIndex } = log
      const place = { organizationId, collectionId, networkId, txHash, blockNumber, logIndex }
      cancellations.push({ ...place, tokenId: said.tokenId, nonce: said.nonce })
    }
    if (said?.type === 'METADATA_CHANGED')
      changes.push({
        collectionId: log.collectionId,
        timestamp: log.timestamp,
        from: said.fromTokenId,
        to: said.toTokenId,
      })
    if (said?.type !== 'MOVED') continue
    said.moves.slice(0, MAX_PARTS).forEach((move, part) => {
      if (move.quantity === 0n) return
      const { organizationId, collectionId, networkId, txHash, blockNumber, logIndex, timestamp } = log
      moves.push({
        id: historyId({ networkId, blockNumber, logIndex, part }),
        organizationId,
        collectionId,
        tokenId: move.tokenId.toString(),
        type: move.kind,
        quantity: move.quantity,
        fromAddress: move.from,
        toAddress: move.to,
        networkId,
        txHash,
        blockNumber,
        logIndex,
        part,
        timestamp,
      })
    })
  }
  return { moves, nonces, signed, cancellations, changes }
}

const inChainOrder = (logs: readonly ChainLogRow[]): ChainLogRow[] =>
  [...logs].sort((a, b) =>
    a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
  )
