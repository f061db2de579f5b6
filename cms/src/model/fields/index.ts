import type { FieldType } from '../field-type/field-type.ts'
import { area } from './area.ts'
import { array } from './array.ts'
import { attachment } from './attachment.ts'
import { boolean } from './boolean.ts'
import { box } from './box.ts'
import { checkboxes } from './checkboxes.ts'
import { color } from './color.ts'
import { date } from './date.ts'
import { dateAndTime } from './date-and-time.ts'
import { email } from './email.ts'
import { float } from './float.ts'
import { integer } from './integer.ts'
import { object } from './object.ts'
import { oembed } from './oembed.ts'
import { password } from './password.ts'
import { radio } from './radio.ts'
import { range } from './range.ts'
import { relationship } from './relationship.ts'
import { relationshipReverse } from './relationship-reverse.ts'
import { richText } from './rich-text.ts'
import { select } from './select.ts'
import { slug } from './slug.ts'
import { string } from './string.ts'
import { time } from './time.ts'
import { url } from './url.ts'

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
