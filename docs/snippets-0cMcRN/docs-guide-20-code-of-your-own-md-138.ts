import { defineSite, piece } from 'quire-cms'

const event = piece('event', { fields: { add: { ends: { type: 'date' } } } })

export const site = defineSite({
  types: [event],
  jobs: [
    {
      name: 'past-events',
      daily: '03:30',
      timeZone: 'Europe/Berlin',
      as: { role: 'editor', name: 'Calendar' },
      run: async ({ content, log, signal }) => {
        const today = new Date().toISOString().slice(0, 10)
        const { results } = await content.find('event', { ends: { max: today }, perPage: 50 })
        for (const { _id } of results) {
          if (signal.aborted) return
          await content.archive('event', _id)
        }
        log.info({ archived: results.length }, 'Past events were archived.')
      },
    },
    {
      name: 'weather',
      every: '10m',
      as: { role: 'editor', name: 'Weather' },
      run: async ({ log, signal }) => {
        const answer = await fetch('https://weather.example/now', { signal })
        log.info({ status: answer.status }, 'The weather was fetched.')
      },
    },
  ],
})
