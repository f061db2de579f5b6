import type { App } from 'quire-cms'
import type { site } from './site.ts'

/** The first content of an empty database. */
export async function seed(app: App): Promise<void> {
  const content = app.context({ kind: 'operator' }).as<typeof site>({ role: 'admin', name: 'First content' })
  const [river, yard] = await content.insertMany('stage', [
    { title: 'River stage', seats: 800 },
    { title: 'Courtyard', seats: 120 },
  ])
  const [brass, choir] = await content.insertMany('artist', [
    { title: 'The Night Ferry Brass', from: 'Gdańsk', about: '<p>Seven horns and one accordion.</p>' },
    { title: 'Choir of the Old Mill', from: 'Utrecht', about: '<p>Forty voices, no microphones.</p>' },
  ])
  if (!river || !yard || !brass || !choir) throw new Error('The stages and artists were not all made.')
  await content.insertMany('concert', [
    { title: 'Opening night', day: '2027-06-18', time: '20:00', _stage: [river], _artists: [brass, choir] },
    { title: 'Morning songs', day: '2027-06-19', time: '10:30', _stage: [yard], _artists: [choir] },
    { title: 'Brass at noon', day: '2027-06-19', time: '12:00', _stage: [river], _artists: [brass] },
  ])
  await content.patch('@cms/home-page', '_home', {
    title: 'Three days by the river',
    welcome: '<p>Concerts from morning to midnight. Bring a blanket.</p>',
  })
  const below = { _targetId: '_home', _position: 'lastChild' } as const
  await content.insert('programme', { title: 'Programme', ...below })
  await content.insert('artists', { title: 'Artists', ...below })
}
