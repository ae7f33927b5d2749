import type { Chain, Network } from './chain/chain.ts'
import { envKeyring } from './chain/env-keyring.ts'
import type { Keyring } from './chain/keys.ts'
import { networksFromEnv } from './chain/networks.ts'
import { viemChain } from './chain/viem-chain.ts'
import { env } from './core/env.ts'
import { keyFor } from './core/secrets.ts'
import type { Mail } from './mail/mail.ts'
import { smtpMail } from './mail/smtp.ts'
import { diskStorage } from './storage/disk.ts'
import { guardedFetcher } from './storage/guarded-fetcher.ts'
import type { Fetcher, Storage } from './storage/storage.ts'

/** Everything outside the process that a verb may use, in our words. */
export type Ports = {
  /** Networks that have an RPC URL, by id. */
  chains: ReadonlyMap<number, Chain>
  keys: Keyring
  mail: Mail
  storage: Storage
  fetcher: Fetcher
  /** Where people and programs reach this installation, without trailing slashes. */
  addresses: { origin: string; publicBase: string; adminBase: string }
}

let made: Ports | undefined

/** The adapters this installation is configured with; made once a process. */
export const ports = (): Ports => (made ??= makePorts())

function makePorts(): Ports {
  const networks = networksFromEnv(env.RPC_URLS, env.CONTRACTS)
  return {
    chains: new Map(networks.map(({ network, rpcUrls }) => [network.id, viemChain(network, rpcUrls)])),
    keys: envKeyring(env.OPERATOR_KEYS, keyFor('voucher-signer')),
    mail: smtpMail(env.SMTP_URL),
    storage: diskStorage(env.MEDIA_DIR),
    fetcher: guardedFetcher(env.EGRESS_ALLOW),
    addresses: { origin: env.ORIGIN, publicBase: `${env.ORIGIN}/public`, adminBase: env.ORIGIN },
  }
}

/** Tests put their own adapters in place of some. */
export function replacePorts(some: Partial<Ports>): void {
  made = { ...ports(), ...some }
}

export const networksOf = (all: Ports): Network[] => [...all.chains.values()].map((chain) => chain.network).sort((a, b) => a.id - b.id)
