import type { Context } from '../../platform/auth/context.ts'

/** Who sends our transactions where nobody else is asked for; null where this installation sends none. */
export const operatorAddress = ({ ports }: Pick<Context, 'ports'>): string | null => ports.keys.operators[0] ?? null
