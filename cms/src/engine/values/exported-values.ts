import { copyJson, isObject, type JsonObject } from '../../base/json.ts'
import type { Site } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import { dropHashes } from '../access/secrets.ts'

// For the command line, whose operator sees every value of a site but secrets.

/** The values of a copy, and what they name. */
interface ExportedValues {
  readonly fields: JsonObject
  /** The ids of attachments. */
  readonly attachments: readonly string[]
  /** The fields whose secrets were left out. */
  readonly secrets: readonly string[]
}

/** The stored values of a document without secrets (§10.3); of a type that the site does not declare, as they are. */
export function exportedValues(site: Pick<Site, 'types'>, document: Document): ExportedValues {
  const type = site.types.get(document.type)
  const fields = openValues(document)
  if (type === undefined) return { fields, attachments: [], secrets: [] }
  const copy = copyJson(fields)
  const [attachments, secrets]: [string[], string[]] = [[], []]
  for (const { field, values } of walk(type.fields, copy)) {
    const value = storedValue(field, values)
    if (field.type.file && isObject(value)) attachments.push(String(value._id))
    if (!field.type.secret || values[field.name] === undefined) continue
    if (values[field.name] !== '') secrets.push(field.name)
    delete values[field.name]
  }
  // Of fields that are no longer declared as secret, and were when these were stored.
  return { fields: copy, attachments, secrets: [...secrets, ...dropHashes(copy)] }
}
