import { z } from 'zod'
import { count, list } from './env-values.ts'
import { perNetwork } from './per-network.ts'

/** Networks, the keys besides SERVER_KEY, and what may be spent. */
export const CHAIN_SETTINGS = {
  RPC_URLS: z
    .string()
    .default('')
    .describe(
      'The networks and their nodes: 1=https://a,https://b;137=https://c (a network’s next URL is used when one ' +
        'fails). With network 1, Ethereum, claims take ENS names.',
    ),
  FINAL_BY_DEPTH: list.describe(
    'Ids of networks whose nodes know no final block (the block tag “finalized”), comma-separated. ' +
      'There a block counts as final 128 blocks deep. Everywhere else refunds and other final steps wait while the ' +
      'nodes don’t say what is final.',
  ),
  OPERATOR_KEYS: list.describe(
    'Private keys of the operators that send transactions, comma-separated. Each is one lane on every network. ' +
      'Tokens in custody of an operator can be delivered only while its key is set here.',
  ),
  VOUCHER_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits from which the voucher signers are derived, one per collection, or derived: and 64 hex ' +
        'digits as npm run rotate-key writes it. Empty: derived from SERVER_KEY, which can’t be replaced then. ' +
        'Several, comma-separated, while signers are being replaced: new collections get the signer of the first.',
    ),
  BACKUP_PUBLIC_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits: what npm run backup seals backups for. npm run backup -- --make-key <file> prints it, ' +
        'and writes the key that opens them.',
    ),
  BACKUP_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits: the private key that opens backups, for npm run restore. ' +
        'It belongs on no server that only makes backups.',
    ),
  CONTRACTS: z
    .string()
    .default('')
    .describe(
      'Our contracts per network: 31337=<factory>,<implementation 721>,<implementation 1155>;... ' +
        'npm run deploy-contracts prints it.',
    ),
  PAYMENT_TOKENS: z
    .string()
    .default('')
    .describe('ERC-20 tokens crypto listings can be priced in: 31337=<address>:<symbol>:<decimals>:<name>,...;137=...'),
  GAS_BUDGET_GWEI: z
    .string()
    .regex(/^(\d+|unlimited)$/, 'A number is expected, or unlimited.')
    .default('unlimited')
    .describe(
      'How much one organization may spend on gas per network in 24 hours, in gwei; or unlimited, which 0 means too. ' +
        'Organizations that signed up by themselves have NEWCOMER_GAS_GWEI until they are approved.',
    ),
  OPERATOR_FLOOR_GWEI: z
    .string()
    .regex(/^\d+$/)
    .default('50000000')
    .describe('An alarm is raised when an operator’s balance falls below this many gwei.'),
  EXTERNAL_MINT_GAS: count(1_000_000).describe(
    'The most gas for one call or mint of a contract that isn’t ours. ' +
      'A mint that wants more fails with that reason, and costs nothing.',
  ),
  MAX_FEE_GWEI: perNetwork(/\d+/, '1000', 'A number is expected, and for single networks 1000;137=5000.').describe(
    'The highest price per gas, in gwei. Fees of a transaction that is not mined in time are raised up to it; ' +
      'then an alarm is raised. Single networks may have another: 1000;137=5000.',
  ),
  MAX_IN_FLIGHT: perNetwork(
    /[1-9]\d{0,2}/,
    '16',
    'A number from 1 to 999 is expected, and for single networks 16;137=64.',
  ).describe(
    'How many transactions of one operator may be sent and not mined yet, on each network. ' +
      'More of them send faster; nodes may drop what exceeds the places that they have for one account. ' +
      'Single networks may have another number: 16;137=64.',
  ),
}
