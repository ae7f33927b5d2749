/** Two records, or a record and the chain, that disagree. */
export type Finding = { check: string; subject: string; detail: string }

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
