import { Unreachable } from '../shared/request'

/** Our own node access: a few JSON-RPC methods, enough to send a mint (see /docs). */
export const relayPath = (networkId: number) => `/public/v1/relay/${networkId}`

/** The network refused: `message` is its node's own, for the details. */
export class RelayRefusal extends Error {}

/** One JSON-RPC request through our own origin. */
export async function relay(networkId: number, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(relayPath(networkId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    referrerPolicy: 'no-referrer',
  }).catch((cause) => {
    throw new Unreachable('No answer.', { cause })
  })
  const body: unknown = await response.json().catch(() => null)
  const answer = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (response.ok && 'result' in answer) return answer.result
  const error =
    typeof answer.error === 'object' && answer.error !== null ? (answer.error as Record<string, unknown>) : answer
  throw new RelayRefusal(String(error.message ?? error.detail ?? 'The network did not accept this.'))
}

/** Whether the transaction was mined and turned down. False while it waits, and where the relay doesn't tell. */
export async function transactionFailed(networkId: number, hash: string): Promise<boolean> {
  const receipt = await relay(networkId, 'eth_getTransactionReceipt', [hash]).catch(() => null)
  return typeof receipt === 'object' && receipt !== null && 'status' in receipt && receipt.status === '0x0'
}
