import { isHex, type Hex } from 'viem'
import type { Broadcast } from './chain.ts'

/**
 * How nodes refuse requests. Clients and providers share no error codes, so the message decides. The texts come from
 * the clients' sources and from providers' answers; tests/unit/node-refusals.test.ts names them.
 */

/** A node answered with a JSON-RPC error about the request itself. */
export class NodeRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The code of a refusal that we made: a node that answers other requests didn't answer this one in time. */
export const TIMED_OUT = -1

type Refusal = Pick<NodeRefusal, 'code' | 'message' | 'data'>

const RATE_LIMIT =
  /rate.?limit|over.?rate|request rate|too many request|request limit reached|requests? per second|calls per second|daily request count|compute units|out of credits|quota|throttl/i
const RATE_LIMIT_CODES = new Set([429, -32007, -32029, -32090])

/**
 * Whether a node limits our requests, which says nothing about this one. `-32005` alone isn't enough: it is also used
 * for too many logs.
 */
export const isRateLimit = ({ code, message }: Refusal): boolean =>
  RATE_LIMIT_CODES.has(code) || RATE_LIMIT.test(message)

const VM_ERROR = new RegExp(
  [
    'revert|evm error|vm execution error|intrinsic gas too high|gas required exceeds|gas uint64 overflow',
    'out ?of ?gas|invalid ?jump|bad ?jump ?destination|invalid ?opcode|bad ?instruction|invalid code',
    'stack limit|stack ?overflow|stack ?underflow|too many stack items|max call depth',
    'write protection|static ?call ?violation|illegal state change|return data out of bounds|out of bounds read',
    'contract address collision|max (init)?code size',
  ].join('|'),
  'i',
)

/** Whether a refusal of eth_call or eth_estimateGas says that the call failed in the virtual machine. */
export const isRevert = (refusal: Refusal): boolean =>
  refusal.code === 3 || revertDataOf(refusal) !== null || VM_ERROR.test(refusal.message)

/** The data that a call reverted with; null where the node gave none. */
export function revertDataOf({ data }: Refusal): Hex | null {
  const found = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(found) ? found : null
}

type Outcome = Broadcast['outcome']

const BROADCAST_REFUSALS: readonly [Outcome, RegExp][] = [
  [
    'known',
    /already[ _]?(known|imported|exists)|already in (the )?(tx ?|mem)?pool|existing tx with same hash|(?<!un)known transaction/i,
  ],
  ['nonce_used', /nonce (is )?too low|oldnonce|nonce has already been used/i],
  [
    'underpriced',
    /underpriced|less than block base fee|fee ?too ?low|below (the |configured )?minimum|gas ?price (is )?(too low|below)|less than gas price minimum|could not replace existing tx|replacementnotallowed/i,
  ],
  ['no_funds', /insufficient ?(funds|balance)|upfront cost exceeds account balance|not enough funds/i],
  [
    'refused',
    /intrinsic gas (too low|too high|exceeds gas limit)|floor data gas cost|exceeds block gas limit|gas ?limit ?(too high|exceeded)|gas limit .*greater than the cap|invalid (sender|signature)|failed ?to ?(resolve|recover) ?sender|(invalid|wrong) ?(tx)? ?chain ?id/i,
  ],
]

/**
 * The outcome of a signed transaction that one node refused. Only refusals that are known to be permanent are
 * `refused`.
 */
export const outcomeOf = (refusal: Refusal): Outcome =>
  isRateLimit(refusal)
    ? 'unknown'
    : (BROADCAST_REFUSALS.find(([, text]) => text.test(refusal.message))?.[0] ?? 'unknown')

/** Which outcome counts where nodes differ. Last is `refused`: it counts only where no node says anything else. */
const PRECEDENCE: readonly Outcome[] = ['known', 'nonce_used', 'underpriced', 'no_funds', 'unknown', 'refused']

/** The outcome of a broadcast that every node that answered refused; null when there is no refusal. */
export function broadcastOf(refusals: readonly Refusal[]): Broadcast | null {
  const outcomes = refusals.map((refusal) => ({ outcome: outcomeOf(refusal), detail: refusal.message }))
  const [first] = outcomes.sort((a, b) => PRECEDENCE.indexOf(a.outcome) - PRECEDENCE.indexOf(b.outcome))
  if (!first) return null
  return first.outcome === 'known' ? { outcome: 'known' } : { outcome: first.outcome, detail: first.detail }
}
