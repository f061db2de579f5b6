import { fileURLToPath } from 'node:url'

/** Imports of libraries that cost each start, though Quire needs little or nothing of them, and what takes their place. */
const INSTEAD = [
  // TLS and HTTP/2, for servers that Quire does not make: 30 ms and 8 MB.
  { importer: /[\\/]fastify[\\/]lib[\\/]server\.js$/, specifier: /^node:(https|http2)$/, instead: 'node:http' },
  // 47 files, only to check which versions of Fastify a site's plugins are made for.
  {
    importer: /[\\/]fastify[\\/]lib[\\/]plugin-utils\.js$/,
    specifier: /^semver$/,
    instead: fileURLToPath(new URL('./late-semver.cjs', import.meta.url)),
  },
  // 130 KB that check the forms of agents: Quire asks them for none.
  {
    importer: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/][^\\/]+\.mjs$/,
    specifier: /^@modelcontextprotocol\/server\/_shims$/,
    instead: fileURLToPath(new URL('./no-forms.mjs', import.meta.url)),
  },
  // Messages in 62 languages: those of Quire are English.
  {
    importer: /[\\/]zod[\\/]v4[\\/](classic[\\/]external|core[\\/]index)\.js$/,
    specifier: /^\.\.\/locales\/index\.js$/,
    instead: '../locales/en.js',
  },
]

/** The specifier that takes the place of another in a module: mostly the same one. */
export function importedBy(importer: string | undefined, specifier: string): string {
  const rule = INSTEAD.find((rule) => rule.specifier.test(specifier) && rule.importer.test(importer ?? ''))
  return rule?.instead ?? specifier
}
