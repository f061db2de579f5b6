import type { Site } from '../model/types.ts'

const YEAR = 365 * 24 * 60 * 60

/**
 * Headers by which browsers keep what we send from being misused. The policy lets nothing run and nobody frame it: that
 * is right for JSON; routes that answer HTML bring their own.
 */
export function safetyHeaders({ cors, baseUrl }: Pick<Site, 'cors' | 'baseUrl'>): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': cors ? 'cross-origin' : 'same-origin',
    ...(baseUrl?.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${YEAR}` } : {}),
  }
}

/** An answer that brings its own of these, as uploads do: other sites may show them. */
export const UPLOADS_OVERRULE = {
  headers: {
    'Content-Security-Policy': '',
    'X-Frame-Options': '',
    'Cross-Origin-Opener-Policy': '',
    'Cross-Origin-Resource-Policy': '',
  },
}

/** Those that a route may say itself. */
export const OVERRULED = [
  'Content-Security-Policy',
  'X-Frame-Options',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
]
