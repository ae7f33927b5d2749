import { env } from '../../core/env.ts'
import type { Locale } from '../../core/locales.ts'

/** Where those who run the installation are told of alarms; what is empty isn't used. */
export type Operator = { email: string; locale: Locale; webhookUrl: string; webhookSecret: string }

/** As the settings say. */
export const operatorOf = (): Operator => ({
  email: env.OPERATOR_EMAIL,
  locale: env.OPERATOR_LOCALE,
  webhookUrl: env.OPERATOR_WEBHOOK_URL,
  webhookSecret: env.OPERATOR_WEBHOOK_SECRET,
})
