/** Versions that must not be installed: all from `from` (0 unless given) to below `below`, or exactly these. */
export type Vulnerable = { name: string; advisory: string; what: string } & (
  { from?: string; below: string } | { exactly: readonly string[] }
)

/**
 * Known-vulnerable versions of packages that we use, so that no update or merge brings them back where the registry
 * can't be asked. `npm run audit` asks it for all others. An advisory that it names is added here when it is dealt
 * with. Last compared: 22 November 2026.
 */
export const VULNERABLE: readonly Vulnerable[] = [
  {
    name: 'next',
    from: '16.0.0',
    below: '16.3.3',
    advisory: 'GHSA-2xp9-vwfh-vxw4',
    what: 'code execution by pictures',
  },
  { name: 'next-auth', below: '4.24.15', advisory: 'GHSA-7rqj-j65f-68wh', what: 'sign-in mail to another mailbox' },
  { name: '@auth/core', below: '0.41.3', advisory: 'GHSA-7rqj-j65f-68wh', what: 'sign-in mail to another mailbox' },
  { name: 'nodemailer', below: '9.0.1', advisory: 'GHSA-p6gq-j5cr-w38f', what: 'files read by raw messages' },
  { name: 'sanitize-html', below: '2.17.4', advisory: 'GHSA-rpr9-rxv7-x643', what: 'script past the filter in xmp' },
  { name: 'sharp', below: '0.35.4', advisory: 'GHSA-rgj7-g3m4-5g8c', what: 'memory corruption by AVIF pictures' },
  { name: 'undici', below: '6.28.0', advisory: 'GHSA-8xcm-r25x-g524', what: 'response desync' },
  { name: 'undici', from: '7.0.0', below: '7.29.0', advisory: 'GHSA-8xcm-r25x-g524', what: 'response desync' },
  { name: 'undici', from: '8.0.0', below: '8.5.0', advisory: 'GHSA-35p6-xmwp-9g52', what: 'response poisoning' },
  { name: 'ws', from: '8.0.0', below: '8.21.1', advisory: 'CVE-2026-62389', what: 'memory exhausted by fragments' },
  { name: 'axios', from: '1.0.0', below: '1.15.2', advisory: 'GHSA-w9j2-pvgh-6h63', what: 'prototype pollution' },
  { name: 'axios', exactly: ['0.30.4', '1.14.1'], advisory: 'axios/axios#10604', what: 'published with malware' },
  { name: 'plain-crypto-js', exactly: ['4.2.0', '4.2.1'], advisory: 'axios/axios#10604', what: 'malware' },
  { name: 'follow-redirects', below: '1.16.0', advisory: 'GHSA-r4q5-vmmm-2653', what: 'headers sent to other hosts' },
  { name: 'fast-uri', from: '3.0.0', below: '3.1.5', advisory: 'GHSA-7p8r-x3mc-p8w7', what: 'confusion of hosts' },
  { name: 'postcss', below: '8.5.23', advisory: 'GHSA-fxqj-rqcc-2cmp', what: 'files read by source maps' },
  { name: 'svgo', from: '4.0.0', below: '4.0.1', advisory: 'CVE-2026-29074', what: 'memory exhausted by XML entities' },
  { name: 'mjml', below: '5.0.0', advisory: 'GHSA-45h5-66jx-r2wf', what: 'files read by mj-include' },
  {
    name: 'uuid',
    from: '11.0.0',
    below: '11.1.1',
    advisory: 'GHSA-w5hq-g745-h8pq',
    what: 'writes past a buffer’s end',
  },
  { name: 'brace-expansion', below: '1.1.18', advisory: 'GHSA-mh99-v99m-4gvg', what: 'memory exhausted' },
  { name: 'brace-expansion', from: '4.0.0', below: '5.0.9', advisory: 'GHSA-rgw5-rvv9-x895', what: 'memory exhausted' },
]
