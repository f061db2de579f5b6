import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SitePlugins } from 'quire-cms'

const css = readFileSync(new URL('./lantern.css', import.meta.url), 'utf8')

/** Where the stylesheet is. The name changes with its content, so browsers never ask for it twice. */
export const STYLE_PATH = `/lantern-${createHash('sha256').update(css).digest('hex').slice(0, 10)}.css`

/** Serves the stylesheet, beside the pages. */
export const serveStyle: SitePlugins = async (app) => {
  app.get(STYLE_PATH, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', 'public, max-age=31536000, immutable').send(css),
  )
}
