import { createApp } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { update } from '../cms/src/engine/operations/update.ts'
import { fixedId } from '../cms/src/engine/values/fixed-id.ts'
import { write } from '../cms/src/engine/write.ts'
import { insertPage } from '../cms/src/features/pages/insert-page.ts'
import { treeTarget } from '../cms/src/features/pages/position.ts'
import { toCss } from '../cms/src/model/styles/to-css.ts'
import { prose } from '../conformance/prose.ts'
import { childSettings, ownUsage, reply } from './children.ts'
import { site, siteValues, stylingOf, type WidgetStyling, widgetStylings } from './styled-site.ts'

/** A service with, in its database, pages of widgets that have styles, and of the same ones without. */
export interface StyledSettings {
  readonly database: string
  readonly port: number
  readonly key: string
  readonly pages: number
  readonly widgets: number
}

/** How often the stylesheet of the site's values is to be made; the answer is the microseconds of one. */
interface Renders {
  readonly renders?: number
}

const { database, port, key, pages, widgets } = childSettings<StyledSettings>()
const app = await createApp(site, {
  database,
  keys: [{ key, role: 'admin', name: 'Benchmark' }],
})
await fill()
await app.listen(port, '127.0.0.1')
process.on('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
reply(({ renders }: Renders) => (renders === undefined ? ownUsage() : rendered(renders)))

async function fill(): Promise<void> {
  const typeOf = (name: string) => {
    const type = app.site.types.get(name)
    if (type === undefined) throw new Error(`The site has no ${name}.`)
    return type
  }
  await write(app.context({ kind: 'operator' }), async (ctx) => {
    const copy = { locale: 'en', mode: 'published' } as const
    const type = typeOf('@cms/styles')
    await update(ctx, { type, id: { docId: fixedId(type.name), ...copy }, ifMatch: null }, siteValues)
    for (let index = 0; index < pages; index += 1) {
      for (const styling of widgetStylings) {
        const target = treeTarget('_home', 'lastChild')
        const page = { ...copy, docId: newId(), type: typeOf('landing'), target }
        await insertPage(ctx, page, { title: `${styling} ${index}`, main: { items: items(index, styling) } })
      }
    }
  })
}

function items(index: number, styling: WidgetStyling) {
  const text = prose(4_000_000 + index)
  return Array.from({ length: widgets }, (_, at) => ({
    heading: text.title(),
    words: text.paragraph(400),
    ...stylingOf(styling, at),
  }))
}

function rendered(count: number): number {
  const { fields } = app.site.styles
  const make = () => toCss(fields, siteValues).css.length
  for (let time = 0; time < count; time += 1) make()
  const { cpu } = ownUsage()
  for (let time = 0; time < count; time += 1) make()
  return (ownUsage().cpu - cpu) / count
}
