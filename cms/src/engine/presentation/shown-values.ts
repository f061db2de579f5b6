import type { JsonObject } from '../../base/json.ts'
import { blankProperties } from '../../model/blank.ts'
import { type Document, DocumentId } from '../../model/document.ts'
import type { Context } from '../context.ts'
import type { Plan, Rights } from './plan.ts'
import { pageUrl } from './url.ts'

/** The properties of a document itself (§2.1): ids, the values of fields, dates, and what the caller may do with it. */
export function shownValues(ctx: Context, document: Document, plan: Plan): JsonObject {
  const { id, fields } = document
  const answer: JsonObject = { _id: DocumentId.format(id), aposDocId: id.docId }
  if (id.locale !== '') {
    answer.aposLocale = `${id.locale}:${id.mode}`
    answer.aposMode = id.mode
  }
  answer.type = document.type
  answer.metaType = 'doc'
  for (const { field, names } of plan.fields) {
    let isStored = false
    for (const name of names) {
      const value = fields[name]
      if (value === undefined) continue
      answer[name] = value
      isStored = true
    }
    if (!isStored) Object.assign(answer, blankProperties(field, id.docId))
  }
  if (plan.hasPageUrl) answer._url = pageUrl(ctx, id.locale, String(fields.slug))
  for (const { name, of } of plan.values) {
    const value = of(document)
    if (value !== undefined) answer[name] = value
  }
  return plan.rights === null ? answer : Object.assign(answer, rightsTo(document, plan.rights))
}

function rightsTo({ id, lastPublishedAt }: Document, { published, draft, fresh }: Rights): JsonObject {
  if (id.mode === 'published') return published
  return lastPublishedAt === null ? fresh : draft
}
