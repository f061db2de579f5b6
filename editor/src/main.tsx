import { render } from 'preact'
import { App } from './app/app.tsx'
import type { Place } from './data/place.ts'
import { createSession } from './data/session.ts'
import './styles/layers.css'

const root = document.getElementById('app')
if (root !== null) {
  const { api = '/api/v1', base = '', namespace = '@cms', title = '' } = root.dataset
  // `as`: the service fills in what it checked at start.
  const place: Place = { api, base, namespace: namespace as Place['namespace'], title }
  const session = createSession(place)
  void session.start()
  render(<App place={place} session={session} />, root)
}
