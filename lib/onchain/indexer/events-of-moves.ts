import type { EventRecord } from '../../messaging/webhooks/record-event.ts'
import type { MatchedRow } from './history-rows.ts'
import type { Fulfilment } from './match-mints-to-promises.ts'

const EVENT_TYPES = { MINT: 'item.minted', TRANSFER: 'item.transferred', BURN: 'item.burned' } as const

/**
 * One event a move. Its key survives a reorg: a delivery is keyed by the mint request or voucher that it fulfils, other
 * moves by transaction, token and position among its moves, since a log's index in its block may change.
 */
export function eventsOfMoves(rows: readonly MatchedRow[], fulfilments: readonly Fulfilment[]): EventRecord[] {
  const promises = new Map(fulfilments.map(({ arrival, promise }) => [arrival.id, `${promise.type} ${promise.id}`]))
  const places = new Map<string, number>()
  return rows.map((row) => {
    const group = `${row.networkId} ${row.txHash} ${row.collectionId} ${row.tokenId}`
    const place = places.get(group) ?? 0
    places.set(group, place + 1)
    return {
      organizationId: row.organizationId,
      type: EVENT_TYPES[row.type],
      key: promises.get(row.id) ?? `${group} ${place}`,
      data: {
        item_id: row.itemId,
        collection_id: row.collectionId,
        network_id: row.networkId,
        token_id: row.tokenId,
        quantity: row.quantity.toString(),
        from: row.fromAddress,
        to: row.toAddress,
        tx_hash: row.txHash,
        block_number: Number(row.blockNumber),
        log_index: row.logIndex,
        timestamp: row.timestamp.toISOString(),
      },
    }
  })
}
