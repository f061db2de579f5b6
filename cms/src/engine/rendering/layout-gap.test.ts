import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'

const area = (options: object) => ({ type: 'area', widgets: { '@cms/layout': options, '@cms/rich-text': {} } }) as const
const home = page('@cms/home-page', {
  fields: { add: { main: area({}), aside: area({ gap: '10px' }) } },
})
const styles = { add: { siteGap: 'layoutGap' } } as const
const columns = { items: [{ type: '@cms/layout-column', content: { items: [] } }] }
const layout = { items: [{ type: '@cms/layout', columns }] }

for (const [name, site, isStyled] of [
  ['with a gap in its styles', defineSite({ types: [home], styles }), true],
  ['without one', defineSite({ types: [home] }), false],
] as const) {
  describeService(`§2.9 layouts of a site ${name}`, { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
    const fill = async () => {
      const { body } = await service.editor.get('@cms/page')
      expect(await service.editor.patch(`@cms/page/${body._id}`, { main: layout, aside: layout })).toMatchObject({
        status: 200,
      })
      return body._id
    }

    it('§2.9 have the gap of their area, or that of the stylesheet', async () => {
      const { body } = await service.editor.get(`@cms/page/${await fill()}`, 'render-areas=true')
      expect(body.main._rendered).toContain('gap:var(--grid-gap,var(--apos-layout-gap,1.5rem))')
      expect(body.main._rendered).not.toContain('--grid-gap:')
      expect(body.aside._rendered).toContain('--grid-gap:10px;')
      const css = await visit(service, '/api/v1/@cms/styles/stylesheet')
      expect(css.text).toBe(isStyled ? ':root{--apos-layout-gap: 24px;}' : '')
    })

    it('§2.9 tell external front ends where their gap comes from', async () => {
      await fill()
      const { data } = await visit(service, '/', { front: true })
      expect(data.appendHead).toContain('var(--apos-layout-gap,1.5rem)')
      expect(data.page.main.items[0]._options).toMatchObject({ gap: '1.5rem', _gap: null, _gapHasGlobal: isStyled })
      expect(data.page.aside.items[0]._options).toMatchObject({ gap: '10px', _gap: '10px', _gapHasGlobal: isStyled })
    })
  })
}
