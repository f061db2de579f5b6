import { type CallOptions, call } from '../../engine/outgoing/call.ts'
import type { Delivery } from '../../store/contract/store.ts'
import type { Receiver } from './receivers.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

/** How a delivery is sent. */
interface SendOptions extends Omit<CallOptions, 'option'> {
  /** The signed time, in seconds since 1970. */
  readonly seconds: number
}

/** Sends a delivery, and returns the status of the answer; throws as `call` does. */
export function send(receiver: Receiver, { id, event, body }: Delivery, options: SendOptions): Promise<number> {
  const { seconds, ...how } = options
  const headers = {
    'content-type': 'application/json',
    'quire-event': event,
    'quire-delivery': id,
    [SIGNATURE_HEADER.toLowerCase()]: signatureOf(receiver.secret, body, seconds),
  }
  return call({ method: 'POST', url: receiver.url, headers, body }, { ...how, option: 'webhooks' })
}
