import type { FieldInfo } from 'quire-client'
import { AttachmentControl } from './attachment-control.tsx'
import { BoxControl } from './box-control.tsx'
import { BooleanControl, CheckboxesControl, RadioControl, SelectControl } from './choice-controls.tsx'
import { ColorControl } from './color-control.tsx'
import type { Control } from './control.ts'
import { DateAndTimeControl, DateControl, TimeControl } from './date-controls.tsx'
import { EmbedControl } from './embed-control.tsx'
import { JsonControl } from './json-control.tsx'
import { NumberControl, RangeControl } from './number-controls.tsx'
import { PasswordControl } from './password-control.tsx'
import { RelationshipControl } from './relationship/relationship-control.tsx'
import { ReverseControl } from './reverse-control.tsx'
import { RichTextControl } from './rich-text-control.tsx'
import { SlugControl } from './slug-control.tsx'
import { EmailControl, TextControl, UrlControl } from './text-controls.tsx'

const single = (Edit: Control['Edit']): Control => ({ kind: 'single', Edit })
const group = (Edit: Control['Edit']): Control => ({ kind: 'group', Edit })

/** By field type; `object`, `array` and `area` are forms of their own. */
const CONTROLS: Readonly<Record<string, Control>> = {
  string: single(TextControl),
  slug: single(SlugControl),
  integer: single(NumberControl),
  float: single(NumberControl),
  range: single(RangeControl),
  richText: single(RichTextControl),
  boolean: single(BooleanControl),
  select: single(SelectControl),
  radio: group(RadioControl),
  checkboxes: group(CheckboxesControl),
  color: single(ColorControl),
  date: single(DateControl),
  time: single(TimeControl),
  dateAndTime: single(DateAndTimeControl),
  url: single(UrlControl),
  email: single(EmailControl),
  password: group(PasswordControl),
  attachment: group(AttachmentControl),
  relationship: group(RelationshipControl),
  relationshipReverse: group(ReverseControl),
  box: group(BoxControl),
  oembed: single(EmbedControl),
}

const unknown = single(JsonControl)

/** How a field is edited; as JSON where its type is one of the site's own. */
export function controlOf({ type }: FieldInfo): Control {
  return CONTROLS[type] ?? unknown
}
