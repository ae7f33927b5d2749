// npm run bench:gas: measures the gas of our operations and of other projects' on one local chain, and writes
// docs/benchmarks/gas.md. Installs the other projects' contracts in contracts/bench when they are missing, and compiles
// them once.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGasChain } from './gas-chain.ts'
import { compiledContracts, GAS_BOUNDS, measureOurs } from './gas-ours.ts'
import { measurePeers, type PeerFigures } from './gas-peers.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'docs/benchmarks/gas.md')
/** EIP-7825: the most gas that one transaction may use on Ethereum. */
const TRANSACTION_CAP = 2 ** 24

const OPERATIONS = [
  'deploy a collection',
  'admin mint, one',
  '100 recipients, any ids',
  '100 recipients, consecutive ids',
  'voucher mint, free',
  'voucher mint, one payee',
  'voucher mint, two payees',
  'transfer',
  'ERC-1155 admin mint, one',
  'ERC-1155, 100 recipients',
  'ERC-1155 voucher mint, free',
]

/**
 * Measured earlier in the same way, from sources that no package has. Zora's token is an ERC-1155 and is compared with
 * ours of that kind.
 */
const QUOTED: PeerFigures[] = [
  {
    peer: 'SeaDrop',
    gas: { 'deploy a collection': 278_000, 'voucher mint, free': 132_200, 'voucher mint, one payee': 143_900 },
  },
  {
    peer: 'Zora 1155',
    gas: {
      'deploy a collection': 401_000,
      'ERC-1155 admin mint, one': 70_500,
      'ERC-1155, 100 recipients': 3_476_000,
      'ERC-1155 voucher mint, free': 124_100,
    },
  },
  {
    peer: 'Sound 2.1',
    gas: {
      'deploy a collection': 501_000,
      'admin mint, one': 99_800,
      '100 recipients, any ids': 5_282_000,
      '100 recipients, consecutive ids': 5_282_000,
      'voucher mint, free': 184_200,
      'voucher mint, one payee': 191_000,
    },
  },
  { peer: 'Manifold’s claim page', gas: { 'voucher mint, free': 150_600, 'voucher mint, one payee': 160_100 } },
]

installPeers()
const chain = await startGasChain({ peers: true })
try {
  const ours = await measureOurs(chain, compiledContracts)
  const peers = await measurePeers(chain)
  mkdirSync(join(root, 'docs/benchmarks'), { recursive: true })
  writeFileSync(target, documentOf(ours, peers))
  console.log(readFileSync(target, 'utf8'))
} finally {
  chain.stop()
}

function installPeers() {
  const folder = join(root, 'contracts/bench')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)))) return
  console.log('Installing the other projects’ contracts in contracts/bench.')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
}

