import { CHAIN_SUBJECT } from '../../records/alarms/apart-clocks.ts'

/** The alarms about a network's nodes that end by themselves, and the subject of each. */
export const nodeAlarmsOf = (networkId: number) => ({
  node_of_other_chain: String(networkId),
  /** Final blocks are gone: it ends when they are there again. */
  reorg_too_deep: `${networkId}:final`,
  indexing_late: String(networkId),
  /**
   * The database server's clock differs from the network's blocks (lib/records/alarms/apart-clocks.ts has those of
   * hosts).
   */
  clock_apart: `${CHAIN_SUBJECT}${networkId}`,
})

export type NodeAlarm = keyof ReturnType<typeof nodeAlarmsOf>
