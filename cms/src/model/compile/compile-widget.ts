import { z } from 'zod'
import type { WidgetDeclaration } from '../declared/content-type.ts'
import { compileTemplate, TEMPLATE_OPTIONS } from '../declared/template.ts'
import type { WidgetType } from '../declared/types.ts'
import { labelOf, WIDGET_PROPERTIES } from '../terms/property-labels.ts'
import type { DeclarationAt } from './check-declarations.ts'
import { compileFields, joinFields } from './compile-fields.ts'
import { compileWidgetStyles, type StyleScope } from './compile-styles.ts'
import { below, orNull, readOptions } from './read-options.ts'

const WIDGET_OPTIONS = z.strictObject({
  label: z.string().min(1).optional(),
  icon: orNull(z.string().min(1)),
  description: orNull(z.string().min(1)),
  fields: z.unknown().optional(),
  styles: z.unknown().optional(),
  stylesWrapper: z.boolean().default(true),
  titleField: orNull(z.string()),
  versionsRender: z.boolean().default(false),
  versionsRenderDeleted: z.boolean().default(true),
  ...TEMPLATE_OPTIONS,
})

/** Compiles a widget type. */
export function compileWidget({ path, declared }: DeclarationAt<WidgetDeclaration>, scope: StyleScope): WidgetType {
  const report = below(scope.report, path)
  const options = readOptions(WIDGET_OPTIONS, declared.options, report) ?? WIDGET_OPTIONS.parse({})
  const { label, icon, description, fields, styles, stylesWrapper, titleField, ...others } = options
  const { versionsRender, versionsRenderDeleted, ...template } = others
  const own = compileFields(fields, { path: `${path}.fields`, reserved: WIDGET_PROPERTIES }, scope)
  const styleFields = compileWidgetStyles(styles, { path: `${path}.styles`, otherFields: own }, scope)
  const compiled = joinFields(own, styleFields.fields, below(report, 'styles'))
  if (titleField !== null && !compiled.byName.has(titleField)) {
    report('titleField', `${titleField} is not one of the fields`)
  }
  return {
    name: scope.fullName(declared.name),
    label: label ?? labelOf(declared.name),
    icon,
    description,
    fields: compiled,
    styles: styleFields,
    stylesWrapper,
    titleField,
    versionsRender,
    versionsRenderDeleted,
    template: compileTemplate(template, { path, report }),
  }
}
