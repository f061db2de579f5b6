/** Who calls, in the order of `Statuses`. The front end has a key of its own, and is otherwise anonymous. */
export const CALLERS = ['anonymous', 'wrong', 'frontend', 'guest', 'contributor', 'editor', 'admin'] as const
export type CallerName = (typeof CALLERS)[number]

/**
 * The documents that callers meet: a public one, one for guests, an archived one, a draft that was never published, the
 * draft of a published one (these two are asked for by the id of their draft), one that another locale has and the
 * locale that is asked has not, and one of a private locale. What has no locales is asked for with theirs in the query.
 */
export const STATES = [
  'published',
  'loginRequired',
  'archived',
  'draft',
  'changed',
  'otherLocale',
  'privateLocale',
] as const
export type State = (typeof STATES)[number]

/** What callers are answered, in the order of `CALLERS`. */
export type Statuses = readonly [number, number, number, number, number, number, number]
type Row = { readonly [state in State]: Statuses }

const everybody: Statuses = [200, 401, 200, 200, 200, 200, 200]
/** As everybody, in a locale that anonymous callers do not know of: the front end does (§4.6). */
const everybodyKnown: Statuses = [404, 401, 200, 200, 200, 200, 200]
const guests: Statuses = [404, 401, 404, 200, 200, 200, 200]
const contributors: Statuses = [404, 401, 404, 404, 200, 200, 200]
const editors: Statuses = [404, 401, 404, 404, 404, 200, 200]
const nobody: Statuses = [404, 401, 404, 404, 404, 404, 404]
const draftReaders: Statuses = [401, 401, 401, 403, 200, 200, 200]
const draftWriters: Statuses = [401, 401, 401, 403, 200, 200, 200]
const publishers: Statuses = [401, 401, 401, 403, 403, 200, 200]
/** What may not be edited has no versions. */
const editorsOfVersions: Statuses = [401, 401, 401, 404, 200, 200, 200]
const admins: Statuses = [401, 401, 401, 403, 403, 403, 200]

/** Allowed by role, but not to this document. */
function but([a, b, c, d, e, f, g]: Statuses, status: number): Statuses {
  const instead = (one: number) => (one === 200 || one === 400 ? status : one)
  return [instead(a), instead(b), instead(c), instead(d), instead(e), instead(f), instead(g)]
}

/** To anonymous callers a private locale that they name is not there, whatever they would do in it (§4.5). */
function hiddenFromAnonymous([, ...others]: Statuses): Statuses {
  return [404, ...others]
}

const everywhere = (statuses: Statuses): Row => ({
  published: statuses,
  loginRequired: statuses,
  archived: statuses,
  draft: statuses,
  changed: statuses,
  otherLocale: statuses,
  privateLocale: statuses,
})

const unseen = { archived: nobody, draft: draftReaders, changed: draftReaders, otherLocale: nobody } as const

/** How a type is read by anonymous callers and guests: the lines "GET of …" of the table of §5.3. */
const READS = {
  public: { ...unseen, published: everybody, loginRequired: guests, privateLocale: everybodyKnown },
  guest: { ...unseen, published: guests, loginRequired: guests, privateLocale: guests },
  closed: { ...unseen, published: contributors, loginRequired: contributors, privateLocale: contributors },
  restricted: { ...everywhere(editors), archived: nobody },
  // What of users is refused is refused before anybody looks: an archived one is not found, a missing one neither.
  users: { ...everywhere(admins), archived: but(admins, 404) },
  unlocalized: { ...everywhere(everybody), loginRequired: guests, archived: nobody },
} satisfies { readonly [reads: string]: Row }

interface Decided {
  readonly reads: keyof typeof READS
  /** Tried in few states only. */
  readonly isLikeAnother?: true
  /**
   * What is another than usual: `drafts`: there are none that stay unpublished; `locale`: nor locales;
   * `others`: there is one, in every locale.
   */
  readonly hasNo?: 'drafts' | 'locale' | 'others'
}

