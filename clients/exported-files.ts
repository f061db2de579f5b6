import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative, sep } from 'node:path'

/** A server of exported files. */
export interface FileServer {
  readonly address: string
  close(): void
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', xml: 'application/xml' }

/** Serves the files of a folder below a path, and `index.html` for a folder. */
export async function serveFiles(folder: string, prefix: string): Promise<FileServer> {
  const server: Server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '')
    const file = path.startsWith(`${prefix}/`) ? await fileAt(join(folder, path.slice(prefix.length))) : null
    response.statusCode = file === null ? 404 : 200
    response.setHeader('content-type', TYPES[file?.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    response.end(file === null ? '' : await readFile(file))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function fileAt(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return fileAt(join(path, 'index.html'))
  return found === null ? null : path
}

/** The files of a folder and of all below it, by their paths in it. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** The path that a file is served at: `index.html` at that of its folder. */
export function urlOf(file: string): string {
  return file
    .replace(/(^|\/)index\.html$/, '$1')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
}

const ATTRIBUTES = /\s(?:href|src|poster|action)="([^"]+)"/g
const SRCSETS = /\ssrcset="([^"]+)"/g
const CSS_URLS = /url\(\s*["']?([^"')]+)["']?\s*\)/g

/** Returns the links in a file. */
export function linksIn(file: string, text: string): string[] {
  const of = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  if (file.endsWith('.txt')) return of(/(https?:[^\s)]+)/g)
  if (file.endsWith('.xml')) return [...of(/<(?:loc|link)>([^<]+)/g), ...of(ATTRIBUTES)]
  const inCss = of(CSS_URLS)
  if (!file.endsWith('.html')) return file.endsWith('.css') ? inCss : []
  const sources = of(SRCSETS).flatMap((list) => list.split(',').map((one) => one.trim().split(/\s+/)[0] ?? ''))
  return [...of(ATTRIBUTES), ...sources, ...inCss].filter((link) => !/^(?:data|mailto|tel):|^#/.test(link))
}
