import { fetchOrUnreachable, objectOf } from '@/packages/client/src/call'

/** Our own access to a network's node: a few JSON-RPC methods, enough to send a mint (see /docs). */
export const relayPath = (networkId: number) => `/public/v1/relay/${networkId}`

/** The network refused. `message` is the node's own. */
export class RelayRefusal extends Error {}

/** One JSON-RPC request through our own origin. */
export async function relay(networkId: number, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetchOrUnreachable(relayPath(networkId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = objectOf(await response.json().catch(() => null))
  if (response.ok && 'result' in answer) return answer.result
  const error = { ...answer, ...objectOf(answer.error) }
  throw new RelayRefusal(String(error.message ?? error.detail ?? `HTTP ${response.status}`))
}

/**
 * The outcome of a transaction: pending also where the relay doesn't answer, failed where it was mined and reverted.
 */
export async function transactionOutcome(networkId: number, hash: string): Promise<'pending' | 'mined' | 'failed'> {
  const { status } = objectOf(await relay(networkId, 'eth_getTransactionReceipt', [hash]).catch(() => null))
  if (typeof status !== 'string') return 'pending'
  return status === '0x0' ? 'failed' : 'mined'
}

export const transactionFailed = async (networkId: number, hash: string): Promise<boolean> =>
  (await transactionOutcome(networkId, hash)) === 'failed'
