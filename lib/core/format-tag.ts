/**
 * A language as Intl formats by it: English dates are British, as everywhere here, and Arabic ones have the digits of
 * PINs and addresses.
 */
export const formatTagOf = (locale: string): string => ({ en: 'en-GB', ar: 'ar-u-nu-latn' })[locale] ?? locale
