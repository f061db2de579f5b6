import type { Operation } from '../cms/test/refused-operations.ts'
import type { Caller } from '../cms/test/service.ts'

/**
 * The configuration of Schemathesis for one caller: paths name documents that are there. A method that is not described
 * need not be 405 where the site can only refuse it, which says why, nor at `/article/publish`, which is `/article/:_id`
 * for other methods.
 */
export async function configured(caller: Caller, paths: object, refused: readonly Operation[]): Promise<string> {
  const sections: string[] = []
  for (const [path, item] of Object.entries(paths)) {
    const id = path.includes('{id}') ? await idAt(caller, path) : null
    const isCovered = Object.keys(paths).some((other) => other !== path && patternOf(other).test(path))
    const hasOthers = isCovered || refused.some(([, one]) => one === path)
    const fixed = Object.entries({
      ...(id !== null && { 'path.id': id }),
      // It takes the answer with areas as HTML for the other one: of media types it compares no parameters.
      ...(JSON.stringify(item).includes('"render-areas"') && { 'query.render-areas': 'false' }),
    })
    if (fixed.length === 0 && !hasOthers) continue
    sections.push(
      ['[[operations]]', `include-path = ${JSON.stringify(path)}`]
        .concat(
          fixed.length === 0
            ? []
            : [`parameters = { ${fixed.map(([name, one]) => `"${name}" = "${one}"`).join(', ')} }`],
        )
        .concat(hasOthers ? ['checks.unsupported_method.enabled = false'] : [])
        .join('\n'),
    )
  }
  return `${sections.join('\n\n')}\n`
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

/** The first document of the list that a path is below. */
async function idAt(caller: Caller, path: string): Promise<string | null> {
  const [list = ''] = path.slice('/api/v1/'.length).split('/{')
  const { status, body } = await caller.get(list)
  return status === 200 ? (body._id ?? body.results?.at(-1)?._id ?? null) : null
}
