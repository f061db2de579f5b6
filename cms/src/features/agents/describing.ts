import type { FieldInfo, Schema } from 'quire-client'
import { z } from 'zod'
import { notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Agent } from './agent.ts'
import { pageOfText } from './cursors.ts'
import { CURSOR, type Tool, tool } from './tool.ts'

/** The schema of the editor as the caller sees it. */
async function schemaFor(agent: Agent): Promise<Schema> {
  // `as`: the route answers what the type says.
  return (await agent.run('service.schema', {})).body as Schema
}

/** Says which types, widgets and locales there are. */
export const describeSite: Tool = tool({
  name: 'describe_site',
  title: 'Describe the site',
  description: 'Names the locales and types of this site, and what you may do with each. Begin here.',
  input: z.strictObject({ cursor: CURSOR }),
  run: async (agent, { cursor }) => {
    const { site, types, widgets } = await schemaFor(agent)
    const text = [
      `Site ${JSON.stringify(site.name)}; you are ${JSON.stringify(agent.actor.name)}, ${agent.actor.role}. You write drafts; people publish.`,
      `Locales: ${Object.entries(site.locales)
        .map(([name, { label }]) => localeLine(name, label, site.defaultLocale))
        .join(', ')}.`,
      'Types:',
      ...Object.entries(types).map(([name, type]) => typeLine(name, type)),
      `Widgets, which describe_type describes: ${Object.keys(widgets).join(', ') || 'none'}.`,
    ].join('\n')
    return pageOfText(agent, { tool: 'describe_site', of: [] }, { text, cursor, isDeclared: true })
  },
})

function localeLine(name: string, label: string, defaultLocale: string): string {
  return `${name} (${label}${name === defaultLocale ? ', default' : ''})`
}

function typeLine(name: string, { family, label, denied, localized, singleton }: Schema['types'][string]): string {
  const rights = [denied.createDraft || singleton ? null : 'create', denied.editDraft ? null : 'edit']
  const may = rights.filter((one) => one !== null).join(' and ')
  const facts = [family, singleton && 'exactly one', localized ? null : 'has no drafts']
  return `- ${name}: ${label} (${facts.filter(Boolean).join(', ')}); you may ${may === '' ? 'read' : `read, ${may}`}`
}

/** Says which fields a type or a widget has. */
export const describeType: Tool = tool({
  name: 'describe_type',
  title: 'Describe a type',
  description: 'Lists the fields of a type or of a widget, their limits, and which widgets its areas take.',
  input: z.strictObject({ type: z.string().max(200).describe('The name of a type or a widget.'), cursor: CURSOR }),
  run: async (agent, { type, cursor }) => {
    const schema = await schemaFor(agent)
    const info = own(schema.types, type) ?? own(schema.widgets, type)
    if (info === undefined)
      throw notFound(`There is no type or widget ${JSON.stringify(type)}: describe_site names them.`)
    const styles = 'styles' in info && info.styles ? ['Styles:', ...fieldLines(info.styles)] : []
    const text = [
      `${type}: ${info.label}`,
      ...(info.description === undefined ? [] : [info.description]),
      'Fields:',
      ...fieldLines(info.fields),
      ...styles,
    ]
    return pageOfText(agent, { tool: 'describe_type', of: [type] }, { text: text.join('\n'), cursor, isDeclared: true })
  },
})

/** One line for each field, those inside of it indented. */
function fieldLines(fields: readonly FieldInfo[], indent = ''): string[] {
  return fields.flatMap((field) => [`${indent}- ${fieldLine(field)}`, ...fieldLines(field.fields ?? [], `${indent}  `)])
}

function fieldLine(field: FieldInfo): string {
  const { name, type, label, help, required, unique, readOnly, locked, options, schema } = field
  const facts = [
    type,
    required && 'required',
    unique && 'unique',
    (readOnly || locked) && 'you cannot change it',
    ...optionFacts(options),
    schema && `JSON schema ${JSON.stringify(schema)}`,
  ]
  const note = help === undefined ? '' : `. ${help}`
  return `${name} ${JSON.stringify(label)}: ${facts.filter(Boolean).join(', ')}${note}`
}

/** Options that say what a value may be. */
function optionFacts({ widgets, choices, withType, ...options }: FieldInfo['options']): string[] {
  const rest = Object.entries(options).filter(([name]) => !FORM_OPTIONS.has(name))
  return [
    ...rest.map(([name, value]) => `${name} ${JSON.stringify(value)}`),
    ...(choices ? [`one of ${choices.map(({ value }) => JSON.stringify(value)).join(', ')}`] : []),
    ...(withType ? [`documents of ${[withType].flat().join(', ')}`] : []),
    ...(widgets ? [`widgets ${widgetsText(widgets)}`] : []),
  ]
}

/** Options that only concern forms. */
const FORM_OPTIONS: ReadonlySet<string> = new Set(['titleField', 'following', 'textarea', 'inline'])

function widgetsText(widgets: object): string {
  const each = Object.entries(widgets).map(([name, options]) => {
    return Object.keys(options).length === 0 ? name : `${name} ${JSON.stringify(options)}`
  })
  return each.join(', ')
}