function documentOf(ours: Record<string, number>, peers: PeerFigures[]): string {
  const libraries = peers.filter(({ peer }) => !/thirdweb|Manifold|bare/.test(peer))
  const platforms = peers.filter(({ peer }) => /thirdweb|Manifold/.test(peer))
  const bare = peers.find(({ peer }) => peer === 'solady, bare')!.gas['admin mint, one']!
  const all = [...libraries, ...platforms, ...QUOTED]
  const dearer = all.flatMap(({ peer, gas }) =>
    OPERATIONS.filter((operation) => gas[operation] && ours[operation]! > gas[operation]).map((operation) => ({
      peer,
      operation,
      excess: ours[operation]! - gas[operation]!,
    })),
  )
  const tooBig = all.flatMap(({ peer, gas }) =>
    OPERATIONS.filter((operation) => (gas[operation] ?? 0) > TRANSACTION_CAP).map(
      (operation) => `${peer}: ${operation}`,
    ),
  )
  return `# Gas

Written by \`npm run bench:gas\`. Thousands of gas of whole transactions (base cost and call data included); in brackets ours ÷ theirs, so
below 1 ours is cheaper.

## Ours, and their bounds

\`contracts/gas.json\` has every figure, and a test fails when one grows by more than 0.5 % or exceeds its bound.

${table(
  ['operation', 'gas', 'at most', ''],
  Object.entries(GAS_BOUNDS).map(([operation, bound]) => [
    operation,
    thousands(ours[operation]!),
    thousands(bound),
    ours[operation]! <= bound ? 'met' : '**not met**',
  ]),
)}

## Libraries

A token written with each (\`contracts/bench/contracts/Libraries.sol\`): an owner mints, ids count up, a fixed key signs vouchers. No supply bound,
pause, cancelling or revocable role, which ours has; deployed directly, where ours is a clone. Each figure is the lower of two builds.

${comparison(ours, libraries)}

## Platforms

${comparison(ours, platforms)}

## Quoted figures

Not measured by this command: SeaDrop, Zora and Sound, and what Manifold's claim page calls, are in no package we could build from. These were measured the
same way in an earlier study. Deploying is without the sale that SeaDrop then sets up (332) and the token that Zora then makes (164).

${comparison(ours, QUOTED)}

## Where ours isn't the cheapest

${dearer.map(({ peer, operation, excess }) => `- ${operation}: ${peer}'s costs ${thousands(excess)} less.`).join('\n')}
- admin mint, one: the least that solady's token can be (an owner, the caller names the id, nothing is counted) costs ${thousands(bare)}.

Our calls go through a clone (2.7 a call, for which a deployment costs ${thousands(ours['deploy a collection']!)} instead of more than a million) and check roles, bounds and owner blobs. An ERC-1155 mint
records a request id that can be used once, and counts units; theirs would mint again when a call is sent twice. The first transfer after
a consecutive batch costs ${thousands(ours['transfer, the first after a consecutive batch, owner of one']!)}, later ones as in the table, because the first one writes the owner's storage slot.
${tooBig.length > 0 ? `\nAbove what one transaction may use on Ethereum (16,777): ${tooBig.join('; ')}.\n` : ''}
## How it is measured

- One local chain (anvil, Prague, base fee 0), in one session; the receipts' \`gasUsed\`. The first call of each contract is left out, because it writes counters for the first time.
- Recipients are new addresses without zero bytes; payees' and senders' accounts exist. A paid voucher costs 0.01 of the coin; the second payee gets 2.5 %.
- Ours: the bytecode of \`lib/core/contracts/abi.ts\`, through clones of the factory, with the application's own call data.
- OpenZeppelin, ERC721A and solady with solc 0.8.37, for Cancun: with 200, 800 and 1,000 optimizer runs as in their repositories, and with 1,000,000 and via-IR.
- thirdweb with solc 0.8.23, 20 runs, London, through its stateless factory. DropERC721 has no signatures: its rows are public claims by a wallet
  that claimed before. Batches use its \`multicall\`; TokenERC721 has to store a URI for each token.
- Manifold: the bytecode in its package (solc 0.8.19, 25 runs). The package has no proxy, so a minimal clone is used, which is cheaper than the
  one its studio uses; batches use an extension that does nothing else.
- Their ids count up, so any and consecutive ids are one figure. Transfers: one of five tokens to a new owner; of other projects' tokens the last one,
  which is the cheapest where the owner is stored once for a range of ids.
- thirdweb's ERC-1155 is TokenERC1155. The libraries' ERC-1155 tokens have no vouchers here, and ERC721A has no ERC-1155.
`
}

function comparison(ours: Record<string, number>, peers: PeerFigures[]): string {
  const rows = OPERATIONS.filter((operation) => peers.some(({ gas }) => gas[operation])).map((operation) => [
    operation,
    thousands(ours[operation]!),
    ...peers.map(({ gas }) =>
      gas[operation] ? `${thousands(gas[operation])} (${ratio(ours[operation]! / gas[operation])})` : '–',
    ),
  ])
  return table(['', 'ours', ...peers.map(({ peer }) => peer)], rows)
}

/** Three digits where the figures are close. */
function ratio(quotient: number): string {
  return quotient.toFixed(quotient < 0.9 ? 2 : 3)
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function thousands(gas: number): string {
  return (gas / 1_000).toLocaleString('en', {
    minimumFractionDigits: gas < 1_000_000 ? 1 : 0,
    maximumFractionDigits: gas < 1_000_000 ? 1 : 0,
  })
}
