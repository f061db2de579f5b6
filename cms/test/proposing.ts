import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { makeUser, tokenOf } from './people.ts'
import { type Caller, callerOf, type Service } from './service.ts'

/** Where proposals are. */
export const PROPOSAL = '@cms/proposal'

/** Types of every kind, with fields that need a role. */
export const site = defineSite({
  types: [
    piece('topic', { fields: { add: { note: { type: 'string' } } } }),
    piece('story', {
      fields: {
        add: {
          text: { type: 'string', required: true },
          more: { type: 'string', max: 20 },
          approved: { type: 'string', editPermission: 'admin' },
          secret: { type: 'string', viewPermission: 'admin' },
          box: { type: 'object', fields: { add: { inner: { type: 'string' } } } },
          links: { type: 'array', fields: { add: { to: { type: 'string' }, by: { type: 'string' } } } },
          body: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/html': {} } },
          _topics: { type: 'relationship', withType: 'topic', fields: { add: { why: { type: 'string' } } } },
        },
      },
    }),
    piece('board', { editRole: 'admin' }),
    piece('vault', { viewRole: 'admin' }),
    piece('diary', { versions: false }),
    piece('plain', { localized: false }),
    page('text', { fields: { add: { lead: { type: 'string' } } } }),
    page('hidden-text', { viewRole: 'admin', fields: { add: { lead: { type: 'string' } } } }),
  ],
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
})

/** A row of a proposal. */
export interface Row {
  readonly key: string
  readonly state: string
  readonly changedMeanwhile?: readonly { readonly newText: string }[]
}

/** The keys of the rows. */
export const keysOf = (body: { readonly rows: readonly Row[] }) => body.rows.map(({ key }) => key)
/** The state of each row, by its key. */
export const statesOf = (body: { readonly rows: readonly Row[] }) =>
  Object.fromEntries(body.rows.map(({ key, state }) => [key, state]))

/** Calls as somebody who has signed in. */
export async function person(service: Service, username: string, role: string): Promise<Caller> {
  await makeUser(service.app, username, { role, title: username, firstName: username })
  return callerOf(service.address, null, null, { authorization: `Bearer ${await tokenOf(service.address, username)}` })
}
