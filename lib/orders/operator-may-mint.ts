import type { Collection } from '../../generated/prisma/client.ts'

/** Whether our operator may send transactions to a collection's contract: one of ours, or one that granted us the right to mint. */
export const operatorMayMint = (row: Pick<Collection, 'deploymentType' | 'minter'>): boolean =>
  row.deploymentType === 'PLATFORM' || row.minter !== null
