import type { Context } from '../platform/auth/context.ts'
import { readMember, showMember } from './read-member.ts'

export const getMember = async (ctx: Context, id: string) => showMember(await readMember(ctx, id))
