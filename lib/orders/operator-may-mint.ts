import type { Address } from 'viem'
import type { Collection } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'

/**
 * Whether our operator may send transactions to a collection's contract: one of ours, or one that granted us the right
 * to mint.
 */
export const operatorMayMint = (row: Pick<Collection, 'deploymentType' | 'minter'>): boolean =>
  row.deploymentType === 'PLATFORM' || row.minter !== null

/** Whether the operator that a collection's contract takes calls of is configured. Before its deployment any is. */
export const isMinterConfigured = (
  { ports }: Pick<Context, 'ports'>,
  { minter }: Pick<Collection, 'minter'>,
): boolean => minter === null || ports.keys.operators.includes(minter as Address)
