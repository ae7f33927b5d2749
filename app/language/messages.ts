import type { Locale } from '@/lib/core/locales'
import type en from '@/messages/en.json'

/** The texts of pages and mails, by their keys. All languages have the same ones. */
export type Messages = typeof en

/** Each language is a file of its own, loaded when somebody first reads it. */
const FILES: Record<Locale, () => Promise<{ default: Messages }>> = {
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

export const readMessages = async (locale: Locale): Promise<Messages> => (await FILES[locale]()).default

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Locale
  }
}
