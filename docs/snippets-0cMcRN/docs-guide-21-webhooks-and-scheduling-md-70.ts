import { verifyWebhook } from 'quire-cms'

export async function receive(request: Request): Promise<Response> {
  const body = await request.text()
  const signature = request.headers.get('Quire-Signature')
  const isOurs = await verifyWebhook({ secret: process.env.SEARCH_SECRET ?? '', signature, body })
  if (!isOurs) return new Response(null, { status: 401 })
  const { id, event, document } = JSON.parse(body)
  console.log(id, event, document.aposDocId)
  return new Response(null, { status: 204 })
}
