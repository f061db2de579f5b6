import type { JsonObject } from '../../base/json.ts'
import { blankProperties } from '../../model/blank.ts'
import { type Document, DocumentId } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import type { Type } from '../../model/types.ts'
import { isStored } from '../../model/walk.ts'
import type { Context } from '../context.ts'
import { editAction, isAnonymous, may, type ReadAccess } from '../permissions.ts'
import { pageUrl } from './url.ts'

/** How documents of one type are shown: which fields, and how much of the rest the caller sees. */
interface Shown {
  readonly type: Type
  readonly access: ReadAccess
  readonly fields: readonly Field[]
}

/** The properties of a document itself (§2.1): ids, the values of fields, dates, and what the caller may do with it. */
export function shownValues(ctx: Context, document: Document, shown: Shown): JsonObject {
  const { id, fields } = document
  const answer: JsonObject = { _id: DocumentId.format(id), aposDocId: id.docId }
  if (id.locale !== '') Object.assign(answer, { aposLocale: `${id.locale}:${id.mode}`, aposMode: id.mode })
  Object.assign(answer, { type: document.type, metaType: 'doc' })
  for (const field of shown.fields) {
    if (field.type.secret) continue
    for (const name of propertyNames(field)) {
      const value = fields[name]
      if (value !== undefined) answer[name] = value
    }
    if (!isStored(field, answer)) Object.assign(answer, blankProperties(field, id.docId))
  }
  if (shown.type.family === 'page') answer._url = pageUrl(ctx, id.locale, String(fields.slug))
  const { updatedBy, ...values } = systemValues(document)
  // Visitors of pages see every field, but need not know who writes them.
  const isVisitor = ctx.actor.visits === true && isAnonymous(ctx.actor)
  Object.assign(answer, values, isVisitor ? {} : { updatedBy })
  const isEditable = !isAnonymous(ctx.actor) && shown.access.fields === 'full'
  return isEditable ? Object.assign(answer, annotations(ctx, shown.type, document)) : answer
}

function systemValues({ id, fields, createdAt, updatedAt, updatedBy, lastPublishedAt, modified }: Document) {
  return {
    createdAt,
    updatedAt,
    updatedBy: { ...updatedBy },
    ...(id.locale === '' ? {} : { lastPublishedAt }),
    ...(id.mode === 'draft' ? { modified } : {}),
    ...(fields.copyOfId === undefined ? {} : { copyOfId: fields.copyOfId }),
  }
}

/** What the caller may do with the document; only properties that are true are sent. */
function annotations(ctx: Context, type: Type, { id, lastPublishedAt }: Document): JsonObject {
  const isFresh = id.mode === 'draft' && lastPublishedAt === null
  return {
    ...(may(ctx.actor, id.mode === 'draft' ? 'createDraft' : 'createPublished', type) ? { _create: true } : {}),
    ...(may(ctx.actor, editAction(id.mode), type) ? { _edit: true } : {}),
    ...(may(ctx.actor, 'publish', type) ? { _publish: true } : {}),
    ...(may(ctx.actor, isFresh ? 'deleteDraft' : 'deletePublished', type) ? { _delete: true } : {}),
  }
}
