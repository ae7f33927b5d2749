import type { DashboardLocale, Locale } from '@/lib/core/locales'
import type dashboard from '@/messages/dashboard/en.json'
import type en from '@/messages/en.json'

/** The texts of pages and mails, by their keys. All languages have the same ones. */
type OwnMessages = typeof en
type DashboardMessages = typeof dashboard

/** Those of the dashboard are there on its own pages and at sign-in only. */
export type Messages = OwnMessages & { dashboard: DashboardMessages }

/** Each language is a file of its own, loaded when somebody first reads it. */
const FILES: Record<Locale, () => Promise<{ default: OwnMessages }>> = {
  en: () => import('@/messages/en.json'),
  de: () => import('@/messages/de.json'),
  fr: () => import('@/messages/fr.json'),
  es: () => import('@/messages/es.json'),
  it: () => import('@/messages/it.json'),
  'pt-BR': () => import('@/messages/pt-BR.json'),
  nl: () => import('@/messages/nl.json'),
  pl: () => import('@/messages/pl.json'),
  ja: () => import('@/messages/ja.json'),
  ko: () => import('@/messages/ko.json'),
  'zh-Hans': () => import('@/messages/zh-Hans.json'),
  ar: () => import('@/messages/ar.json'),
}

const DASHBOARD_FILES: Record<DashboardLocale, () => Promise<{ default: DashboardMessages }>> = {
  en: () => import('@/messages/dashboard/en.json'),
  de: () => import('@/messages/dashboard/de.json'),
}

export const readMessages = async (locale: Locale): Promise<OwnMessages> => (await FILES[locale]()).default

export const readDashboardMessages = async (locale: DashboardLocale): Promise<Messages> => {
  const [own, { default: texts }] = await Promise.all([readMessages(locale), DASHBOARD_FILES[locale]()])
  return { ...own, dashboard: texts }
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Locale
  }
}
