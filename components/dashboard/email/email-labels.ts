/** The three kinds of mail provider, as their texts are named. */
export const PROVIDERS = ['MAIL_API', 'CLOUD_MAIL', 'CUSTOM_SMTP'] as const

export type Provider = (typeof PROVIDERS)[number]
