import { AppError } from '../../core/errors.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import type { Context } from '../../platform/auth/context.ts'

/** A node's blocks are a second apart, and its clock counts whole seconds. */
const TOLERANCE_MS = 5_000

/**
 * Moves the local chains forward to business time, so that vouchers expire there as they do here. A chain that is there
 * already is left alone; a node that was restarted has lost its offset and is moved again.
 */
export async function moveLocalChains({ ports, now }: Pick<Context, 'ports' | 'now'>): Promise<void> {
  for (const chain of ports.chains.values()) {
    if (chain.network.finality !== 'never') continue
    const { timestamp } = await chain.head()
    if (now().getTime() - timestamp.getTime() > TOLERANCE_MS) await moveChain(chain, now())
  }
}

async function moveChain(chain: Chain, to: Date): Promise<void> {
  for (const [method, params] of [
    ['evm_setTime', [Math.floor(to.getTime() / 1000)]],
    ['evm_mine', []],
  ] as const) {
    const answer = await chain.forward(method, params)
    if ('error' in answer)
      throw new AppError('unavailable', `The local chain’s time can’t be moved: ${answer.error.message}.`)
  }
}
