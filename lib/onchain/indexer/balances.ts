import { zeroAddress } from 'viem'
import type { Move } from './moves-of.ts'

/** A move of a token that an item of ours stands for. */
export type ItemMove = Pick<Move, 'type' | 'quantity' | 'fromAddress' | 'toAddress'> & { itemId: string }

/** How moves change what each address owns. Undoing them is the same with the sign turned. */
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

/** An item counts at most this many units of one move, so that no contract's fancy amounts run over its counters. */
export const MOST_COUNTED = 10n ** 12n

/** How moves change what was ever minted and burnt of each item. */
export function supplyChanges(moves: readonly ItemMove[]): { itemId: string; minted: bigint; burned: bigint }[] {
  const changes = new Map<string, { itemId: string; minted: bigint; burned: bigint }>()
  for (const { itemId, type, quantity } of moves) {
    if (type === 'TRANSFER') continue
    const change = changes.get(itemId) ?? { itemId, minted: 0n, burned: 0n }
    change[type === 'MINT' ? 'minted' : 'burned'] += quantity < MOST_COUNTED ? quantity : MOST_COUNTED
    changes.set(itemId, change)
  }
  return [...changes.values()].sort((a, b) => order(a.itemId, b.itemId))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
