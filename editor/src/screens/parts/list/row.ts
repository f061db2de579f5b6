import type { JsonObject } from 'quire-client'
import { t } from '../../../words/words.ts'

/** The `_id` of a row. */
export const idOf = (row: JsonObject): string => String(row._id)

/** The title of a row; never empty. */
export const titleOf = (row: JsonObject): string => String(row.title || t.list.untitled)
