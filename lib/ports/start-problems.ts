import { mnemonicToAccount } from 'viem/accounts'
import type { Env } from '../core/env-schema.ts'
import { readServerKeys, voucherKeys } from '../core/server-keys.ts'
import { weaknessOfKey, weaknessOfSecret } from '../core/weak-secrets.ts'
import { envKeyring } from './chain/env-keyring.ts'
import type { Network } from './chain/chain.ts'
import { networksFromEnv } from './chain/networks.ts'

const MAKE_KEY = 'Make one with: openssl rand -hex 32'
/** Anvil and Hardhat give these accounts coins on local chains. Whatever they own elsewhere is taken within seconds. */
const WELL_KNOWN_PHRASE = 'test test test test test test test test test test test junk'
const WELL_KNOWN_ACCOUNTS = 20

/**
 * Why web and worker must not start with these settings: what is missing or unreadable, and secrets that can be
 * guessed. No secret is shown.
 */
export function startProblems(settings: Env): string[] {
  const { DATABASE_URL, SERVER_KEY, NEXTAUTH_SECRET, HEALTH_KEY } = settings
  return [
    DATABASE_URL ? null : 'DATABASE_URL is not set. It names the PostgreSQL of this installation.',
    SERVER_KEY ? null : `SERVER_KEY is not set. ${MAKE_KEY}`,
    ...keyProblems(settings),
    NEXTAUTH_SECRET ? sentence('NEXTAUTH_SECRET', weaknessOfSecret(NEXTAUTH_SECRET), MAKE_KEY) : null,
    HEALTH_KEY ? sentence('HEALTH_KEY', weaknessOfSecret(HEALTH_KEY), MAKE_KEY) : null,
    ...chainProblems(settings),
  ].filter((problem) => problem !== null)
}

/** Throws an Error that names them all. */
export function assertStartable(settings: Env): void {
  const problems = startProblems(settings)
  if (problems.length > 0) throw new Error(`Vitrine can’t start with these settings:\n  ${problems.join('\n  ')}`)
}

const keysIn = (text: string): string[] => (text ? text.split(',').map((key) => key.trim()) : [])

/** Keys that can be guessed; else what keeps the keys from being used together. */
function keyProblems({ SERVER_KEY, VOUCHER_KEY }: Env): string[] {
  const weak = [
    ...keysIn(SERVER_KEY).map((key) => sentence('SERVER_KEY', weaknessOfKey(key), MAKE_KEY)),
    // npm run rotate-key writes a key with derived: before it.
    ...keysIn(VOUCHER_KEY).map((key) =>
      sentence('VOUCHER_KEY', weaknessOfKey(key.replace(/^derived:/i, '')), MAKE_KEY),
    ),
  ].filter((problem) => problem !== null)
  if (weak.length > 0 || !SERVER_KEY) return weak
  try {
    const keys = readServerKeys(SERVER_KEY)
    voucherKeys(VOUCHER_KEY, () => keys)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

const sentence = (setting: string, weakness: string | null, remedy: string): string | null =>
  weakness && `${setting} ${weakness}. ${remedy}`

function chainProblems(settings: Env): string[] {
  const problems: string[] = []
  const collect = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      problems.push((error as Error).message)
      return null
    }
  }
  const networks = collect(() => networksFromEnv(settings.RPC_URLS, settings.CONTRACTS, settings.FINAL_BY_DEPTH)) ?? []
  const operators = collect(() => envKeyring(settings.OPERATOR_KEYS, new Uint8Array(32)).operators) ?? []
  return [
    ...problems,
    ...wellKnownOperators(
      networks.map(({ network }) => network),
      operators,
    ),
  ]
}

function wellKnownOperators(networks: readonly Network[], operators: readonly string[]): string[] {
  const live = networks.filter(({ testnet }) => !testnet)
  if (live.length === 0 || operators.length === 0) return []
  const known = new Set<string>(
    Array.from(
      { length: WELL_KNOWN_ACCOUNTS },
      (_, addressIndex) => mnemonicToAccount(WELL_KNOWN_PHRASE, { addressIndex }).address,
    ),
  )
  return operators
    .filter((operator) => known.has(operator))
    .map(
      (operator) =>
        `OPERATOR_KEYS: the key of ${operator} is public (Anvil and Hardhat come with it), ` +
        `and ${live[0]!.name} is no test network. Use a key of your own.`,
    )
}
