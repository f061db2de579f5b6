import { type Html, html, piece } from 'quire-cms'
import { site as open } from './answers-site.ts'

// `as`: a declaration does not reveal the types of its options.
const types = Reflect.get(open.options, 'types') as readonly object[]

/** The reference site, open to all, with a cache in front of it that the environment may name. */
export const site = {
  ...open,
  options: {
    ...open.options,
    types: [...types, piece('news', { scheduling: true, publicApiProjection: ['title', 'slug'], fields: { add: {} } })],
    layout: (content: Html, { global }: { readonly global: object | null }) =>
      html`<!doctype html><title>Edge</title>${content}<footer>${JSON.stringify(global)}</footer>`,
    purge: {
      kind: 'http',
      url: process.env.PURGE_URL ?? 'http://127.0.0.1:9/',
      allowPrivate: true,
      atStart: process.env.PURGE_AT_START !== '0',
      sharedMaxAge: 86_400,
    },
  } as const,
}
