import { env } from '../../core/env.ts'

/** Where those who run the installation are told of alarms; what is empty isn't used. */
export type Operator = { email: string; webhookUrl: string; webhookSecret: string }

/** As the settings say. */
export const operatorOf = (): Operator => ({
  email: env.OPERATOR_EMAIL,
  webhookUrl: env.OPERATOR_WEBHOOK_URL,
  webhookSecret: env.OPERATOR_WEBHOOK_SECRET,
})