/** Every type of the site. A type that is not here fails the test. */
export const TYPES: Readonly<Record<string, Decided>> = {
  article: { reads: 'closed' },
  topic: { reads: 'public', isLikeAnother: true },
  product: { reads: 'public' },
  secret: { reads: 'restricted', hasNo: 'locale' },
  note: { reads: 'unlocalized', hasNo: 'locale' },
  draftless: { reads: 'public', hasNo: 'drafts' },
  guesty: { reads: 'guest' },
  '@cms/image': { reads: 'public', hasNo: 'drafts' },
  '@cms/file': { reads: 'public', hasNo: 'drafts', isLikeAnother: true },
  '@cms/image-tag': { reads: 'closed', hasNo: 'drafts' },
  '@cms/file-tag': { reads: 'closed', hasNo: 'drafts', isLikeAnother: true },
  '@cms/user': { reads: 'users', hasNo: 'locale' },
  '@cms/global': { reads: 'closed', hasNo: 'others', isLikeAnother: true },
  '@cms/styles': { reads: 'closed', hasNo: 'others', isLikeAnother: true },
  // All page types share their routes.
  page: { reads: 'closed' },
}

const published: Row = { ...everywhere(publishers), otherLocale: but(publishers, 404) }
const either: Row = { ...published, draft: draftWriters, changed: draftWriters }
const drafts: Row = { ...everywhere(draftWriters), otherLocale: but(draftWriters, 404) }

const previewed: Row = { ...drafts, archived: but(draftWriters, 404) }

/** What writes answer, as long as the type lets everybody write what the role allows: the other lines of the table. */
const WRITES: Readonly<Record<string, Row>> = {
  // In another locale, and in a private one.
  insert: { ...either, otherLocale: publishers },
  replace: either,
  update: either,
  // What is published moves along with its draft.
  move: { ...published, draft: draftWriters },
  remove: { ...either, changed: but(publishers, 400) },
  publish: published,
  unpublish: { ...published, draft: but(publishers, 400) },
  archive: published,
  restore: published,
  'revert-published-to-previous': { ...published, draft: but(publishers, 400) },
  'revert-draft-to-published': { ...drafts, draft: but(draftWriters, 400) },
  localize: drafts,
  changes: drafts,
  'used-by': drafts,
  preview: previewed,
  children: previewed,
  slug: { ...everywhere(publishers), draft: draftWriters, changed: draftWriters },
  'revoke-previews': previewed,
}

/** The answers of one route for one state, as decided; undefined: nobody has decided. */
export function decided(type: string, verb: string, asked: State): Statuses | undefined {
  const { reads, hasNo } = TYPES[type] ?? {}
  if (reads === undefined) return undefined
  const state = asked === 'draft' && hasNo === 'drafts' ? 'changed' : asked
  const read = isRead(verb) && readsOf(reads, hasNo, state)
  // Pieces that no page lists lead to none.
  const shown = read && verb === 'locale' && type !== 'page' ? but(read, 400) : read
  const statuses = shown || writesOf(type, verb.replace(/-many$/, ''), hasNo, state)
  const isHidden = asked === 'privateLocale' && !verb.endsWith('-many')
  return statuses && isHidden ? hiddenFromAnonymous(statuses) : statuses
}

/** True where the locale of the state `privateLocale` stands in the query, not in an id. */
export function namesLocale(type: string, verb: string): boolean {
  return verb === 'list' || verb === 'insert' || verb === 'slug' || verb === 'move' || TYPES[type]?.hasNo === 'locale'
}

function isRead(verb: string): boolean {
  return verb === 'list' || verb === 'read' || verb === 'locales' || verb === 'locale' || verb === 'src'
}

function readsOf(reads: Decided['reads'], hasNo: Decided['hasNo'], state: State): Statuses {
  if (hasNo === 'others' && (state === 'archived' || state === 'otherLocale')) return READS[reads].published
  return READS[reads][state]
}

function writesOf(type: string, verb: string, hasNo: Decided['hasNo'], state: State): Statuses | undefined {
  const usual = WRITES[verb]?.[state]
  if (usual === undefined) return undefined
  // No page lists them.
  if (verb === 'preview' && type !== 'page') return but(usual, 400)
  const isOfDrafts = verb === 'localize' || verb === 'changes' || verb === 'revert-draft-to-published'
  switch (hasNo) {
    case 'locale': {
      if (verb === 'used-by') return usesOf(type, state)
      const writers = type === 'secret' || type === '@cms/user' ? admins : isOfDrafts ? draftWriters : publishers
      return but(writers, isOfDrafts || verb.endsWith('publish') || verb.startsWith('revert') ? 400 : 200)
    }
    case 'others':
      if (verb === 'used-by') return draftReaders
      // It is in every locale already.
      if (verb === 'localize') return but(publishers, 409)
      return but(publishers, ['insert', 'remove', 'unpublish', 'archive'].includes(verb) ? 400 : 200)
    default:
      return usual
  }
}

