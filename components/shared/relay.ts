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
  throw new RelayRefusal(String(error.message ?? error.detail ?? 'The network did not accept this.'))
}

/** Whether the transaction was mined and reverted. False while it is pending, and where the relay doesn't answer. */
export async function transactionFailed(networkId: number, hash: string): Promise<boolean> {
  const receipt = objectOf(await relay(networkId, 'eth_getTransactionReceipt', [hash]).catch(() => null))
  return receipt.status === '0x0'
}
