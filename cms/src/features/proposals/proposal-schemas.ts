import type { JsonSchema } from '../../base/json.ts'
import { boolean, count, dateTime, object, text, textOrNull } from '../../base/json-schema.ts'
import { changeRowRef, changeRowSchema } from '../../http/openapi/change-schemas.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import type { ProposalState } from '../../store/contract/store.ts'

/** The states of proposals. */
export const PROPOSAL_STATES: readonly ProposalState[] = ['open', 'accepted', 'partial', 'refused']

const STATE: JsonSchema = {
  type: 'string',
  enum: PROPOSAL_STATES,
  description: '`partial`: some rows were accepted, and the others refused.',
}

const THIN = {
  _id: text('Of the proposal.'),
  docId: text('The _id of the draft.'),
  type: text('The type of the document.'),
  locale: text('The locale of the draft.'),
  documentTitle: text('The title that the draft has now; empty where there is none any more.'),
  title: text('What is proposed, in a few words.'),
  reason: text('Why.'),
  state: STATE,
  maker: {
    type: 'object',
    required: ['_id', 'kind', 'title'],
    properties: {
      _id: text('The user or the key.'),
      kind: { type: 'string', enum: ['user', 'key'], description: 'Whether a person or a key made it.' },
      title: text('Its name, as it was then.'),
    },
    description: 'Who made it.',
  },
  ai: boolean('Whether AI wrote it.'),
  createdAt: dateTime('When it was made.'),
  decidedAt: { type: ['string', 'null'], format: 'date-time', description: 'When its last row was decided.' },
  expiresAt: dateTime('When it goes.'),
} satisfies { readonly [name: string]: JsonSchema }

const required = Object.keys(THIN)

/** A page of proposals. */
export const proposalList: JsonSchema = object(['results', 'total', 'next'], {
  results: { type: 'array', items: { type: 'object', required, properties: THIN }, description: 'At most 50.' },
  total: count('How many proposals match.'),
  next: textOrNull('The value of `before` for the following page; null on the last.'),
})

type Properties = { readonly [name: string]: JsonSchema }

const rowProperties: Properties = {
  ...(changeRowSchema.properties as Properties),
  key: text('Names the row where it is accepted or refused: the names of its path, joined by dots.'),
  state: {
    type: 'string',
    enum: ['open', 'accepted', 'assisted', 'refused'],
    description: '`assisted`: accepted with another value.',
  },
  decidedBy: text('The name of the person who decided it.'),
  decidedAt: dateTime('When it was decided.'),
  refusal: text('Why it was refused.'),
  changedMeanwhile: {
    type: 'array',
    items: changeRowRef,
    description:
      'The changes of this place since the proposal was made: what is there now. Accepting all leaves such rows open.',
  },
}

/** A proposal with its rows. */
export const proposalWithRows: JsonSchema = object(
  [...required, '_warnings', 'rows', 'counts', '_accept', '_withdraw'],
  {
    ...THIN,
    _warnings: {
      type: 'array',
      items: object(['name', 'key', 'message'], {
        name: {
          type: 'string',
          enum: ['newLink', 'html', 'invisible'],
          description:
            'A link to a host that the document has not named, HTML outside of rich text, or characters that nobody sees.',
        },
        key: text('The key of the row.'),
        message: text('What was found, for people.'),
      }),
      description: 'What to look at before it is accepted.',
    },
    rows: {
      type: 'array',
      items: object([...(changeRowSchema.required as readonly string[]), 'key', 'state'], rowProperties),
      description: 'The changes that the caller may see, in schema order.',
    },
    counts: {
      type: 'object',
      required: ['added', 'modified', 'deleted', 'ai'],
      properties: {
        added: count('Rows of this type.'),
        modified: count('Rows of this type.'),
        deleted: count('Rows of this type.'),
        ai: count('Rows that AI wrote.'),
      },
      description: 'How many rows there are.',
    },
    obstacle: text('Why it cannot be accepted any more; absent where it can.'),
    _accept: boolean('Whether the caller may accept it.'),
    _withdraw: boolean('Whether the caller may withdraw it.'),
  },
)

/** The body of a new proposal. */
export const proposalBody: JsonSchema = object(['docId', 'title', 'patch'], {
  docId: { type: 'string', minLength: 1, description: 'The _id of the document, in either mode, or its aposDocId.' },
  title: { type: 'string', minLength: 1, maxLength: 200, description: 'What is proposed, in a few words.' },
  reason: { type: 'string', maxLength: 5000, description: 'Why.' },
  patch: { type: 'object', description: 'The body of a PATCH of the draft: fields, paths and operators.' },
})

const rows: JsonSchema = { type: 'array', items: { type: 'string' } }

/** Which rows are accepted. */
export const acceptBody: JsonSchema = {
  type: 'object',
  properties: {
    rows: { ...rows, description: 'Keys of rows. Without it: all that are open, and whose place is as it was.' },
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
    rows: { ...rows, description: 'Keys of rows. Without it: all that are open.' },
    reason: { type: 'string', maxLength: 5000, description: 'Why.' },
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
