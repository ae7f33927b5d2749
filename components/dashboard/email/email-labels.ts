/** Labels of the three kinds of mail provider. */
export const PROVIDERS = {
  MAIL_API: { name: 'Mailgun', about: 'By its API. Bounces and complaints come back by themselves.' },
  CLOUD_MAIL: { name: 'Amazon SES', about: 'By SMTP, with the SMTP credentials of a region.' },
  CUSTOM_SMTP: { name: 'Another mail server', about: 'Any server that takes mail by SMTP.' },
} as const

export type Provider = keyof typeof PROVIDERS
