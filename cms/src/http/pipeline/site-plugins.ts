import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

/** The request that a handler of a site's own Fastify route gets. */
export interface PluginRequest {
  readonly method: string
  readonly url: string
  readonly ip: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
  readonly raw: IncomingMessage
}

/** The reply of a handler of a site's own Fastify route, when it does not return the answer. */
export interface PluginReply {
  code(status: number): this
  header(name: string, value: string | number | readonly string[]): this
  type(contentType: string): this
  send(body?: unknown): this
  redirect(url: string, status?: number): this
  readonly raw: ServerResponse
}

type Handler = (request: PluginRequest, reply: PluginReply) => unknown
type Method = (path: string, handler: Handler) => unknown

/**
 * The part of Fastify's instance that most plugins need, so that the declarations of this package stand alone. For all
 * of it, install `fastify` for its types, and declare the parameter as `FastifyInstance`.
 */
export interface PluginScope {
  readonly get: Method
  readonly head: Method
  readonly post: Method
  readonly put: Method
  readonly patch: Method
  readonly delete: Method
  readonly options: Method
  readonly all: Method
  register(plugin: object, options?: object): unknown
  addHook(
    name: 'onRequest' | 'preHandler',
    hook: (request: PluginRequest, reply: PluginReply) => Promise<unknown>,
  ): unknown
  addHook(name: 'onClose', hook: () => Promise<unknown>): unknown
  setErrorHandler(handler: (error: unknown, request: PluginRequest, reply: PluginReply) => unknown): unknown
}

/** Registers a site's own plugins and routes with the framework, in a scope of their own. */
export type SitePlugins = { register(app: PluginScope): void | Promise<void> }['register']
