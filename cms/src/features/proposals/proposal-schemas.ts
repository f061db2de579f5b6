import type { JsonSchema } from '../../base/json.ts'
import {
  boolean,
  dateTime,
  dateTimeOrNull,
  describedObject,
  integer,
  list,
  object,
  oneOf,
  text,
  textOrNull,
  texts,
} from '../../base/json-schema.ts'
import { changeRowRef, changeRowSchema } from '../../http/openapi/change-schemas.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import type { ProposalState } from '../../store/contract/store.ts'

/** The states of proposals. */
export const PROPOSAL_STATES: readonly ProposalState[] = ['open', 'accepted', 'partial', 'refused']

const THIN = {
  _id: text('Of the proposal.'),
  docId: text('The _id of the draft.'),
  type: text('The type of the document.'),
  locale: text('The locale of the draft.'),
  documentTitle: text('The title that the draft has now; empty where there is none any more.'),
  title: text('What is proposed, in a few words.'),
  reason: text('Why.'),
  state: oneOf(PROPOSAL_STATES, '`partial`: some rows were accepted, and the others refused.'),
  maker: describedObject('Who made it.', ['_id', 'kind', 'title'], {
    _id: text('The user or the key.'),
    kind: oneOf(['user', 'key'], 'Whether a person or a key made it.'),
    title: text('Its name, as it was then.'),
  }),
  ai: boolean('Whether AI wrote it.'),
  createdAt: dateTime('When it was made.'),
  decidedAt: dateTimeOrNull('When its last row was decided.'),
  expiresAt: dateTime('When it goes.'),
} satisfies { readonly [name: string]: JsonSchema }

const required = Object.keys(THIN)

/** A page of proposals. */
export const proposalList = object(['results', 'total', 'next'], {
  results: list(object(required, THIN), 'At most 50.'),
  total: integer('How many proposals match.'),
  next: textOrNull('The value of `before` for the following page; null on the last.'),
})

const ROW = {
  // `as`: it was made of properties.
  ...(changeRowSchema.properties as { readonly [name: string]: JsonSchema }),
  key: text('Names the row where it is accepted or refused: the names of its path, joined by dots.'),
  state: oneOf(['open', 'accepted', 'assisted', 'refused'], '`assisted`: accepted with another value.'),
  decidedBy: text('The name of the person who decided it.'),
  decidedAt: dateTime('When it was decided.'),
  refusal: text('Why it was refused.'),
  changedMeanwhile: list(
    changeRowRef,
    'The changes of this place since the proposal was made: what is there now. Accepting all leaves such rows open.',
  ),
}

const WARNING = object(['name', 'key', 'message'], {
  name: oneOf(
    ['newLink', 'html', 'invisible'],
    'A link to a host that the document has not named, HTML outside of rich text, or characters that nobody sees.',
  ),
  key: text('The key of the row.'),
  message: text('What was found, for people.'),
})

/** A proposal with its rows. */
export const proposalWithRows = object([...required, '_warnings', 'rows', 'counts', '_accept', '_withdraw'], {
  ...THIN,
  _warnings: list(WARNING, 'What to look at before it is accepted.'),
  rows: list(
    object([...(changeRowSchema.required as readonly string[]), 'key', 'state'], ROW),
    'The changes that the caller may see, in schema order.',
  ),
  counts: describedObject('How many rows there are.', ['added', 'modified', 'deleted', 'ai'], {
    added: integer('Rows of this type.'),
    modified: integer('Rows of this type.'),
    deleted: integer('Rows of this type.'),
    ai: integer('Rows that AI wrote.'),
  }),
  obstacle: text('Why it cannot be accepted any more; absent where it can.'),
  _accept: boolean('Whether the caller may accept it.'),
  _withdraw: boolean('Whether the caller may withdraw it.'),
})

/** The body of a new proposal. */
export const proposalBody = object(['docId', 'title', 'patch'], {
  docId: { ...text('The _id of the document, in either mode, or its aposDocId.'), minLength: 1 },
  title: { ...text('What is proposed, in a few words.'), minLength: 1, maxLength: 200 },
  reason: { ...text('Why.'), maxLength: 5000 },
  patch: { type: 'object', description: 'The body of a PATCH of the draft: fields, paths and operators.' },
})

/** Which rows are accepted. */
export const acceptBody: JsonSchema = {
  type: 'object',
  properties: {
    rows: texts('Keys of rows. Without it: all that are open, and whose place is as it was.'),
    values: {
      type: 'object',
      description: 'Other values than the proposed ones, by the key of the row. They are marked as assisted.',
    },
  },
}

/** Which rows are refused. */
export const refuseBody: JsonSchema = {
  type: 'object',
  properties: {
    rows: texts('Keys of rows. Without it: all that are open.'),
    reason: { ...text('Why.'), maxLength: 5000 },
  },
}

const id = { type: 'string', minLength: 1 } as const

/** Narrows and pages a list of proposals. */
export const proposalParameters: readonly QueryParameter[] = [
  { name: 'docId', description: 'Only those of this document: any of its ids.', schema: id },
  { name: 'type', description: 'Only those of documents of this type.', schema: { type: 'string' } },
  { name: 'state', description: 'Only those in this state.', schema: { type: 'string', enum: PROPOSAL_STATES } },
  { name: 'makerId', description: 'Only those of this user or key.', schema: { type: 'string' } },
  { name: 'before', description: 'Only older ones: give `next` of the page before.', schema: { type: 'string' } },
]
