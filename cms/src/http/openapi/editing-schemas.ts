import type { JsonSchema } from '../../base/json.ts'
import { boolean, describedObject, integer, list, oneOf, onlyTrue, refTo, text, texts } from '../../base/json-schema.ts'
import { ROLES } from '../../model/terms/roles.ts'

// The shape of what `GET @cms/schema` answers (§5.11). Parts that lie in one another are components.

type Properties = { readonly [name: string]: JsonSchema }

const components = (component: string, description: string): JsonSchema => list(refTo(component), description)
const byName = (of: JsonSchema, description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: of,
  description,
})
const json = (description: string): JsonSchema => ({ type: 'object', additionalProperties: true, description })

const reasonsFor = (description: string, names: readonly string[]): JsonSchema =>
  describedObject(description, [], Object.fromEntries(names.map((name) => [name, refTo('EditingReason')])))

const ICON: Properties = {
  icon: text('The name of a picture.'),
  description: text('What it is for.'),
}

const REASON = describedObject('Why something is not allowed.', ['reason'], {
  reason: {
    type: 'string',
    enum: ['role', 'draftsOnly', 'parked', 'system'],
    description:
      'By the role; since an AI key only writes drafts; since the page is built in; or since nobody can do it.',
  },
  needs: oneOf(ROLES, 'The least role that may.'),
})

const CHOICE = describedObject('One of the values to choose from.', ['value', 'label'], {
  value: { type: ['string', 'number', 'boolean', 'null'], description: 'As it is stored.' },
  label: text('For people.'),
})

const bound = (description: string): JsonSchema => ({ type: ['number', 'string'], description })

const OPTIONS: JsonSchema = {
  ...describedObject('What the field type was declared with.', [], {
    choices: list(CHOICE, 'The values to choose from.'),
    min: bound('The least value, length or amount.'),
    max: bound('The greatest value, length or amount.'),
    pattern: text('A regular expression, with the flag `u`.'),
    widgets: byName(json('Its options in this area.'), 'Areas: the widget types that are allowed.'),
    withType: texts('Relationships: the types, as far as the caller sees them.'),
    accepts: texts('Attachments: extensions, without the dot.'),
    toolbar: texts('Rich texts: the tools.'),
  }),
  additionalProperties: true,
}

const FIELD = describedObject('One field of a form.', ['name', 'type', 'label', 'options'], {
  name: text('As in documents.'),
  type: text('The field type, perhaps one of the site.'),
  label: text('For people, as declared.'),
  help: text('For people, as declared.'),
  placeholder: text('What an empty control shows in place of a value.'),
  required: onlyTrue('A document is not published without it.'),
  def: { description: 'The value of a new document.' },
  if: json('The field counts while its neighbours have these values.'),
  readOnly: onlyTrue('Values that are sent are ignored.'),
  unique: onlyTrue('No two documents have the same value.'),
  options: OPTIONS,
  fields: components('EditingField', 'Objects, arrays and relationships: the fields in them.'),
  groups: components('EditingGroup', 'The groups of those.'),
  locked: refTo('EditingReason'),
  filter: {
    type: 'string',
    enum: ['choices', 'range', 'text', 'boolean', 'relationship'],
    description: 'How lists can be filtered by it; absent where they cannot.',
  },
  isSortable: onlyTrue('Lists can be sorted by it.'),
  schema: json('Field types of the site: the JSON Schema of the values.'),
})

const GROUP = describedObject('Fields that are shown together.', ['name', 'label', 'fields'], {
  name: text('As declared.'),
  label: text('For people, as declared.'),
  fields: texts('The names of the fields.'),
  groups: components('EditingGroup', 'Sections, among the styles of the site.'),
})

const QUERY = describedObject("A filter of the site's own.", ['name', 'schema'], {
  name: text('The parameter.'),
  description: text('What it does.'),
  schema: json('The JSON Schema of its value.'),
})

const ACTIONS = ['view', 'createDraft', 'editDraft', 'publish', 'archive', 'deleteDraft', 'delete']

