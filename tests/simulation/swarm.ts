import { randomOf } from './random.ts'

/**
 * What the world of a seed has much of, little of, or nothing of. Worlds in which everything comes now and then are all
 * alike; where a few things come often, they also come together.
 */
export type Swarm = ReturnType<typeof swarmOf>

export function swarmOf(seed: number) {
  const draw = <T>(what: string, name: string, list: readonly T[]): T => randomOf('swarm', seed, what, name).pick(list)
  return {
    /** What its collection is of. */
    tokenType: draw('token', 'type', ['ERC721', 'ERC721', 'ERC1155'] as const),
    /** Whether this fault or lie ever comes. */
    has: (kind: string): boolean => draw('has', kind, [true, false]),
    /** How often this story comes, as a factor. */
    shareOf: (story: string): number => draw('share', story, [0, 1, 1, 4]),
    /** By which factor this loop of a worker comes later than planned. */
    paceOf: (worker: string, loop: string): number => draw('pace', `${worker} ${loop}`, [0.5, 1, 1, 1, 6]),
  }
}
