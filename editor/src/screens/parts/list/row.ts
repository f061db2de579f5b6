import type { JsonObject } from 'quire-client'
import { t } from '../../../words/words.ts'

/** The `_id` of a row. */
export const idOf = (row: JsonObject): string => String(row._id)

/** What a row is called; never empty. */
export const titleOf = (row: JsonObject): string => String(row.title || t.list.untitled)
