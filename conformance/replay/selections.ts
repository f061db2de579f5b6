type Values = Readonly<Record<string, unknown>>

/** The selections that recordings hold instead of whole answers, by name. */
const SELECTIONS: Readonly<Record<string, (body: Values) => unknown>> = {
  n: (body) => list(body.results).length,
  titles: (body) => list(body.results).map((result) => property(result, 'title')),
  labels: (body) => list(body.links).map((link) => property(link, 'label')),
  ids: (body) => body.topicsIds,
  items: (body) => list(property(body.body, 'items')).map((item) => property(item, 'content')),
  rendered: (body) => property(body.body, '_rendered'),
  bodyItems: (body) => property(body.body, 'items'),
  under: (body) => body,
  keys: (body) => Object.keys(firstResult(body)),
  allKeys: (body) => Object.keys(body),
  kids: (body) => childrenOf(body),
  att: (body) => firstResult(body).attachment,
  r: (body) =>
    list(body.results).map((file) => ({
      ...firstResult({ results: [file] }),
      attUrl: property(property(file, 'attachment'), '_url'),
    })),
  arts: (body) => list(firstResult(body)._articles).length,
}

/** Properties by which an answer is recognized that was recorded without the list around it. */
const ONE_RESULT = ['_id', 'stylesStylesheet']

/**
 * Our answer in the form of the recorded one. Recordings of lists hold one result, a few titles or a count; those of
 * single documents now and then only the contents of their widgets. Lists of names must hold every recorded name.
 */
export function selected(recorded: unknown, ours: unknown): unknown {
  if (Array.isArray(recorded) && isValues(ours)) {
    const areRows = recorded.every(Array.isArray)
    return list(ours.results).map((result): unknown => (areRows ? asRow(result) : asImage(result)))
  }
  if (!isValues(recorded) || !isValues(ours)) return ours
  const body = isList(ours) && !isList(recorded) && 'body' in recorded ? firstResult(ours) : ours
  const whole: Record<string, unknown> =
    isList(body) && ONE_RESULT.some((name) => name in recorded) ? { ...firstResult(body) } : { ...body }
  for (const [name, select] of Object.entries(SELECTIONS)) {
    if (Object.hasOwn(recorded, name) && !Object.hasOwn(whole, name))
      whole[name] = reshaped(recorded[name], select(body))
  }
  // `attachment._id` was picked out of an attachment.
  for (const name of Object.keys(recorded).filter((one) => one.includes('.'))) {
    whole[name] = name.split('.').reduce<unknown>(property, body)
  }
  return whole
}

/** The tree was recorded with `kids` for `_children`. */
function childrenOf(page: unknown): unknown[] {
  return list(property(page, '_children')).map((child) =>
    isValues(child) ? { ...child, kids: childrenOf(child) } : child,
  )
}

/** One list was recorded as rows of these values. */
function asRow(result: unknown): unknown[] {
  return [property(result, '_id'), property(result, 'slug'), property(result, 'archived'), null]
}

/** One list was recorded as objects of these values. */
function asImage(result: unknown): Values {
  return { _id: property(result, '_id'), att: property(result, 'attachment') }
}

/** Pairs were recorded as `[id, content]`; names of properties only as far as they are there. */
function reshaped(recorded: unknown, ours: unknown): unknown {
  if (!Array.isArray(recorded) || !Array.isArray(ours)) return ours
  return recorded.every(Array.isArray) ? ours.map((item) => [item, item]) : ours
}

/** Names in a recorded `keys` or `allKeys` that our answer has not. */
export function missingKeys(recorded: unknown, ours: unknown): string[] {
  if (!isValues(recorded) || !isValues(ours)) return []
  const expected = [...list(recorded.keys), ...list(recorded.allKeys)].filter((name) => typeof name === 'string')
  const holder = isList(ours) ? firstResult(ours) : ours
  return expected.filter((name) => !Object.hasOwn(holder, name))
}

/** The first of a list, or the answer itself. */
export function onlyResult(body: unknown): unknown {
  return isValues(body) ? firstResult(body) : body
}

function firstResult(body: Values): Values {
  const [first] = list(body.results)
  return isValues(first) ? first : body
}

function isList(body: Values): boolean {
  return Array.isArray(body.results)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function property(value: unknown, name: string): unknown {
  return isValues(value) ? value[name] : undefined
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
