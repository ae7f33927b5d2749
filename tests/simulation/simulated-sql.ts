const TIME =
  /(?<!simulation\.)\b(?:pg_catalog\.)?(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bCURRENT_TIMESTAMP\b/gi

/**
 * The text of a statement or function with the simulator's clock, ids and random numbers in place of PostgreSQL's own.
 */
export const withSimulatedTime = (text: string): string =>
  text
    .replace(TIME, 'simulation.now()')
    .replace(/\bgen_random_uuid\(\)/gi, 'simulation.next_id()')
    .replace(/\brandom\(\)/gi, 'simulation.random()')
    .replace(/\bpg_snapshot_xmin\(pg_current_snapshot\(\)\)/gi, 'simulation.oldest_transaction()')
