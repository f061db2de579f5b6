import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { blankFields } from '../../model/values/schema.ts'
import { isStored } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import { viewsOf } from '../view.ts'
import { outsideForm } from './field-access.ts'

/** Returns the values that a PATCH may address: all that the caller sees, also fields added since the last save. */
export function patchableForm(ctx: Context, type: Type, stored: JsonObject): JsonObject {
  const isWhole = type.fields.list.every((field) => field.type.computed || isStored(field, stored))
  const whole = isWhole ? stored : { ...blankFields(type.fields, newId), ...stored }
  return outsideForm(viewsOf(ctx), type.fields, whole)
}
