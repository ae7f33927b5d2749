import type { MetadataRoute } from 'next'

/** How the wallet looks as an app of a phone's home screen. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Vitrine wallet',
    short_name: 'Wallet',
    description: 'Your collectibles and the wallet they are in.',
    start_url: '/wallet',
    scope: '/',
    display: 'standalone',
    background_color: '#f7f9f8',
    theme_color: '#f7f9f8',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icons/512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icons/512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  }
}
