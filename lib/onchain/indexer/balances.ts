import { zeroAddress } from 'viem'
import type { Move } from './moves-of.ts'

/** A move of a token that has an item. */
export type ItemMove = Pick<Move, 'type' | 'quantity' | 'fromAddress' | 'toAddress'> & { itemId: string }

/** The change of each owner's balance by these moves. Undoing them is the same with the opposite sign. */
export function ownerChanges(moves: readonly ItemMove[]): { itemId: string; address: string; change: bigint }[] {
  const changes = new Map<string, { itemId: string; address: string; change: bigint }>()
  const add = (itemId: string, address: string, change: bigint) => {
    if (address === zeroAddress) return
    const key = `${itemId} ${address}`
    const known = changes.get(key)
    if (known) known.change += change
    else changes.set(key, { itemId, address, change })
  }
  for (const { itemId, fromAddress, toAddress, quantity } of moves) {
    add(itemId, fromAddress, -quantity)
    add(itemId, toAddress, quantity)
  }
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .sort((a, b) => order(a.itemId, b.itemId) || order(a.address, b.address))
}

/** The most units of one move that an item counts, so that no contract's amounts overflow its counters. */
const MAX_COUNTED = 10n ** 12n

/** The change of each item's minted and burnt counts by these moves. */
export function supplyChanges(moves: readonly ItemMove[]): { itemId: string; minted: bigint; burned: bigint }[] {
  const changes = new Map<string, { itemId: string; minted: bigint; burned: bigint }>()
  for (const { itemId, type, quantity } of moves) {
    if (type === 'TRANSFER') continue
    const change = changes.get(itemId) ?? { itemId, minted: 0n, burned: 0n }
    change[type === 'MINT' ? 'minted' : 'burned'] += quantity < MAX_COUNTED ? quantity : MAX_COUNTED
    changes.set(itemId, change)
  }
  return [...changes.values()].sort((a, b) => order(a.itemId, b.itemId))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
