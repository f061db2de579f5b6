import { defineFieldType, defineSite, field, piece } from 'quire-cms'
import { z } from 'zod'

type Route = { from: string; to: string }

const route = defineFieldType<object, Route>({
  name: 'route',
  options: z.strictObject({}),
  blank: () => null,
  read(input, _options, reading) {
    const given = z.object({ from: z.string(), to: z.string() }).safeParse(input)
    if (!given.success && input !== null) reading.problem('Say where it begins and where it ends: { from, to }.')
    return given.data ?? null
  },
  toText: ({ from, to }) => `${from} – ${to}`,
  jsonSchema: () => ({ type: ['object', 'null'] }),
  diff: (older, newer) =>
    (['from', 'to'] as const).map((name) => ({
      of: 'value',
      below: [{ name, label: name === 'from' ? 'From' : 'To' }],
      old: older?.[name] ?? null,
      new: newer?.[name] ?? null,
    })),
})

const tour = piece('tour', { fields: { add: { way: field(route, { label: 'Way' }) } } })

export const site = defineSite({ types: [tour], fieldTypes: [route] })
