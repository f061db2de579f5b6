import { expect, it } from 'vitest'
import { agentOf } from '../../cms/test/agent-caller.ts'
import { describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

describeEditor('§11 editor: agents', {}, ({ service, desk }) => {
  it('is there for admins alone', async () => {
    const { page } = await desk('editor')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Activity' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Agents' }).count()).toBe(0)
  })

  it('says that there is nothing yet, and then shows each call with its document', async () => {
    const { page, open } = await desk('admin')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.getByText('No agent has called yet.').waitFor()
    await expectFits(page, 'no calls')
    await page.setViewportSize({ width: 1280, height: 900 })
    const [machine, other] = [agentOf(() => service.address), agentOf(() => service.address, 'key-contributor')]
    const { data } = await machine('write_draft', { type: 'article', values: { title: 'Eels' } })
    const home = await machine('read_tree')
    expect(home.isError).toBe(false)
    await other('read', { id: 'nothing' })
    await open('/agents')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('write_draft').getByText('Done').waitFor()
    await row('write_draft').getByRole('cell', { name: 'AI key' }).waitFor()
    await row('read').filter({ hasText: 'Not found' }).getByRole('cell', { name: 'contributor key' }).waitFor()
    await expectFits(page, 'calls')
    await page.setViewportSize({ width: 1280, height: 900 })
    await row('write_draft').getByRole('link', { name: 'Eels' }).click()
    await page.getByRole('heading', { level: 1, name: 'Eels' }).waitFor()
    expect(page.url()).toContain(`/content/article/${data._id}`)
  })

  it('is narrowed to a key and to what failed by keyboard, and goes on', async () => {
    const machine = agentOf(() => service.address)
    for (let count = 0; count < 60; count += 1) await machine('describe_site')
    await machine('read', { id: 'gone' })
    await agentOf(() => service.address, 'key-contributor')('describe_site')
    const { page, open } = await desk('admin')
    await open('/agents')
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count()).toBe(51)
    await page.getByRole('button', { name: 'Show older calls' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBeGreaterThan(62)
    await page.getByRole('combobox', { name: 'Key' }).focus()
    await page.keyboard.press('c')
    await expect.poll(() => page.getByRole('cell', { name: 'AI key' }).count()).toBe(0)
    expect(page.url()).toContain('key=')
    await page.getByRole('checkbox', { name: 'Only what failed' }).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => page.getByText('Done').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Key' }).selectOption({ label: 'All keys' })
    await page.getByRole('cell', { name: 'gone' }).waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'gone' }).waitFor()
    expect(await page.getByText('Done').count()).toBe(0)
  })
})