/** Documents without locales are read by whom their type says; archived ones by those who may edit them. */
function usesOf(type: string, state: State): Statuses {
  if (type === '@cms/user') return admins
  if (type !== 'secret') return draftReaders
  return state === 'archived' ? [401, 401, 401, 403, 403, 404, 200] : publishers
}

/** Routes beside those of the types. A route that is neither here nor of a type fails the test. */
export const OTHERS: Readonly<Record<string, Statuses>> = {
  'service.openapi': everybody,
  'service.index': everybody,
  'service.schema': [401, 401, 401, 200, 200, 200, 200],
  'service.docs': everybody,
  // Of a file that there is not.
  'service.docs-file': but(everybody, 404),
  'service.health': everybody,
  'service.ready': everybody,
  'service.metrics': admins,
  // Without a user name and a password.
  'login.login': but(everybody, 400),
  'login.logout': everybody,
  'login.whoami-get': guests,
  'login.whoami-post': guests,
  'login.context-get': everybody,
  'login.context-post': everybody,
  // Without a file, and of no attachment.
  'attachment.upload': but(draftWriters, 400),
  'attachment.crop': but(draftWriters, 400),
  // A link is what opens them: without one there is nothing.
  'attachment.put-by-link': but(everybody, 404),
  'attachment.upload-by-link': but(everybody, 404),
  // Without an address.
  'oembed.query': but(everybody, 400),
  'i18n.locales': everybody,
  // Without a locale, ids, a token.
  'i18n.locale': but([401, 401, 401, 200, 200, 200, 200], 400),
  'i18n.exist-in-locale': but([401, 401, 401, 200, 200, 200, 200], 400),
  'i18n.clipboard': but(everybody, 400),
  // Without locales, and without a file.
  'xliff.download': but(publishers, 400),
  'xliff.upload': but(publishers, 400),
  'url.metadata': [403, 401, 200, 403, 403, 403, 403],
  // Without a document, and of no version.
  'documents.list': draftReaders,
  'document-versions.list': but(editorsOfVersions, 400),
  'document-versions.changes': but(editorsOfVersions, 400),
  'document-versions.label': but(editorsOfVersions, 400),
  'document-versions.recent': editorsOfVersions,
  'document-versions.ai-marks': editorsOfVersions,
  'document-versions.read': but(editorsOfVersions, 400),
  'url.literal-routes': [403, 401, 200, 403, 403, 403, 403],
  'styles.stylesheet': everybody,
  // Of a locale `:locale` that there is not.
  'styles.stylesheet-of-locale': but(everybody, 404),
  // Without values.
  'styles.render': but([401, 401, 401, 200, 200, 200, 200], 400),
  'styles.preview': but([401, 401, 401, 200, 200, 200, 200], 400),
  // Without a widget.
  'area.render-widget': but(draftWriters, 400),
  // Without a body, and of no proposal.
  'proposal.list': editorsOfVersions,
  'proposal.insert': but(editorsOfVersions, 400),
  'proposal.read': but(editorsOfVersions, 404),
  'proposal.remove': but(editorsOfVersions, 404),
  'proposal.accept': but(editorsOfVersions, 404),
  'proposal.refuse': but(editorsOfVersions, 404),
  'webhook.list': admins,
  // Without an address, and of no webhook.
  'webhook.insert': but(admins, 400),
  'webhook.read': but(admins, 404),
  'webhook.update': but(admins, 404),
  'webhook.remove': but(admins, 404),
  'webhook.ping': but(admins, 404),
  'webhook.deliveries': but(admins, 404),
  'webhook.redeliver': but(admins, 404),
  // Without a message.
  'agents.mcp': but([401, 401, 401, 200, 200, 200, 200], 400),
  'agents.calls': admins,
  // There is no signing in.
  ...Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`agents.sign-in-${index}`, nobody])),
}
