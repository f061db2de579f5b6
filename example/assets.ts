import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Feature, Reply, type Route, route } from 'quire-cms'
import { minified } from './minified.ts'

const css = minified(readFileSync(new URL('./lantern.css', import.meta.url), 'utf8'))
/** A lamp. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="#f2b632"/></svg>'

// Names change with the content, so browsers never ask for a file twice.

export const STYLE_PATH = `/lantern-${digestOf(css)}.css`
export const ICON_PATH = `/lantern-${digestOf(icon)}.svg`

/** Serves the stylesheet and the icon as the service serves everything: compressed, with an ETag, and `nosniff`. */
export const assets: Feature = {
  name: 'assets',
  routes: () => [assetRoute(STYLE_PATH, 'text/css', css), assetRoute(ICON_PATH, 'image/svg+xml', icon)],
}

function assetRoute(path: string, mediaType: string, text: string): Route {
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return route({
    method: 'GET',
    path,
    summary: `A file of the magazine: ${path}`,
    tag: 'assets',
    operationId: `assets.${path.slice(1)}`,
    answer: { type: 'string' },
    mediaType,
    cached: true,
    ignoresLocale: true,
    ignoresQuery: true,
    handle: async () => new Reply(text, headers),
  })
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
