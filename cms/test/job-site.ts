import { setTimeout } from 'node:timers/promises'
import { defineSite, piece } from 'quire-cms'

const run = piece('run', { fields: { add: { begun: { type: 'float' }, ended: { type: 'float' } } } })

/** Jobs that record their runs in pieces; one of them never ends. */
export const site = defineSite({
  types: [run],
  jobs: [
    {
      name: 'tick',
      every: '1s',
      as: { role: 'editor', name: 'Ticker' },
      run: async ({ content }) => {
        const begun = Date.now()
        await setTimeout(300)
        await content.insert('run', { title: 'tick', begun, ended: Date.now() })
      },
    },
    {
      name: 'endless',
      every: '1s',
      as: { role: 'editor', name: 'Endless' },
      run: async ({ content, signal }) => {
        await content.insert('run', { title: 'endless', begun: Date.now() })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    },
  ],
})
