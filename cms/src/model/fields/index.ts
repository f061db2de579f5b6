import type { FieldType } from '../field-type/field-type.ts'
import { email, oembed, url } from './address-fields.ts'
import { area } from './area.ts'
import { array } from './array.ts'
import { attachment } from './attachment.ts'
import { boolean } from './boolean.ts'
import { box } from './box.ts'
import { checkboxes, radio, select } from './choice-fields.ts'
import { color } from './color.ts'
import { date, dateAndTime, time } from './date-fields.ts'
import { float, integer, range } from './number-fields.ts'
import { object } from './object.ts'
import { password } from './password.ts'
import { relationship } from './relationship.ts'
import { relationshipReverse } from './relationship-reverse.ts'
import { richText } from './rich-text.ts'
import { slug } from './slug.ts'
import { string } from './string.ts'

/** The built-in field types (§2.16) by name. `richText` is for rich text widgets. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>(
  [
    string,
    slug,
    integer,
    float,
    boolean,
    select,
    radio,
    checkboxes,
    range,
    color,
    box,
    date,
    time,
    dateAndTime,
    url,
    email,
    password,
    attachment,
    relationship,
    relationshipReverse,
    object,
    array,
    area,
    oembed,
    richText,
  ].map((type) => [type.name, type]),
)
