import { systemClient } from '../../db/client.ts'

/** Whether an operator keeps this person out (lib/members/disable-person.ts). */
export const isDisabled = async (userId: string): Promise<boolean> =>
  (await systemClient().user.findFirst({ where: { id: userId, disabledAt: { not: null } }, select: { id: true } })) !==
  null