const TYPE = describedObject(
  'A type of pieces or pages.',
  ['family', 'label', 'pluralLabel', 'fields', 'groups', 'localized', 'versions', 'sort', 'denied'],
  {
    family: oneOf(['piece', 'page'], 'Pages stand in the tree.'),
    label: text('For people.'),
    pluralLabel: text('For people.'),
    ...ICON,
    fields: components('EditingField', 'In the order of the form.'),
    groups: components('EditingGroup', 'A field may be in none.'),
    localized: boolean('Without it there are no locales and no drafts.'),
    autopublish: onlyTrue('Saves go live at once.'),
    scheduling: onlyTrue('Drafts have `publishAt` and `archiveAt`.'),
    singleton: onlyTrue('There is exactly one document.'),
    versions: boolean('Saves have a history.'),
    hasUrl: onlyTrue('Documents can have a public page.'),
    piecesType: text('Index pages: the type of the pieces that they list.'),
    slugPrefix: text('What slugs begin with.'),
    sort: text('The order of lists that ask for none: `-updatedAt`.'),
    queries: list(QUERY, "Filters of the site's own."),
    denied: reasonsFor('What the caller may not do with documents of the type.', ACTIONS),
  },
)

const WIDGET = describedObject('A type of widgets.', ['label', 'fields', 'groups'], {
  label: text('For people.'),
  ...ICON,
  fields: components('EditingField', 'Stored in the widget, under their names.'),
  groups: components('EditingGroup', 'A field may be in none.'),
  styles: components('EditingField', 'Fields that become CSS, stored in the widget with the others.'),
  titleField: text('The field that names a widget.'),
})

const LOCALE = describedObject('A locale.', ['label', 'direction'], {
  label: text('For people.'),
  prefix: text('What its paths begin with.'),
  hostname: text('The host where it is.'),
  private: onlyTrue('Hidden from anonymous callers.'),
  direction: oneOf(['ltr', 'rtl'], 'The direction in which it is written.'),
  denied: refTo('EditingReason'),
})

const FILE_GROUP = describedObject('A group of files.', ['name', 'label', 'extensions', 'isImage'], {
  name: text('As attachments name it.'),
  label: text('For people.'),
  extensions: texts('Without the dot.'),
  isImage: boolean('Image pieces are made of its files.'),
})

const SITE = describedObject(
  'What is the same for all types.',
  ['name', 'namespace', 'prefix', 'baseUrl', 'locales', 'defaultLocale', 'fileGroups', 'limits'],
  {
    name: text('The name of the site.'),
    namespace: text('What the names of built-in types begin with: `@cms`.'),
    prefix: text('What every path begins with.'),
    baseUrl: { type: ['string', 'null'], description: 'Where the site is; null where it does not say.' },
    locales: byName(LOCALE, 'By name.'),
    defaultLocale: text('The locale of requests that name none.'),
    fileGroups: list(FILE_GROUP, 'The files that can be uploaded.'),
    limits: describedObject('What one request may have.', ['uploadBytes', 'perPage', 'bodyBytes'], {
      uploadBytes: integer('Bytes of a file.'),
      perPage: integer('Documents of a page of a list.'),
      bodyBytes: integer('Bytes of a JSON body.'),
    }),
  },
)

const CALLER = describedObject('Who asks.', ['_id', 'title', 'role', 'denied'], {
  _id: text('The id of the user or key.'),
  title: text('For people.'),
  role: oneOf(ROLES, 'The role.'),
  denied: reasonsFor('What the caller may not change; of agents, see.', ['users', 'styles', 'global', 'agents']),
})

/** The answer. */
export const editingSchema: JsonSchema = describedObject(
  'What there is to edit, and what the caller may do with it.',
  ['site', 'caller', 'types', 'widgets', 'editor'],
  {
    site: SITE,
    caller: CALLER,
    types: byName(refTo('EditingType'), 'By name.'),
    widgets: byName(refTo('EditingWidget'), 'By name: those that the areas of the types allow.'),
    editor: {
      ...describedObject('The editor; null where the site has none.', ['path', 'title'], {
        path: text("Where it is, below the site's prefix."),
        title: text('What it is called.'),
      }),
      type: ['object', 'null'],
    },
  },
)

/** The components that the answer refers to. */
export const EDITING_SCHEMAS: Properties = {
  EditingReason: REASON,
  EditingField: FIELD,
  EditingGroup: GROUP,
  EditingType: TYPE,
  EditingWidget: WIDGET,
}
