import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { weiOfGwei } from '../../core/gas.ts'
import { withTimeout } from '../../core/with-timeout.ts'

/** Something that this installation still lacks. `blocks`: without it no gift is delivered. */
type Missing = { what: 'mail' | 'network' | 'operator' | 'funds' | 'cards'; blocks: boolean; detail: string }

const ANSWER_MS = 3_000

/**
 * Finds what a first gift, or a first sale by card, still waits for, as far as the installation knows. It calls
 * networks: call it outside of transactions.
 * @param networkId the network that was chosen; null: each one.
 */
export async function findMissing(ctx: Context, networkId: number | null): Promise<Missing[]> {
  const chosen = [...ctx.ports.chains.values()].filter(
    ({ network }) => network.contracts && (networkId === null || network.id === networkId),
  )
  const missing: Missing[] = []
  if (env.SMTP_URL === '' && !(await ctx.db.emailIntegration.findFirst({ where: { status: 'ACTIVE' } })))
    missing.push({
      what: 'mail',
      blocks: true,
      detail:
        'No mail is sent yet: whoever runs this installation sets SMTP_URL and MAIL_FROM. ' +
        'Mails wait until then, for a day.',
    })
  if (chosen.length === 0)
    missing.push({
      what: 'network',
      blocks: true,
      detail: 'No network is ready: RPC_URLS names its nodes, and npm run deploy-contracts prints CONTRACTS.',
    })
  if (ctx.ports.keys.operators.length === 0)
    missing.push({
      what: 'operator',
      blocks: true,
      detail: 'Nobody sends transactions yet: OPERATOR_KEYS names the accounts that do, and that pay for gas.',
    })
  missing.push(...(await Promise.all(chosen.map((chain) => fundsOf(ctx, chain)))).flat())
  if (!ctx.ports.cards.inUse.LIVE)
    missing.push({
      what: 'cards',
      blocks: false,
      detail: 'Cards are taken on test networks only, until STRIPE_SECRET_KEY is a live key. Gifts don’t need it.',
    })
  return missing
}

type Chain = Context['ports']['chains'] extends ReadonlyMap<number, infer C> ? C : never

async function fundsOf(ctx: Context, chain: Chain): Promise<Missing[]> {
  const { name, currency } = chain.network
  const { operators } = ctx.ports.keys
  if (operators.length === 0) return []
  const balances = await Promise.all(operators.map((operator) => withTimeout(chain.balance(operator), ANSWER_MS, null)))
  const known = balances.filter((balance) => balance !== null)
  if (known.some((balance) => balance >= weiOfGwei(env.OPERATOR_FLOOR_GWEI))) return []
  const detail =
    known.length === 0
      ? `${name} doesn’t answer at the moment.`
      : `${operators[0]} needs ${currency.symbol} on ${name} to pay for gas.`
  return [{ what: 'funds', blocks: true, detail }]
}
