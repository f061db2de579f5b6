/** Messages of the process that serves the site to `quire dev`, which started it. */
export type FromService =
  /** Modules of the site that it loads. */
  | { readonly kind: 'modules'; readonly files: readonly string[] }
  /** The folder of the site's template files. */
  | { readonly kind: 'templates'; readonly folder: string }
  /** It listens on this port of this machine; people know it by the URL. */
  | { readonly kind: 'ready'; readonly port: number; readonly url: string; readonly welcome: string }
  /** The site cannot be served: what is wrong with it, for people. */
  | { readonly kind: 'mistake'; readonly message: string }
  /** Somebody pressed Ctrl-C while it asked a question. */
  | { readonly kind: 'interrupted' }
