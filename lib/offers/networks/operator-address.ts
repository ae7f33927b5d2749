import type { Context } from '../../platform/auth/context.ts'

/** The default operator that sends our transactions; null when this installation has none. */
export const operatorAddress = ({ ports }: Pick<Context, 'ports'>): string | null => ports.keys.operators[0] ?? null
