const UNUSED = /^node:(https|http2)$/
const FASTIFY_SERVER = /[\\/]fastify[\\/]lib[\\/]server\.js$/

/**
 * What a module imports instead of `specifier`. Fastify loads TLS and HTTP/2 with its server, which takes 30 ms and 8 MB,
 * and needs them only for servers that Quire does not make: they lead to `node:http`.
 */
export function importedBy(importer: string | undefined, specifier: string): string {
  return UNUSED.test(specifier) && FASTIFY_SERVER.test(importer ?? '') ? 'node:http' : specifier
}
