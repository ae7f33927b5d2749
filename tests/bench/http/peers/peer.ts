import type { Load } from '../load.ts'
import type { Side } from '../sides.ts'

export type Question = 'item' | 'list'

/** Another shop with the same items, and how it is asked for one of them and for 100. */
export type Peer = {
  name: string
  version: string
  side: Side
  questions: Record<Question, Load['requests']>
  /** The title of each item that an answer has. */
  titlesOf: (answer: unknown, question: Question) => string[]
}

export const ITEMS = 100_000
export const PER_LIST = 100

/**
 * SQL for the item of number `n`, counted from 1: the title and attributes that our own items have, and the list that
 * it is in.
 */
export const ITEM = {
  title: `'Item ' || n`,
  slug: `'item-' || n`,
  description: `'Opens at nine in the evening, and is gone by breakfast.'`,
  colour: `(ARRAY['red', 'green', 'blue'])[1 + n % 3]`,
  size: 'n % 50',
  scent: `'clove'`,
  list: `1 + (n - 1) / ${PER_LIST}`,
} as const

/** Numbers of the items and lists that are asked for, spread over all of them as far as our own are. */
export const SOME_ITEMS = Array.from({ length: 300 }, (_, at) => 1 + Math.floor((at * ITEMS) / 300))
export const SOME_LISTS = Array.from({ length: 20 }, (_, at) => 1 + at)
