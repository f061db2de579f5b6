import { defineSite, piece, widget } from '../../cms/src/index.ts'
import { compileSite } from '../../cms/src/model/compile/site.ts'
import { referenceSite } from '../../conformance/site.ts'
import { schemaOf } from './made-up-schema.ts'

const blocks = { widgets: { card: {}, columns: {} } }
const card = widget('card', {
  fields: {
    add: { text: { type: 'string' }, note: { type: 'object', fields: { add: { text: { type: 'string' } } } } },
  },
})
const columns = widget('columns', {
  fields: {
    add: {
      left: { type: 'area', ...blocks },
      rows: { type: 'array', fields: { add: { text: { type: 'string' }, cells: { type: 'area', ...blocks } } } },
    },
  },
})
const nested = piece('nested', {
  fields: {
    add: {
      body: { type: 'area', ...blocks },
      more: { type: 'area', ...blocks },
      _others: { type: 'relationship', withType: 'nested', fields: { add: { why: { type: 'string' } } } },
    },
  },
})

const sites = {
  reference: compileSite(referenceSite({})),
  nested: compileSite(defineSite({ types: [nested], widgets: [card, columns] })),
}

/** A type of a site for tests: the reference site, and one of areas in areas. */
export const samples = Object.values(sites).flatMap((site) => {
  const schema = schemaOf(site)
  const types =
    site === sites.nested ? [...site.types.values()].filter(({ name }) => name === 'nested') : [...site.types.values()]
  return types.map((type) => ({ schema, type }))
})
/** The type with areas in areas, as often as all others. */
export const nestedSample = samples.filter(({ type }) => type.name === 'nested')
