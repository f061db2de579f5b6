/** The name of a field, and how its type stores values: every `Field` is one. */
interface Named {
  readonly name: string
  readonly type: { readonly property?: { names(name: string): readonly string[] } }
}

/** The names under which a field's value is stored in its holder: `_topics` lies in `topicsIds` and `topicsFields`. */
export function propertyNames({ name, type }: Named): readonly string[] {
  return type.property?.names(name) ?? [name]
}

/** True when one of the names is the field's own, or one under which its value is stored. */
export function isNamedIn(field: Named, names: { has(name: string): boolean }): boolean {
  return names.has(field.name) || propertyNames(field).some((name) => names.has(name))
}

/** `topics`, `topicsIds`, `topicsFields` and `_topics` belong together: naming one names them. */
export function isNamed(names: { has(name: string): boolean }, name: string): boolean {
  if (names.has(name)) return true
  const stem = name.startsWith('_') ? name.slice(1) : name.replace(/(?:Ids|Fields)$/, '')
  return stem !== name && (names.has(`_${stem}`) || names.has(`${stem}Ids`))
}
