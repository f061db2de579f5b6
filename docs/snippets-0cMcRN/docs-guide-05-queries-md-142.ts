import { defineSite, piece, type SiteApp } from 'quire-cms'

const site = defineSite({
  types: [
    piece('talk', {
      fields: {
        add: { minutes: { type: 'integer' }, _speakers: { type: 'relationship', withType: 'speaker' } },
      },
    }),
    piece('speaker', { fields: { add: { company: { type: 'string' } } } }),
  ],
})

export async function longTalks(app: SiteApp<typeof site>) {
  const content = app.as({ role: 'guest', name: 'Programme' })
  return content.find('talk', {
    where: { $or: [{ minutes: { $gte: 60 } }, { '_speakers.company': 'Acme' }] },
    sort: '-minutes',
  })
}
