import type { FieldOptions, Schema } from 'quire-client'

/** The extensions of files that a field takes: those of its group, as far as it accepts them. */
export function extensionsOf(
  { fileGroup, accepts }: Pick<FieldOptions, 'fileGroup' | 'accepts'>,
  { fileGroups }: Pick<Schema['site'], 'fileGroups'>,
): readonly string[] {
  const groups = fileGroups.filter(({ name }) => fileGroup === undefined || name === fileGroup)
  const known = groups.flatMap(({ extensions }) => extensions)
  return accepts === undefined ? known : known.filter((extension) => accepts.includes(extension))
}
