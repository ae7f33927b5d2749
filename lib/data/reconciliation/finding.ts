/** Two records, or a record and the chain, that disagree. `foreign`: the contract of others that says so. */
export type Finding = { check: string; subject: string; detail: string; foreign?: string }

/** The field of a finding that names the foreign contract it is about. Empty for a contract of ours. */
export const foreignOf = ({ contract, isOurs }: { contract: string; isOurs: boolean }): Pick<Finding, 'foreign'> =>
  isOurs ? {} : { foreign: contract }

/** Findings of a foreign contract that a line names. */
const MAX_NAMED = 3

/** One finding for each foreign contract that several are about: it may say of any number of tokens what it wants. */
export function oneForEachForeign(findings: readonly Finding[]): Finding[] {
  const byContract = Map.groupBy(findings, ({ foreign }) => foreign)
  return [...byContract].flatMap(([contract, own]): Finding[] => {
    if (contract === undefined || own.length === 1) return own
    const named = own.slice(0, MAX_NAMED).map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`)
    const more = own.length > MAX_NAMED ? `; and ${own.length - MAX_NAMED} more` : ''
    const detail = `${own.length} of its answers disagree: ${named.join('; ')}${more}`
    return [{ check: 'a foreign contract says what its logs say', subject: contract, detail, foreign: contract }]
  })
}

/** How much was compared with the chain. `withoutNode`: networks of deployed collections for which no node is set. */
export type Compared = {
  networks: number
  contracts: number
  logs: number
  tokens: number
  vouchers: number
  mintRequests: number
  withoutNode: number[]
}

export const nothingCompared = (): Compared => ({
  networks: 0,
  contracts: 0,
  logs: 0,
  tokens: 0,
  vouchers: 0,
  mintRequests: 0,
  withoutNode: [],
})
