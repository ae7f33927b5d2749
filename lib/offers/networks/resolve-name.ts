import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { resolveName as endpoint } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { ChainUnavailable } from '../../ports/chain/chain.ts'

/** The address that a name stands for. It calls nodes of Ethereum, and gateways that the name's contract names. */
export async function resolveName(
  { ports }: Pick<Context, 'ports'>,
  { name }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  try {
    return { address: (await ports.names?.addressOf(name.trim())) ?? null }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    throw new AppError('unavailable', 'Names can’t be looked up right now. Paste the address itself, or try again.', {
      retryAfterSeconds: 60,
    })
  }
}
