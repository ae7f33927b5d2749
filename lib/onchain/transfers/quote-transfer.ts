import type { Address, Hex } from 'viem'
import type { Context } from '../../platform/auth/context.ts'
import { type Chain, CallUndecided } from '../../ports/chain/chain.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { weiOfGwei, withGasMargin } from '../../core/gas.ts'
import type { TokenType } from '../../core/contracts/calls.ts'
import { encodeTransferWithSignature, type SignedTransfer } from '../../core/contracts/signed-transfers.ts'
import { holderPays } from '../../orders/transfer-budget.ts'
import { cappedFees, feeCapGwei } from '../transactions/fees.ts'
import { failureCodeOf } from './transfer-failures.ts'

/**
 * Gas that a transfer is paid for at most: a wallet that checks its signature in Solidity needs it. A receiver gets the
 * rest.
 */
export const MAX_GAS_PER_TRANSFER = 300_000n

type Signed = { contract: Address; tokenType: TokenType; order: SignedTransfer; signature: Hex }

/**
 * Simulates a signed transfer: what it may cost, in wei, and the block below which it can't have been delivered. Throws
 * with the reason where the contract refuses it. It calls the network, so call it before any transaction.
 */
export async function quoteTransfer(
  ctx: Context,
  chain: Chain,
  { contract, tokenType, order, signature }: Signed,
): Promise<{ costWei: bigint; sinceBlock: bigint; maxFeePerGas: bigint }> {
  const from = ctx.ports.keys.operators[0]
  if (!from) throw new AppError('operator_gone', 'No operator is configured that could send it.')
  const [head, answer, suggested] = await Promise.all([
    chain.head(),
    simulate(chain, { from, to: contract, data: encodeTransferWithSignature(tokenType, order, signature) }),
    chain.fees(),
  ])
  if (!answer.ok) throw refusal(failureCodeOf(answer.data), answer.reason)
  if (answer.gas > MAX_GAS_PER_TRANSFER) throw holderPays('too_much_gas')
  const { maxFeePerGas } = cappedFees(suggested, weiOfGwei(feeCapGwei(chain.network.id)))
  const sinceBlock = head.number - BigInt(chain.network.reorgWindow)
  return {
    costWei: withGasMargin(answer.gas) * maxFeePerGas,
    sinceBlock: sinceBlock > 0n ? sinceBlock : 0n,
    maxFeePerGas,
  }
}

async function simulate(chain: Chain, call: { from: Address; to: Address; data: Hex }) {
  try {
    return await chain.simulate(call)
  } catch (error) {
    if (!(error instanceof CallUndecided)) throw error
    throw new AppError('unavailable', 'The network doesn’t say whether this transfer would succeed. Try again later.', {
      retryAfterSeconds: 60,
    })
  }
}

/** Which field of the request is at fault. */
function refusal(code: ReturnType<typeof failureCodeOf>, reason: string): AppError {
  switch (code) {
    case 'receiver_refused':
      return fieldError('address_cannot_receive', 'to_address', `${reason} Choose another one.`)
    case 'signature_refused':
      return fieldError(
        'signature_invalid',
        'signature',
        'The holder’s wallet doesn’t say that it signed this transfer. Sign it again.',
      )
    case 'expired':
      return fieldError('transfer_refused', 'deadline', 'The deadline has passed on the network.', code)
    case 'nonce_used':
      return fieldError(
        'transfer_refused',
        'nonce',
        'The holder has used this nonce before. Sign with another one.',
        code,
      )
    case 'not_owner':
      return fieldError('transfer_refused', 'from_address', 'This address doesn’t hold the token.', code)
    case 'too_much_gas':
    case 'reverted':
      return new AppError('transfer_refused', `The network would refuse this transfer: ${reason}`)
  }
}
