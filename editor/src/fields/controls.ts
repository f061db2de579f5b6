import type { FieldInfo } from 'quire-client'
import type { Control } from './control.ts'
import { AttachmentControl } from './controls/attachment-control.tsx'
import { BoxControl } from './controls/box-control.tsx'
import { BooleanControl, CheckboxesControl, RadioControl, SelectControl } from './controls/choice-controls.tsx'
import { ColorControl } from './controls/color-control.tsx'
import { DateAndTimeControl, DateControl, TimeControl } from './controls/date-controls.tsx'
import { EmbedControl } from './controls/embed-control.tsx'
import { JsonControl } from './controls/json-control.tsx'
import { NumberControl, RangeControl } from './controls/number-controls.tsx'
import { PasswordControl } from './controls/password-control.tsx'
import { ReverseControl } from './controls/reverse-control.tsx'
import { SlugControl } from './controls/slug-control.tsx'
import { EmailControl, TextControl, UrlControl } from './controls/text-controls.tsx'
import { RelationshipControl } from './relationship/relationship-control.tsx'
import { RichTextControl } from './rich-texts/rich-text-control.tsx'

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
